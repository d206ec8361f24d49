"""Clients handed in: of instructor, or of an SDK. Each is used with its own retries off."""

from __future__ import annotations

from scorewright.judges.call import Transport
from scorewright.judges.models import Client


def client_transport(model: Client, /) -> Transport:
    """The client as a transport."""
    raise LookupError(type(model.client).__name__)
