"""A path as a judge reads it: one line a step, that nothing in it can leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scorewright.agents import as_json, result_text
from scorewright.library.trajectory.expected import ExpectedStep
from scorewright.library.trajectory.path import PathStep
from scorewright.library.trajectory.values import arguments

LONGEST: Final = 2000  # characters of arguments, and of a result; what is cut is said


def told_step(step: PathStep, /) -> str:
    """A step: its kind, name and arguments, what came of it, and the steps inside it."""
    kind = "" if step.kind == "tool" else f"[{step.kind}] "
    end = {True: f" gave {cut(result_text(step.result))}", False: " failed", None: " did not end"}[step.succeeded]
    inner = f"; inside it: {told_steps(step.steps)}" if step.steps else ""
    return f"{kind}{step.name}({cut(as_json(arguments(step.args)))}){end}{inner}"


def told_steps(steps: Sequence[PathStep | ExpectedStep], /) -> str:
    """Steps in one line."""
    return "; ".join(told_step(step) if isinstance(step, PathStep) else repr(step) for step in steps)


def cut(text: str, /) -> str:
    """The text, or its beginning and how much of it that is."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… (the first {LONGEST} of {len(text)} characters)"
