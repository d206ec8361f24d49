"""A scorer as text that people read: what it is made of, who is asked, which scores it gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Protocol, cast, runtime_checkable

from scorewright.core.about import About
from scorewright.core.ask import Answerer
from scorewright.core.definition import no_scorer
from scorewright.core.mapping import Admitting, Contramapped, Mapped
from scorewright.core.parts import labels_of
from scorewright.core.step import StepInfo
from scorewright.faults import DefinitionError


class Around(Protocol):
    """What was put around the program of a scorer."""

    @property
    def told(self) -> str:
        """What it is to a reader of the scorer."""
        ...


@runtime_checkable
class Described(Protocol):
    """What of a scorer can be told: every `Scorer` is one."""

    @property
    def about(self) -> About:
        """Name, types, judge and scale."""
        ...

    @property
    def steps(self) -> tuple[StepInfo, ...]:
        """Its steps, in order."""
        ...

    @property
    def parts(self) -> tuple[Described, ...]:
        """The scorers that it is made of."""
        ...


def describe(scorer: Described, /) -> str:
    """The tree of a scorer: its parts and steps, a line each, with judges, scales and what each was made with.

    >>> from scorewright import create_scorer, pure
    >>> short = create_scorer("short", input=str, output=str).generate_score(pure(lambda s: len(s.run.output) < 20))
    >>> print(describe(short.or_else(short.named("again"))))
    short or else again (0..1, higher is better)
    ├── short (0..1, higher is better)
    │   └── generate_score: pure
    └── again (0..1, higher is better)
        └── generate_score: pure
    """
    if not _is_described(scorer):
        raise DefinitionError(no_scorer(scorer, "describe"))
    return "\n".join(_lines(scorer, scorer.about.id))


def as_html(scorer: Described, /) -> str:
    """The same for a notebook."""
    return f"<pre>{escape(describe(scorer))}</pre>"


def _lines(scorer: Described, label: str, beside: str = "") -> Iterator[str]:
    yield f"{_heading(scorer, label)}{beside}"
    below = list(_below(scorer))
    for at, lines in enumerate(below):
        last = at == len(below) - 1
        for row, line in enumerate(lines):
            yield f"{('└── ' if last else '├── ') if not row else ('    ' if last else '│   ')}{line}"


def _below(scorer: Described) -> Iterator[Sequence[str]]:
    parts = dict(zip(labels_of(tuple(part.about.id for part in scorer.parts)), scorer.parts, strict=True))
    for step in scorer.steps:
        part = parts.pop(step.name, None)
        yield tuple(_lines(part, step.name, _beside(step, part))) if part else (_step(step),)
    for label, part in parts.items():
        yield tuple(_lines(part, f"of {label}"))


def _is_described(given: object) -> bool:
    return isinstance(given, Described)


def _beside(step: StepInfo, part: Described) -> str:
    """What the whole says of a part, where that is not what the part says of itself."""
    return "" if step.description in {"", part.about.description} else f", {_line(step.description)}"


def _adapted(scorer: Described) -> Iterator[str]:
    """What was put around a scorer without a step of its own, the last first."""
    program = _owner(scorer)
    while isinstance(program, (Admitting, Contramapped, Mapped)):
        around = cast("Around", program)
        if around.told:
            yield around.told
        program = _owner(around)


def _owner(given: object) -> object:
    """The value whose method the program of a scorer, or of what was put around one, is; None of a function."""
    program: object = getattr(given, "program", None)
    return getattr(program, "__self__", None)


def _heading(scorer: Described, label: str) -> str:
    about = scorer.about
    judge = f", asks {_judge(about.judge)}" if about.judge else ""
    said = f": {_line(about.description)}" if about.description else ""
    adapted = "".join(f", {_line(each)}" for each in _adapted(scorer))
    return f"{label} ({about.scale.low:g}..{about.scale.high:g}, {about.better} is better{judge}{adapted}){said}"


def _step(step: StepInfo) -> str:
    judge = f", asks {_judge(step.judge)}" if step.judge else ""
    said = f" ({_line(step.description)})" if step.description else ""
    return f"{step.name}: {step.kind}{judge}{said}"


def _judge(judge: Answerer) -> str:
    return judge.identity.partition(" ")[0] or type(judge).__name__


def _line(text: str) -> str:
    return " ".join(text.split())
