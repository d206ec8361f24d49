"""Reading a judge's reply."""

from __future__ import annotations

import json

import attrs
import pytest
from library.judged.saying import JUDGE

from scorewright import Run, answering, create_scorer, pure
from scorewright.library.judged.reading import asking
from scorewright.library.judged.similarity import Match
from scorewright.library.judged.template import Template
from scorewright.library.judged.verdicts import Verdicts

PROMPT = Template("t", 1, "{{answer}}")


def read(shape: type[object], reply: object) -> object:
    """What a step that asks for this shape makes of the reply; the name and the reason of the fault, else."""
    draft = create_scorer("s", input=str, output=str, judge=JUDGE)
    scorer = draft.analyze(asking(PROMPT, shape, lambda s: {"answer": s.run.output})).generate_score(pure(lambda _: 1))
    end = scorer.run_sync(Run("q", "a"), answer=answering(reply if isinstance(reply, str) else json.dumps(reply)))
    return end.map(lambda done: done.record("analyze").value).value_or(None) or end.failure().cause


@pytest.mark.parametrize(
    ("word", "meant"),
    [("yes", "yes"), (" YES\n", "yes"), ("Unsure", "unsure"), ("maybe", "other"), ("yes.", "other"), ("", "other")],
)
def test_a_declared_word_counts_in_any_letters(word: str, meant: str) -> None:
    """And any other word is `other`, which earns nothing."""
    said = read(Verdicts, {"verdicts": [{"reason": "r", "verdict": word}]})
    assert isinstance(said, Verdicts)
    assert said.verdicts[0].verdict == meant


@pytest.mark.parametrize(
    "reply",
    [
        {"verdicts": [{"reason": "r", "verdict": "yes"}], "note": "x"},
        {"results": [{"reasoning": "r", "result": "yes"}]},
        {"Verdicts": [{"REASON": "r", "Verdict": "yes", "claim": "c"}]},
        '```json\n{"verdicts": [{"reason": "r", "verdict": "yes"}]}\n```',
    ],
)
def test_keys_are_read_by_what_they_mean(reply: object) -> None:
    """Keys that nobody asked for are left out; other spellings and older names are known."""
    said = read(Verdicts, reply)
    assert isinstance(said, Verdicts)
    assert (said.verdicts[0].reason, said.verdicts[0].verdict) == ("r", "yes")


@pytest.mark.parametrize(
    "reply",
    [
        {"verdicts": [{"verdict": "yes"}]},
        {"verdicts": [{"reason": "r", "verdict": True}]},
        {"verdicts": {"reason": "r", "verdict": "yes"}},
        {"verdicts": [{"reason": 1, "verdict": "yes"}]},
        {"verdicts": [{"reason": "r", "verdict": "yes", "index": "1"}]},
        {},
    ],
)
def test_nothing_is_invented(reply: object) -> None:
    """What is missing or of another type is a fault, which keeps the text that was said."""
    fault = read(Verdicts, reply)
    assert type(fault).__name__ == "SchemaMismatch"
    assert getattr(fault, "text") == json.dumps(reply)  # noqa: B009 - a fault of any kind, seen from outside


@attrs.frozen
class Matches:
    matches: tuple[Match, ...]


def test_a_closed_list_of_words_stays_closed() -> None:
    """Where there is no `other`, another word is a fault."""
    match = {"explanation": "e", "groundTruthUnit": "g", "outputUnit": None, "matchType": "Missing"}
    said = read(Matches, {"matches": [match]})
    assert isinstance(said, Matches)
    assert said.matches[0].match_type == "missing"
    assert type(read(Matches, {"matches": [{**match, "matchType": "weird"}]})).__name__ == "SchemaMismatch"


def test_other_is_never_offered() -> None:
    """The judge is shown yes, no and unsure."""
    draft = create_scorer("s", input=str, output=str, judge=JUDGE)
    step = asking(PROMPT, Verdicts, lambda s: {"answer": s.run.output})
    seen: list[str] = []

    def say(request: object) -> str:
        seen.append(str(getattr(request, "schema", "")))
        return '{"verdicts": []}'

    draft.analyze(step).generate_score(pure(lambda _: 1)).run_sync(Run("q", "a"), answer=answering(say))
    assert '"enum":["yes","no","unsure"]' in seen[0]
    assert "other" not in seen[0]
