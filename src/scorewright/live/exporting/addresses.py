"""Addresses and keys of targets: checked where they are given, so that no request is sent to a wrong place."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from scorewright.core.definition import shown
from scorewright.faults import DefinitionError


def address(given: object, names: tuple[str, ...], default: str, call: str, /) -> str:
    """The base URL that was given, or that the environment names; without a slash at its end.

    One that is no http(s) address, or holds a password, a query or a fragment, is a `DefinitionError`, which does not
    repeat it: there may be a secret in it.
    """
    url = given if given is not None else next(filter(None, map(os.environ.get, names)), default)
    told = f"{call} takes the base URL of the server, such as http://localhost:3000"
    if not isinstance(url, str) or not url:
        raise DefinitionError(f"{told}{', or ' + names[0] + ' in the environment' if names else ''}")
    try:
        parts = urlsplit(url)
        port_is_sound = parts.port is None or parts.port > 0
    except ValueError:
        raise DefinitionError(f"{told}; this one cannot be read") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname or not port_is_sound:
        raise DefinitionError(f"{told}; this one is no http:// or https:// address of a server")
    if parts.username is not None or parts.password is not None:
        raise DefinitionError(f"{told}; a user or a password in it would be logged: give them as keys")
    if parts.query or parts.fragment or not url.isprintable() or " " in url:
        raise DefinitionError(f"{told}, without a query, a fragment or spaces")
    return url.rstrip("/")


def secret(given: object, name: str, call: str, /) -> str:
    """The key that was given, or that the environment holds; "" where there is none. It is never repeated."""
    key = given if given is not None else os.environ.get(name, "")
    if not isinstance(key, str):
        raise DefinitionError(f"{call} takes a key as a text, not {shown(type(key))}")
    key = key.strip()  # one that is read from a file often ends with a line break
    if not (key.isascii() and key.isprintable()):
        raise DefinitionError(f"{call}: the key holds a character that no header can hold")
    return key
