"""What a judge is told of an answer that could not be used: each sentence whole."""

from __future__ import annotations

import json
from typing import Literal

import attrs
import pytest
from core.canned import CANNED

from scorewright import JudgeRequest, Run, answering, create_scorer, prompt, pure
from scorewright.core.feedback import feedback
from scorewright.faults import EmptyReply, Misfit, SchemaMismatch


@attrs.frozen
class Size:
    """With a key that JSON may write in two ways."""

    größe: float  # noqa: PLC2401 - as a user's key may be


@attrs.frozen
class Mood:
    tone: Literal["kind", "harsh"]
    sizes: list[Size]


def told_of(reply: str) -> str:
    """What stands between the brackets of the second question."""
    asked: list[JudgeRequest] = []

    def say(request: JudgeRequest) -> str:
        asked.append(request)
        return reply

    draft = create_scorer("f", input=str, output=str, judge=CANNED).analyze(prompt(Mood, lambda _: "q"))
    scorer = draft.generate_score(pure(lambda _: 1))
    scorer.run_sync(Run("in", "out"), answer=answering(say, attempts_left=1)).failure()
    _, again = asked
    before, after = "Your last answer could not be used (", "). Answer again, with the JSON value alone."
    assert again.feedback.startswith(before)
    assert again.feedback.endswith(after)
    return again.feedback.removeprefix(before).removesuffix(after)


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("nothing of the kind", "holds no JSON object"),
        ('{"tone": "kind", "tone": "kind", "sizes": []}', "the key 'tone' stands twice in one object"),
        ('{"größe": 1, "größe": 2}', "the key 'größe' stands twice in one object"),
        ('{"xtone": 1, "xtone": 2}', "a key stands twice in one object"),
        ('{"tonex": 1, "tonex": 2}', "a key stands twice in one object"),
        ("[]", "at $: expected an object (Mood), got a list"),
        (
            json.dumps({"tone": "kind", "sizes": [{"größe": 1}, {"größe": "wide"}]}),
            "at $.sizes[1].größe: expected a number, got a string",
        ),
        (json.dumps({"tone": "xkind", "sizes": []}), "at $.tone: expected 'kind' or 'harsh'"),
    ],
    ids=range(8),
)
def test_a_judge_is_told(reply: str, told: str) -> None:
    """Where it is, what is due and what kind of thing stood there; and of the reply only what the schema has too."""
    assert told_of(reply) == told


@pytest.mark.parametrize("made_up", ["xtone", "tonex", "größer"])
def test_a_key_that_was_made_up_is_not_repeated(made_up: str) -> None:
    """A place stands for it."""
    told = told_of(json.dumps({"tone": "kind", "sizes": [{"größe": 1, made_up: 1}]}))
    assert made_up not in told
    assert "at $.sizes[0].[…]: " in told


def test_every_place_is_told() -> None:
    """One after another; one that was made by hand by its path."""
    misfits = (
        Misfit("$.tone", "expected a text", "a number", steps=("tone",)),
        Misfit("$.sizes", "expected a list", "wide", quotes=True),
        Misfit("$", "expected an object"),
    )
    told = feedback(SchemaMismatch("{}", "$.tone", "", misfits), '{"tone": 1}')
    assert "(at $.tone: expected a text, got a number; at $.sizes: expected a list; at $: expected an object)" in told


def test_what_is_no_matter_of_format_is_not_asked_again() -> None:
    """An empty reply, of which there is nothing to tell."""
    asked: list[JudgeRequest] = []

    def say(request: JudgeRequest) -> str:
        asked.append(request)
        return " "

    draft = create_scorer("f", input=str, output=str, judge=CANNED).analyze(prompt(Mood, lambda _: "q"))
    scorer = draft.generate_score(pure(lambda _: 1))
    failure = scorer.run_sync(Run("in", "out"), answer=answering(say, attempts_left=1)).failure()
    assert (failure.cause, len(asked)) == (EmptyReply(), 1)
