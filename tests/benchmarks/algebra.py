"""What combinators cost, as ratios and as µs a part: `python tests/benchmarks/algebra.py [--scale F]`.

All sides run in one process and take turns; each number is the CPU time of the fastest of many small batches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import repeat as times
from pathlib import Path
from time import process_time_ns

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "src"))

from scorewright import Run, create_scorer, pure
from scorewright.algebra import all_of, mean, repeat, weighted

RUN = Run("question", "answer")
PARTS = 8
GOAL_RATIO, GOAL_PART = 1.3, 2.0


def plain(id: str):
    return create_scorer(id, input=str, output=str).generate_score(pure(lambda s: len(s.run.output) / 100))


def measured(sides: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """µs a call."""
    best = dict.fromkeys(sides, float("inf"))
    for _ in range(rounds):
        for name, side in sides.items():
            began = process_time_ns()
            for _ in times(None, 200):
                side()
            best[name] = min(best[name], (process_time_ns() - began) / 200 / 1000)
    return best


def main(scale: float) -> None:
    parts = [plain(f"s{at}") for at in range(PARTS)]
    passing = [part.passing(0) for part in parts]
    one, two = parts[:2]
    even = weighted(*((1.0, part) for part in parts))
    scorers = {
        "one": one,
        "one, passing": passing[0],
        "map_score": one.map_score(lambda x: x),
        "contramap_input": one.contramap_input(str, lambda x: x),
        "when": one.when(lambda _: True),
        "or_else": one.or_else(two),
        "weighted": even,
        "mean": mean(*parts),
        "all_of": all_of(*passing),
        "repeat": repeat(one, PARTS),
    }

    def by_hand() -> float:
        return sum([part.run_sync(RUN).unwrap().score for part in parts]) / PARTS

    def by_hand_passing() -> bool:
        return all(part.run_sync(RUN).unwrap().score == 1.0 for part in passing)

    sides: dict[str, Callable[[], object]] = {
        "by hand": by_hand,
        "by hand, passing": by_hand_passing,
        **{name: (lambda scorer=scorer: scorer.run_sync(RUN)) for name, scorer in scorers.items()},
    }
    took = measured(sides, max(1, round(150 * scale)))
    print(f"{'weighted of 8 / by hand':<28}{took['weighted'] / took['by hand']:>6.2f}   goal {GOAL_RATIO}")
    for name in ("weighted", "mean", "all_of", "repeat"):
        base = took["by hand, passing" if name == "all_of" else "by hand"]
        print(f"{name + ', µs a part':<28}{(took[name] - base) / PARTS:>6.2f}   goal {GOAL_PART}")
    for name in ("map_score", "contramap_input", "when", "or_else"):
        print(f"{name + ', µs':<28}{took[name] - took['one']:>6.2f}   goal {GOAL_PART} and its own arithmetic")


if __name__ == "__main__":
    main(float(sys.argv[2]) if sys.argv[1:2] == ["--scale"] else 1.0)
