"""Variance: a scorer of wider runs serves narrower ones, and its faults may be forgotten."""

from __future__ import annotations

from typing import Never

import attrs
from scorewright import Evaluation, JudgeFault, Run, ScoredStep, Scorer, ScoringFailure, Step, ok
from scorewright.core import Ask, Evidence, Fork, Outcome


@attrs.frozen
class Animal:
    name: str


@attrs.frozen
class Cat(Animal):
    lives: int = 9


@attrs.frozen
class Empty:
    field: str


def narrower_run(scorer: Scorer[Animal, Animal, object, Never], run: Run[Cat, Cat, None]) -> None:
    of_cats: Scorer[Cat, Cat, object, Never] = scorer
    scorer.run_sync(run)
    of_cats.run_sync(run)


def narrower_output(scorer: Scorer[object, int | str, object, Empty]) -> Scorer[str, int, object, Empty]:
    return scorer


def wanted_reference(scorer: Scorer[str, str, object, Empty]) -> Scorer[str, str, list[str], Empty]:
    return scorer


def optional_reference(scorer: Scorer[str, str, str | None, Empty]) -> Scorer[str, str, str, Empty]:
    return scorer


def more_faults(scorer: Scorer[str, str, object, Empty]) -> Scorer[str, str, object, Empty | JudgeFault]:
    return scorer


def no_faults(scorer: Scorer[str, str, object, Never]) -> Scorer[str, str, object, Empty]:
    return scorer


def forgotten_faults(scorer: Scorer[str, str, object, Empty]) -> Scorer[str, str]:
    return scorer


def listed(
    one: Scorer[str, str, object, Empty], two: Scorer[object, str, object, JudgeFault]
) -> list[Scorer[str, str]]:
    return [one, two]


def paired(one: Scorer[str, str, list[str], Empty], two: Scorer[str, str]) -> None:
    def each(*scorers: Scorer[str, str, list[str]]) -> int:
        return len(scorers)

    each(one, two)


def wider_runs(run: Run[Cat, bool, None]) -> Run[Animal, int, object]:
    return run


def wider_steps(step: Step[Cat, Cat, list[str], bool, None]) -> Step[Animal, object, list[str], int]:
    return step


def wider_scored(step: ScoredStep[Cat, Cat, list[str], bool, None]) -> ScoredStep[Animal, object, object, int]:
    return step


def wider_programs(ask: Ask[Cat, Empty], fork: Fork[Cat, Empty]) -> list[Outcome[Animal, Empty | JudgeFault]]:
    return [ask, fork, ok(Cat("Tom"))]


def wider_failure(failure: ScoringFailure[Empty]) -> ScoringFailure[Empty | JudgeFault]:
    return failure


def evidence(done: Evaluation, failure: ScoringFailure[Empty]) -> list[Evidence]:
    return [done, failure]
