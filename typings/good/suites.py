"""Suites: scorers of whatever types beside each other, alone and with their thresholds."""

from __future__ import annotations

from typing_extensions import assert_type

from scorewright import create_scorer, pure
from scorewright.suites import (
    ItemRecord,
    Row,
    Steps,
    Suite,
    Summary,
    Verdict,
    at_least,
    evaluate,
    evaluate_sync,
    pass_rate,
)

short = create_scorer("short", input=str, output=str).generate_score(pure(lambda step: len(step.run.output) < 40))
exact = create_scorer("exact", input=str, output=str, expected=str).generate_score(
    pure(lambda step: step.run.output == step.run.expected)
)
counted = create_scorer("counted", input=int, output=list[int], expected=dict[str, int]).generate_score(
    pure(lambda step: len(step.run.output) / step.run.expected["n"])
)

suite = Suite(
    (short, ">= 0.8"),
    (exact, at_least(0.5)),
    (counted, 0.5),
    short.named("other"),
    thresholds={"other": pass_rate(0.9, passing=0.5)},
    gates=["short"],
    steps={"draft": [short, counted]},
    turns=[exact],
)
assert_type(Suite(short, counted), Suite)
assert_type(Suite(short, gates={"short": None}).held_to({"short": 0.5}), Suite)


async def answer(question: str) -> list[int]:
    return [len(question)]


def workflow(row: Row) -> Steps:
    return Steps("done", {"draft": row.input})


async def awaited() -> None:
    summary = await evaluate(suite, "rows.jsonl", target=answer, on_item=lambda item: print(item.evaluations))
    assert_type(summary, Summary)
    assert_type(summary.verdict, Verdict)


items: list[ItemRecord] = []
done = evaluate_sync(suite, [{"input": "a"}, {"input": "b"}], target=workflow, on_item=items.append)
assert_type(done["short"].mean.value, float | None)
assert_type(done["short"].mean.coverage.n_failed, int)
assert_type(items[0].not_scorable["short"], str)
