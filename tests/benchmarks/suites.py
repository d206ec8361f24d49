"""Suites, as ratios: `python tests/benchmarks/suites.py [--rows N] [--calls N] [--rounds N] [--only WORD] [--json]`.

plain rows   read from a file, scored by a scorer of four steps, stored; against `Dataset.evaluate` of pydantic-evals,
             whose cases are in memory already and are stored nowhere, with the same work in one evaluator
judge-bound  rows that ask a judge over HTTP, with the journal on; against the judge layer asked directly. Both are
             warm: what is loaded at the first call is not counted. The client's CPU time a call is shown beside

Each side is a process of its own, they take turns, and the median of the rounds is shown; `--only judge` leaves out
the sides without that word.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

HERE = Path(__file__).parent
SRC = HERE.parent.parent / "src"
TOGETHER = 64  # questions that are asked at once
WARM = 256  # questions before those that count


def rows_file(folder: Path, n: int) -> Path:
    """So many rows."""
    path = folder / f"{n}.jsonl"
    with path.open("w") as file:
        for at in range(n):
            file.write(
                json.dumps({"id": f"r{at}", "input": f"question {at}", "output": "good word " * (at % 7)}) + "\n"
            )
    return path


def stored_rows(n: int, folder: Path) -> float:
    """Rows a second, from the file to the store."""
    from scorewright import create_scorer, pure
    from scorewright.suites import Suite, evaluate

    scorer = (
        create_scorer("good", input=str, output=str)
        .preprocess(pure(lambda s: s.run.output.split()))
        .analyze(pure(lambda s: s.pre.count("good")))
        .generate_score(pure(lambda s: s.ana / len(s.pre) if s.pre else 0.0))
        .generate_reason(pure(lambda s: f"{s.ana} of {len(s.pre)}"))
    )
    path = rows_file(folder, n)
    began = perf_counter()
    summary = asyncio.run(evaluate(Suite(scorer), path, store=folder / "runs.db"))
    took = perf_counter() - began
    assert summary["good"].mean.coverage.n_scored == n
    return n / took


def unstored_rows(n: int, folder: Path) -> float:
    """The same without a store."""
    from scorewright import create_scorer, pure
    from scorewright.suites import Suite, evaluate

    scorer = (
        create_scorer("good", input=str, output=str)
        .preprocess(pure(lambda s: s.run.output.split()))
        .analyze(pure(lambda s: s.pre.count("good")))
        .generate_score(pure(lambda s: s.ana / len(s.pre) if s.pre else 0.0))
        .generate_reason(pure(lambda s: f"{s.ana} of {len(s.pre)}"))
    )
    path = rows_file(folder, n)
    began = perf_counter()
    asyncio.run(evaluate(Suite(scorer), path))
    return n / (perf_counter() - began)


def pydantic_rows(n: int, folder: Path) -> float:
    """Cases a second of pydantic-evals."""
    from dataclasses import dataclass

    from pydantic_evals import Case, Dataset
    from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

    @dataclass
    class Good(Evaluator[str, str, None]):
        def evaluate(self, ctx: EvaluatorContext[str, str, None]) -> EvaluationReason:
            words = ctx.output.split()
            good = words.count("good")
            return EvaluationReason(good / len(words) if words else 0.0, f"{good} of {len(words)}")

    given = [json.loads(line) for line in rows_file(folder, n).open()]
    outputs = {row["input"]: row["output"] for row in given}
    cases = [Case[str, str, None](name=row["id"], inputs=row["input"]) for row in given]
    dataset = Dataset[str, str, None](name="rows", cases=cases, evaluators=[Good()])

    async def output(question: str) -> str:
        return outputs[question]

    began = perf_counter()
    dataset.evaluate_sync(output, progress=False)
    return n / (perf_counter() - began)


def _judged():
    from scorewright import Judge, create_scorer
    from scorewright.core import verdict_prompt

    judge = Judge("fake", base_url=os.environ["JUDGE"])
    return create_scorer("judged", input=str, output=str, judge=judge).generate_verdict(
        verdict_prompt(lambda step: f"How good is {step.run.output}?")
    )


def judge_layer(n: int, folder: Path) -> float:
    """Questions a second, asked by so many workers through one bench."""
    from scorewright import Run
    from scorewright.core import Bench

    scorer = _judged()

    async def told() -> float:
        numbers = iter(range(n))
        async with Bench() as bench:

            async def worker() -> None:
                for at in numbers:
                    (await scorer.run(Run("q", f"output {at}"), answer=bench.answer)).unwrap()

            began = perf_counter()
            await asyncio.gather(*(worker() for _ in range(TOGETHER)))
            return n / (perf_counter() - began)

    return asyncio.run(told())


def judged_rows(n: int, folder: Path) -> float:
    """The same as rows of a suite, every reply and every score in the store."""
    from scorewright.suites import Suite, evaluate

    rows = [{"id": str(at), "input": "q", "output": f"output {at}"} for at in range(n)]
    began = perf_counter()
    summary = asyncio.run(evaluate(Suite(_judged()), rows, store=folder / "runs.db", concurrency=TOGETHER))
    took = perf_counter() - began
    assert summary["judged"].mean.coverage.n_scored == n
    return n / took


SIDES: Mapping[str, Callable[[int, Path], float]] = {
    "stored": stored_rows,
    "not stored": unstored_rows,
    "pydantic-evals": pydantic_rows,
    "judge layer": judge_layer,
    "judged and stored": judged_rows,
}


def told_of(side: str, n: int, folder: Path) -> tuple[float, float]:
    """How many a second, and the CPU microseconds of each."""
    work = SIDES[side]
    if "judge" in side:
        with tempfile.TemporaryDirectory() as other:
            work(WARM, Path(other))
    began = process_time()
    rate = work(n, folder)
    return rate, (process_time() - began) / n * 1e6


def measured(side: str, n: int, **more: str) -> tuple[float, float]:
    """One side in a process of its own: how many a second, and the CPU microseconds of each."""
    env = os.environ | {"PYTHONPATH": str(SRC)} | more
    done = subprocess.run(
        [sys.executable, __file__, "--side", side, "--rows", str(n)],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    rate, cpu = json.loads(done.stdout)
    return rate, cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--calls", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--side")
    given = parser.parse_args()
    if given.side:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(told_of(given.side, given.rows, Path(folder))))
        return
    sides: dict[str, list[tuple[float, float]]] = {side: [] for side in SIDES if given.only in side}
    with subprocess.Popen(
        [sys.executable, str(HERE / "judges.py"), "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        for _ in range(given.rounds):
            for side, held in sides.items():
                n = given.calls if "judge" in side else given.rows
                held.append(measured(side, n, JUDGE=url))
        server.communicate()
    told = {f"{side}, a second": median(rate for rate, _ in held) for side, held in sides.items()}
    told |= {f"{side}, CPU us": median(cpu for _, cpu in held) for side, held in sides.items()}
    for one, other in (("stored", "pydantic-evals"), ("judged and stored", "judge layer")):
        if one in sides and other in sides:  # in each round by itself: what else the machine does weighs on both
            told[f"{one} / {other}"] = median(
                mine / its for (mine, _), (its, _) in zip(sides[one], sides[other], strict=True)
            )
    if given.json:
        print(json.dumps(told))
        return
    for name, value in told.items():
        print(f"{name:<40}{value:>12,.2f}")


if __name__ == "__main__":
    main()
