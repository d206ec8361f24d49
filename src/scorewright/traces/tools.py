"""How tools are called that frameworks make."""

from __future__ import annotations

import re

_NO_NAME = re.compile(r"[^a-zA-Z0-9_]")


def handoff_name(agent: str, /) -> str:
    """The tool by which OpenAI Agents hands on to an agent.

    >>> handoff_name("Math specialist")
    'transfer_to_math_specialist'
    """
    return f"transfer_to_{_NO_NAME.sub('_', agent).lower()}"
