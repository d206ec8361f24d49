"""Misuses of suites."""

from __future__ import annotations

from scorewright import create_scorer, pure
from scorewright.suites import ItemRecord, Suite, evaluate_sync

short = create_scorer("short", input=str, output=str).generate_score(pure(lambda step: len(step.run.output) < 40))
half = create_scorer("half", input=str, output=str)

Suite([short])  # E: a list is given as Suite(*listed)
Suite(half)  # E: not a scorer yet
Suite((short, [0.5]))  # E: not a threshold
Suite(short, steps={"draft": short})  # E: a step has several scorers

summary = evaluate_sync(Suite(short), [{"input": "q", "output": "a"}])
print(summary["short"].mean + 1)  # E: a mean is no number without its coverage


def on_item(item: ItemRecord) -> None:
    print(item.evaluations["short"].score.upper())  # E: a score is a number


evaluate_sync(Suite(short), "rows.jsonl", on_item=print, concurrency="many")  # E: a number of items
