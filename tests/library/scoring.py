"""What tests of ready scorers say often."""

from __future__ import annotations

from typing import TypeVar

from scorewright import Evaluation, Run, Scorer

Out = TypeVar("Out")
Ref = TypeVar("Ref")


def judged(scorer: Scorer[str, Out], output: Out, given: str = "") -> Evaluation:
    """What a scorer says of an output, where no reference is needed."""
    return scorer.run_sync(Run(given, output)).unwrap()


def against(scorer: Scorer[str, Out, Ref], output: Out, expected: Ref) -> Evaluation:
    """What a scorer says of an output and a reference."""
    return scorer.run_sync(Run("", output, expected)).unwrap()


def cause(scorer: Scorer[str, Out, Ref], output: Out, expected: Ref) -> object:
    """Why a scorer does not score."""
    return scorer.run_sync(Run("", output, expected)).failure().cause
