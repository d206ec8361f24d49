"""What the models of the Claude family can do, whoever serves them."""

from __future__ import annotations

import re

from scorewright.judges.dialects.keywords import BOUNDS, LENGTHS, SIZES

LACKING = BOUNDS | LENGTHS | SIZES  # keywords that a format of theirs refuses

_BEFORE_FORMATS = re.compile(r"claude-(?:instant|[123](?!\d)|v[12]|(?:opus|sonnet)-4(?:-[01])?(?:-20\d{6})?(?!-?\d))")


def only_tools(model: str, /) -> bool:
    """Whether the model is older than formats (before 4.5), so that a forced tool is the nearest thing.

    The newest models think before they answer, and thinking excludes a forced tool.

    >>> [name for name in ("claude-3-7-sonnet", "claude-opus-4-1", "claude-opus-4-5", "claude-x-9") if only_tools(name)]
    ['claude-3-7-sonnet', 'claude-opus-4-1']
    """
    return _BEFORE_FORMATS.search(model) is not None
