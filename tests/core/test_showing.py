"""How values show themselves: short, what was said and no more, and never a key."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from scorewright import Bench, Judge, Run, Scale, answering, create_scorer, err, ok, prompt, pure, score_prompt
from scorewright.core import Exchange, JudgeReply, JudgeRequest, Transcript, transcript_of
from scorewright.core.budget import Budget
from scorewright.faults import EmptyReply
from scorewright.judges import recording

JUDGE = Judge("openai/gpt-4o-mini", instructions="Be strict")


@attrs.frozen
class Change:
    text: str


def draft() -> object:
    return create_scorer("form", input=Change, output=str, judge=JUDGE)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (JUDGE, "Judge('openai/gpt-4o-mini', instructions='Be strict')"),
        (Judge(timeout=5), "Judge(timeout=5)"),
        (Judge(), "Judge()"),
        (draft(), "Draft('form', Change → str)"),
        (draft().preprocess(pure(len)), "Preprocessed('form', Change → str)"),
        (draft().analyze(pure(len)), "Analyzed('form', Change → str)"),
        (
            draft()
            .preprocess(pure(len))
            .analyze(prompt(bool, lambda _: "q"))
            .generate_score(score_prompt(lambda _: "q")),
            "Scorer('form', Change → str, preprocess → analyze → generate_score, 0..1)",
        ),
        (
            create_scorer("a", input=list[str], output=int, expected=str, scale=Scale(1, 5)).generate_score(pure(len)),
            "Scorer('a', list[str] → int, expected str, generate_score, 1..5)",
        ),
        (JudgeRequest("Is it?", "{}", "A", JUDGE, "analyze[0]"), "JudgeRequest('Is it?', 'analyze[0]')"),
        (JudgeRequest("q" * 99, feedback="no"), f"JudgeRequest('{'q' * 59}…', again)"),
        (Exchange(JudgeRequest("Is it?"), JudgeReply(ok("true"))), "Exchange('Is it?' → 'true')"),
        (Exchange(JudgeRequest("Is it?"), JudgeReply(err(EmptyReply()))), "Exchange('Is it?' → EmptyReply)"),
        (Transcript({}), "Transcript(0 replies)"),
        (Bench(), "Bench(keeps 0)"),
        (Bench(budget=Budget(calls=3)), f"Bench(keeps 0, {Budget(calls=3)!r})"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_a_value_shows(value: object, shown: str) -> None:
    """What a person needs to know it by."""
    assert repr(value) == shown


def test_a_transcript_counts_its_replies() -> None:
    """One run's, here."""
    scorer = draft().generate_score(score_prompt(lambda _: "q"))
    done = scorer.run_sync(Run(Change("x"), "y"), answer=answering('{"score": 1}')).unwrap()
    assert repr(transcript_of(done)) == "Transcript(1 reply)"


def test_a_tape_says_its_file(tmp_path: Path) -> None:
    """What it does, where, and how many replies there are."""
    path = tmp_path / "tape.jsonl"
    with recording(path) as tape:
        assert repr(tape) == f"Tape(recording, {str(path)!r}, replies: 0)"


def test_no_key_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge names the variable only."""
    monkeypatch.setenv("A_KEY", "sk-secret")
    assert repr(Judge("openai/gpt-4o", api_key_env="A_KEY")) == "Judge('openai/gpt-4o', api_key_env='A_KEY')"
