"""Judges without a model, found in a scorer and in what it is made of."""

from __future__ import annotations

import pytest

from scorewright import Judge, Scorer, create_scorer, pure, reason_prompt, score_prompt
from scorewright.algebra import cascade, jury, mean, repeat
from scorewright.cli.checking import Loaded, judgeless

NAMED, VAGUE = Judge("openai/gpt-4o-mini"), Judge(instructions="Be strict.")


def asking(id: str, judge: Judge) -> Scorer[object, object]:
    draft = create_scorer(id, input=object, output=object, judge=judge)
    return draft.generate_score(score_prompt(lambda _: "How good?")).generate_reason(reason_prompt(lambda _: "Why?"))


plain = create_scorer("plain", input=object, output=object).generate_score(pure(lambda _: 0.5))
good, vague = asking("good", NAMED), asking("vague", VAGUE)
STEPS = ("generate_score", "generate_reason")


@pytest.mark.parametrize(
    ("scorer", "where"),
    [
        (vague, ""),
        (mean(vague), "vague / "),
        (mean(good, cascade(plain, vague, doubt=(0, 1), id="doubt")), "doubt / vague / "),
        (repeat(vague, 3), "sample 1 / "),
        (jury(vague, [NAMED, VAGUE, VAGUE]), "juror 2 / "),
        (repeat(jury(vague, [NAMED, VAGUE]), 2), "sample 1 / juror 2 / "),
        (jury(mean(plain, vague), [VAGUE]), "juror 1 / vague / "),
    ],
    ids=lambda given: given.id if isinstance(given, Scorer) else "",
)
def test_each_prompt_without_a_model_is_told_once(scorer: Scorer[object, object], where: str) -> None:
    """Down through the parts, whether or not they have a name of their own in the module."""
    found = [each.message for each in judgeless([Loaded("m.py", "scorer", scorer)])]
    assert found == [f"{scorer.id!r}: the judge of {where}{step} names no model" for step in STEPS]


@pytest.mark.parametrize(
    "scorer",
    [plain, good, mean(plain, good), jury(vague, [NAMED]), jury(good, [VAGUE, VAGUE]), jury(repeat(good, 2), [VAGUE])],
    ids=lambda scorer: scorer.id,
)
def test_a_model_may_come_from_any_side(scorer: Scorer[object, object]) -> None:
    """Of a jury the scorer fills in what the juror leaves open, and a juror stands in for the scorer's judge."""
    assert list(judgeless([Loaded("m.py", "scorer", scorer)])) == []
