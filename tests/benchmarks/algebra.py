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

from scorewright import Run, Scale, create_scorer, pure
from scorewright.algebra import (
    all_of,
    any_of,
    at_least,
    best_of,
    cascade,
    maximum,
    mean,
    minimum,
    repeat,
    route,
    weighted,
)

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


def scorers_of(parts, passing) -> tuple[dict[str, object], dict[str, object], dict[str, object]]:
    """Of eight parts, of eight parts that pass or fail, of one part."""
    one, two = parts[:2]
    several = {
        "weighted": weighted(*((1.0, part) for part in parts)),
        "mean": mean(*parts),
        "minimum": minimum(*parts),
        "maximum": maximum(*parts),
        "repeat": repeat(one, PARTS),
        "repeat, majority": repeat(one, PARTS, reduce="majority"),
        "best_of": best_of(one, PARTS),
    }
    decided = {
        "all_of": all_of(*passing),
        "any_of": any_of(*passing),
        "at_least": at_least(PARTS // 2, *passing),
    }
    single = {
        "map_score": one.map_score(lambda x: x),
        "map_reason": one.map_reason(str.strip),
        "map_fault": one.map_fault(str),
        "passing": one.passing(0.5),
        "rescale": one.rescale(Scale(1, 5)),
        "invert": one.invert(),
        "contramap_input": one.contramap_input(str, lambda x: x),
        "contramap_output": one.contramap_output(str, lambda x: x),
        "when": one.when(lambda _: True),
        "or_else": one.or_else(two),
        "cascade": cascade(one, two, doubt=(0.5, 0.6)),
        "route": route(lambda _: "one", {"one": one}),
    }
    return several, decided, single


def main(scale: float) -> None:
    parts = [plain(f"s{at}") for at in range(PARTS)]
    passing = [part.passing(0) for part in parts]
    several, decided, single = scorers_of(parts, passing)
    outputs = Run("question", ("answer",) * PARTS)

    def by_hand() -> float:
        return sum([part.run_sync(RUN).unwrap().score for part in parts]) / PARTS

    def by_hand_passing() -> bool:
        return all(part.run_sync(RUN).unwrap().score == 1.0 for part in passing)

    sides: dict[str, Callable[[], object]] = {
        "by hand": by_hand,
        "by hand, passing": by_hand_passing,
        "one": lambda: parts[0].run_sync(RUN),
        **{
            name: (lambda scorer=scorer, run=outputs if name == "best_of" else RUN: scorer.run_sync(run))
            for name, scorer in {**several, **decided, **single}.items()
        },
    }
    took = measured(sides, max(1, round(150 * scale)))
    print(f"{'weighted of 8 / by hand':<28}{took['weighted'] / took['by hand']:>6.2f}   goal {GOAL_RATIO}")
    for names, base in ((several, "by hand"), (decided, "by hand, passing")):
        for name in names:
            told = " and its own arithmetic" if name in {"repeat, majority", "best_of"} else ""
            print(f"{name + ', µs a part':<28}{(took[name] - took[base]) / PARTS:>6.2f}   goal {GOAL_PART}{told}")
    for name in single:
        print(f"{name + ', µs':<28}{took[name] - took['one']:>6.2f}   goal {GOAL_PART} and its own arithmetic")


if __name__ == "__main__":
    main(float(sys.argv[2]) if sys.argv[1:2] == ["--scale"] else 1.0)
