"""Misuses of evaluations as tests."""

from __future__ import annotations

from scorewright import create_scorer, pure
from scorewright.suites import Suite
from scorewright.testing import Case, Score, evaluated

short = create_scorer("short", input=str, output=str).generate_score(pure(lambda step: len(step.run.output) < 40))
half = create_scorer("half", input=str, output=str)

evaluated("cases.jsonl", [short])  # E: a list is given as evaluated(rows, *listed)
evaluated("cases.jsonl", half)  # E: not a scorer yet
evaluated("cases.jsonl", (short, [0.5]))  # E: not a threshold
evaluated(3, short)  # E: not rows
evaluated("cases.jsonl", Suite(short), gates=["short"])  # E: a suite holds its own gates
evaluated("cases.jsonl", short, repeat="often")  # E: a number
evaluated("cases.jsonl", short)("test")  # E: not a test


@evaluated("cases.jsonl", short)
def test_bot(case: Case[str], score: Score) -> None:
    print(case.input + 1)  # E: a text
    print(case.expected.upper())  # E: nothing says what is expected
    print(score(case.input).evaluations["short"].score.upper())  # E: a score is a number


async def test_async(score: Score) -> None:
    print(score.run("said").scores)  # E: not awaited


test_bot("case", "score")  # E: a marked test is called with what it takes
