"""Evaluates rows against a judge, as a process of its own: it may be killed at any moment, and started again."""

from __future__ import annotations

import sys

from scorewright import Judge, create_scorer, prompt, pure
from scorewright.suites import Suite, evaluate_sync


def main(store: str, base_url: str, rows: int) -> int:
    """Evaluate so many rows into the store; 0 where every one has its score."""
    polite = (
        create_scorer("polite", input=str, output=str, judge=Judge("openai/m", base_url=base_url))
        .analyze(prompt(bool, lambda s: f"Is {s.run.output} polite?"))
        .generate_score(pure(lambda s: float(s.ana)))
    )
    given = ({"id": f"r{at}", "input": "hello", "output": f"answer {at}"} for at in range(rows))
    summary = evaluate_sync(Suite(polite), given, store=store, concurrency=32)
    return 0 if summary["polite"].mean.coverage.n_scored == rows else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
