"""One scorer with one prompt, asked in either mode; what the server saw is what the tests count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal, TypeAlias

import attrs
from fakes.openai_server import FakeOpenAI
from returns.pipeline import is_successful
from returns.result import Result

from scorewright import Bench, Evaluation, Run, ScoringFailure, create_scorer, score_prompt
from scorewright.core.scorer import Scorer
from scorewright.judges import ErrorRetryProcessor, Judge

Mode: TypeAlias = Literal["sync", "async"]
Came: TypeAlias = Result[Evaluation, ScoringFailure[object]]

MODES: tuple[Mode, ...] = ("sync", "async")
GOOD = '{"score": 0.5}'
AT_ONCE = ErrorRetryProcessor(delay=0)  # the default, without its waits


def judge_at(server: FakeOpenAI, **more: object) -> Judge:
    """A judge that asks this server; errors are retried as by default, but at once."""
    given = {"model": "m", "base_url": server.base_url, "error_processors": [AT_ONCE], **more}
    return Judge(**given)  # type: ignore[arg-type]  # each test gives what Judge takes


def scorer(judge: Judge | None = None, said: Callable[[str], str] = str) -> Scorer[str, str, object, object]:
    """Asks for one number; the prompt is made from the output."""
    made = create_scorer("judged", input=str, output=str) if judge is None else _draft(judge)
    return made.generate_score(score_prompt(lambda step: said(step.run.output)))


def _draft(judge: Judge):
    return create_scorer("judged", input=str, output=str, judge=judge)


def came(mode: Mode, asked: Scorer[str, str, object, object], output: str = "what was said") -> Came:
    """What one run comes to."""
    run = Run("what was asked", output)
    return asked.run_sync(run) if mode == "sync" else asyncio.run(asked.run(run))


def ask(server: FakeOpenAI, mode: Mode = "sync", **more: object) -> Came:
    """One question to the server."""
    return came(mode, scorer(judge_at(server, **more)))


def fault_of(result: Came) -> object:
    """Why the run failed."""
    return result.failure().cause


def faults(result: Came) -> list[str]:
    """The faults of all attempts by name, "ok" for what was answered."""
    evidence = result.unwrap() if is_successful(result) else result.failure()
    attempts = [attempt for exchange in evidence.exchanges for attempt in exchange.reply.attempts]
    return [type(attempt.fault).__name__ if attempt.fault else "ok" for attempt in attempts]


async def gathered(asked: Scorer[str, str, object, object], times: int, bench: Bench) -> list[Came]:
    """The same scorer on so many runs at once, on one bench."""
    runs = [Run("what was asked", f"answer {number}") for number in range(times)]
    return list(await asyncio.gather(*(asked.run(run, answer=bench.answer) for run in runs)))


def together(asked: Scorer[str, str, object, object], times: int, bench: Bench | None = None) -> list[Came]:
    """As `gathered`, on a loop of its own."""

    async def all_of_them() -> list[Came]:
        async with bench or Bench() as open_bench:
            return await gathered(asked, times, open_bench)

    return asyncio.run(all_of_them())


def with_instructions(judge: Judge, instructions: str) -> Judge:
    """The same judge, told something first."""
    return attrs.evolve(judge, instructions=instructions)
