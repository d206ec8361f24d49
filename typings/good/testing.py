"""Evaluations as tests: a marked test is what it was, and a case has the types that its test says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from typing_extensions import assert_type

from scorewright import create_scorer, pure
from scorewright.suites import ItemRecord, Row, Suite, at_least, pass_rate
from scorewright.testing import Case, Score, evaluated

short = create_scorer("short", input=str, output=str).generate_score(pure(lambda step: len(step.run.output) < 40))
counted = create_scorer("counted", input=int, output=list[int], expected=dict[str, int]).generate_score(
    pure(lambda step: len(step.run.output) / step.run.expected["n"])
)


@evaluated("cases.jsonl", (short, ">= 0.7"), counted, gates=["counted"], thresholds={"counted": pass_rate(0.9)})
def test_plain(case: Case[str, int], score: Score) -> None:
    assert_type(case.input, str)
    assert_type(case.expected, int)
    assert_type(case.row, Row)
    assert_type(score(case.input), ItemRecord)
    assert_type(score(), ItemRecord)
    assert_type(score.call(len), ItemRecord)


@evaluated(Path("cases.csv"), Suite((short, at_least(0.5))), transcript="replies.jsonl", repeat=3)
async def test_async(case: Case[list[str]], score: Score, tmp_path: Path) -> None:
    assert_type(case.input, list[str])
    assert_type(case.expected, object)
    assert_type(await score.run(case.id), ItemRecord)


@evaluated([{"input": "q", "output": "a"}], short, counted.named("other"), name="two", timeout=3.0)
class TestBot:
    def test_bot(self, case: Case, score: Score) -> int:
        assert_type(case.input, object)
        return len(score().scores)


def plain(case: Case[str, int], score: Score) -> None: ...


as_it_was: Callable[[Case[str, int], Score], None] = test_plain
awaited: Callable[[Case[list[str]], Score, Path], Awaitable[None]] = test_async
marked: Callable[[Case[str, int], Score], None] = evaluated("cases.jsonl", short)(plain)
of_a_class: Callable[[Case, Score], int] = TestBot().test_bot
pytestmark = evaluated("cases.jsonl", short)
wider: Case[object, object] = Case("id", "question", 1, Row("id", "question"))
