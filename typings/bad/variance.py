"""Variance the wrong way round."""

from __future__ import annotations

import attrs
from scorewright import JudgeFault, Run, Scorer, ScoringFailure, Step
from scorewright.core import Ask, Fork, Outcome


@attrs.frozen
class Animal:
    name: str


@attrs.frozen
class Cat(Animal):
    lives: int = 9


@attrs.frozen
class Empty:
    field: str


def wider_input(scorer: Scorer[Cat, str]) -> Scorer[Animal, str]:
    return scorer  # E: a scorer of cats for all animals


def wider_output(scorer: Scorer[str, Cat]) -> Scorer[str, Animal]:
    return scorer  # E: a scorer of cats for all animals


def wider_union(scorer: Scorer[str, int]) -> Scorer[str, int | str]:
    return scorer  # E: a scorer of numbers for texts too


def other_reference(scorer: Scorer[str, str, list[str]]) -> Scorer[str, str, str]:
    return scorer  # E: another reference


def no_reference(scorer: Scorer[str, str, list[str]]) -> Scorer[str, str]:
    return scorer  # E: the reference is forgotten


def maybe_reference(scorer: Scorer[str, str, str]) -> Scorer[str, str, str | None]:
    return scorer  # E: the reference may be missing


def dropped_fault(scorer: Scorer[str, str, object, Empty | JudgeFault]) -> Scorer[str, str, object, Empty]:
    return scorer  # E: dropped error type


def unknown_fault(scorer: Scorer[str, str]) -> Scorer[str, str, object, Empty]:
    return scorer  # E: any error type for one


def listed(one: Scorer[Cat, str], two: Scorer[Animal, str]) -> list[Scorer[Animal, str]]:
    return [two, one]  # E: a scorer of cats among those of animals


def narrower_run(run: Run[Animal, str, None]) -> Run[Cat, str, None]:
    return run  # E: an animal is not always a cat


def narrower_reference(run: Run[str, str, None]) -> Run[str, str, str]:
    return run  # E: missing reference


def narrower_step(step: Step[str, str, Animal, None]) -> Step[str, str, Cat, None]:
    return step  # E: an animal is not always a cat


def narrower_failure(failure: ScoringFailure[Empty | JudgeFault]) -> ScoringFailure[Empty]:
    return failure  # E: dropped error type


def narrower_ask(ask: Ask[Animal, Empty]) -> Ask[Cat, Empty]:
    return ask  # E: an animal is not always a cat


def narrower_fork(fork: Fork[Cat, Empty | JudgeFault]) -> Outcome[Cat, Empty]:
    return fork  # E: dropped error type


def scored(cats: Scorer[Cat, Cat], run: Run[Animal, Cat, None]) -> None:
    cats.run_sync(run)  # E: an animal is not always a cat
