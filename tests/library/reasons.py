"""Where ours differs from the golden rows on purpose: why, and what is right.

An id in capitals with a dash is a defect that the rows themselves name. The others are ours; `WHERE` lists their rows.
The right values come from `library.naive`, which uses none of our code, or are worked out by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs
from golden_rows import Row
from library import naive

REFUSED = "refused where it is defined"


@attrs.frozen
class Reason:
    """Why ours differs, and what is right: a score, or that the definition is refused."""

    why: str
    right: Callable[[Row], float | str]


def by_hand(values: Mapping[int, float]) -> Callable[[Row], float | str]:
    return lambda row: values[row.line]


def all_parts(row: Row) -> float:
    """The formula of the row's scorer on all text parts."""
    given, output = naive.said(row, "input", ", "), naive.said(row, "output", ", ")
    if row.file == "checks":
        return naive.checked(row)
    if row.file == "content-similarity":
        return naive.dice(given.lower(), output.lower()) if row["options"] is None else naive.dice(given, output)
    if row.file == "textual-difference":
        return naive.lcs_ratio(given, output)
    return TONE_LASTPART[row.line] if row.file == "tone" else 1.0  # the output repeats every word of the input


TONE_LASTPART = {
    166: 1.0,
    167: 0.0,
}  # "awful, great" is one sentence, and steady; its sentiment is 0, that of "great" 3

REASONS: dict[str, Reason] = {
    "M-LASTPART": Reason("all text parts of a message are its text, not the last alone", all_parts),
    "M-USERTOOLS": Reason("what stands in a user's message is no call of the agent", naive.called),
    "CK-LASTINDEX": Reason("a check keeps no place from one run to the next", naive.checked),
    "KC-EMPTYREF": Reason(
        "no keyword to take up: as two empty texts where the output has none either, else nothing is taken up",
        by_hand({2: 0.0, 4: 1.0, 34: 1.0}),
    ),
    "CO-CAMEL": Reason(
        "a word written together is taken up by its parts; C++, C# and TypeScript stay what they are",
        by_hand({13: 6 / 11, 20: 1.0, 47: 1.0}),
    ),
    "CO-NONLATIN": Reason("words of any script count", by_hand({24: 8 / 12, 25: 1 / 3})),
    "CO-MISSING": Reason(
        "the score is right; ours names no word as missing that it counts as there", by_hand({30: 1.0, 48: 1.0})
    ),
    "TN-TAIL": Reason("what follows the last mark is a sentence too", by_hand({13: 0.0, 118: 0.0})),
    "TN-PROTO": Reason(
        "a word is no negator because JavaScript has a property of its name", by_hand({31: 1.0, 33: 1.0, 158: 0.0})
    ),
    "code points": Reason("letters are code points, not halves of surrogate pairs", all_parts),
    "no words": Reason("a message without words leaves no separator behind", all_parts),
    "array": Reason("of a list of parts all texts count, as of any message", all_parts),
    "never": Reason("a limit of no whole calls, or a tool without a name, is a mistake", lambda _: REFUSED),
    "compatible": Reason(
        "ligatures and circled digits are the letters and digits that they stand for", by_hand({23: 1.0})
    ),
    "contraction": Reason('"don\'t" is "do not"; the other system invents a "does"', by_hand({17: 1.0})),
    "invented": Reason('"non" is no "does not"; zero and width are not in the output', by_hand({29: 3 / 5})),
    "form": Reason('"running" is a form of "run"; "runner" is none', by_hand({32: 3 / 4})),
}

WHERE: dict[str, dict[str, tuple[int, ...]]] = {
    "code points": {
        "checks": (588,),
        "content-similarity": (31, 32, 71, 72, 73, 114, 161, 162, 163, 201, 202),
        "textual-difference": (25, 27),
    },
    "no words": {"content-similarity": (83, 129)},
    "array": {"content-similarity": (47, 218)},
    "compatible": {"completeness": (23,)},
    "contraction": {"completeness": (17,)},
    "invented": {"completeness": (29,)},
    "form": {"completeness": (32,)},
}


def reason_of(row: Row) -> str:
    """The id of the reason for which ours differs on this row; empty where it agrees."""
    if row.file == "checks" and never(row):
        return "never"
    ours = [id for id, where in WHERE.items() if row.line in where.get(row.file, ())]
    return (*row.defects, *ours, "")[0]


def never(row: Row) -> bool:
    """Is the check defined so that it could never hold, or never fail?"""
    return row.factory in {"checks.maxToolCalls", "checks.calledTool", "checks.didNotCall"} and row.args[0] in (
        -1,
        2.5,
        "",
    )
