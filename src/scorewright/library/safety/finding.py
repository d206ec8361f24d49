"""What was found in an output that should not be there; what it says stays out of reasons."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Never, TypeAlias

import attrs

from scorewright.core import Scorer, Step, Verdict, create_scorer, pure

MOST_TOLD = 5

SafetyCheck: TypeAlias = Scorer[object, str, object, Never]


@attrs.frozen
class Finding:
    """A kind, and the line that it stands on, from 1. Not the text: a reason must not repeat a secret."""

    kind: str
    line: int

    def __str__(self) -> str:
        return f"{self.kind} on line {self.line}"


def safety_check(id: str, description: str, find: Callable[[str], Sequence[Finding]], clean: str, /) -> SafetyCheck:
    """A scorer that is 1 where nothing is found and 0 where anything is."""

    def findings(step: Step[object, str, None, None]) -> tuple[Finding, ...]:
        return tuple(dict.fromkeys(find(step.run.output)))

    def judged(step: Step[object, str, tuple[Finding, ...], None]) -> Verdict:
        more = f" and {len(step.pre) - MOST_TOLD} more" if len(step.pre) > MOST_TOLD else ""
        return Verdict(not step.pre, ", ".join(map(str, step.pre[:MOST_TOLD])) + more if step.pre else clean)

    return (
        create_scorer(id, input=object, output=str, description=description)
        .preprocess(pure(findings))
        .generate_verdict(pure(judged))
    )


def located(text: str, found: Iterable[tuple[str, int]], /) -> list[Finding]:
    """Findings out of kinds and places."""
    breaks = [at for at, letter in enumerate(text) if letter == "\n"]
    return [Finding(kind, bisect_left(breaks, at) + 1) for kind, at in found]
