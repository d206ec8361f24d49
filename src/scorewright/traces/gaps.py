"""The losses that readers record: their codes are stable, so that users can count and filter them."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from scorewright.agents.run import Gap

GapCode: TypeAlias = Literal[
    "attributes_dropped",  # the exporter says that it left attributes of a span out
    "bad_utf8",  # bytes that are not UTF-8 were replaced
    "call_without_result",  # the conversation went on, but no result of this call was recorded
    "choices_dropped",  # of alternatives one was kept: a model's first answer, what a user said at last
    "content_elsewhere",  # the content was uploaded, and only its address recorded
    "content_not_captured",  # the calls were recorded without what was said
    "content_redacted",  # placeholders stand where the content was
    "duplicate_call",  # two calls have one id
    "duplicate_span",  # two spans have one id; the first was kept
    "history_elsewhere",  # earlier turns are named by an id only
    "no_anchor",  # no agent was recorded: the run is what one trace holds
    "not_a_message",  # something among the messages is none
    "orphan_span",  # the parent of a span was not exported; the span was kept
    "parent_cycle",  # a span is its own ancestor; the circle was cut
    "prompt_as_user",  # a message of the user that the agent wrote itself, before what the user said
    "result_without_call",  # a result whose call was not recorded
    "truncated_json",  # text that should be JSON breaks off, or is none
    "unfinished",  # the run was still open, or was stopped
    "unknown_part",  # a part of a kind that the reader does not know, kept as data
    "unknown_role",  # a message of a role that the reader does not know
]

GAP_CODES: tuple[str, ...] = get_args(GapCode)


def gap(code: GapCode, where: str, detail: str = "") -> Gap:
    """A loss with its code and place."""
    return Gap(code, where, detail)
