"""Checks: quick yes-or-no scorers of an output's text and of an agent's tool calls."""

from scorewright.library.checks.calls import (
    CallCheck,
    called_tool,
    did_not_call,
    max_tool_calls,
    tool_order,
    used_no_tools,
)
from scorewright.library.checks.content import (
    Pattern,
    TextCheck,
    ends_with,
    equals,
    excludes,
    includes,
    matches,
    starts_with,
)
from scorewright.library.checks.formats import json_schema, valid_json
from scorewright.library.checks.languages import language
from scorewright.library.checks.lengths import length_within, words_within
from scorewright.library.checks.outcomes import no_tool_errors, tool_arguments
from scorewright.library.checks.refusal import is_refusal
from scorewright.library.checks.similar import similarity

__all__ = [
    "CallCheck",
    "Pattern",
    "TextCheck",
    "called_tool",
    "did_not_call",
    "ends_with",
    "equals",
    "excludes",
    "includes",
    "is_refusal",
    "json_schema",
    "language",
    "length_within",
    "matches",
    "max_tool_calls",
    "no_tool_errors",
    "similarity",
    "starts_with",
    "tool_arguments",
    "tool_order",
    "used_no_tools",
    "valid_json",
    "words_within",
]
