"""The page of laws, out of the statements: `python tests/laws/page.py` writes docs/laws.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from scorewright.laws import (
    COMBINATOR_LAWS,
    EVERY_COMBINATOR,
    MAPPING_LAWS,
    PIPELINE_LAWS,
    PROGRAM_LAWS,
    PROMISES,
    VALUE_LAWS,
    scorer_laws,
)
from scorewright.laws.refuted import REFUTED

PAGE = Path(__file__).parents[2] / "docs" / "laws.md"
HEAD = """\
# Laws

What holds of scorers and of what makes them, as statements that run. This page is made of them: a law is a function of
`scorewright.laws` that gives two sides, and its sentence here is its docstring. The tests try each on many generated
cases, and show for each an implementation that it catches.

A scorer of your own is held to the laws of scorers, and a function that makes one out of two to those of combinators,
with `pip install 'scorewright[laws]'`:

```python
from scorewright import create_scorer, pure
from scorewright.algebra import minimum
from scorewright.laws import check_combinator_laws, check_scorer
from scorewright.laws.promises import associative, commutative, idempotent
from scorewright.laws.strategies import text_runs

short = create_scorer("short", input=str, output=str).generate_score(pure(lambda s: len(s.run.output) < 20))
check_scorer(short, runs=text_runs())
check_combinator_laws(minimum, commutative, associative, idempotent)
```

A law that does not hold raises `LawBroken`, with the smallest case on which its sides differ. The strategies are in
`scorewright.laws.strategies` (runs, scorers, what judges reply) and, of agents, in `scorewright.laws.agents`.
"""
PARTS: tuple[tuple[str, str, Iterable[Callable[..., object]]], ...] = (
    (
        "Scorers",
        "Of every scorer whose steps are functions of what they see; `check_scorer` tries them.",
        scorer_laws(),
    ),
    ("The four steps", "Of pipelines that differ in one step.", PIPELINE_LAWS),
    ("Mappings", "Of the methods that change one scorer, and of its fallback.", MAPPING_LAWS),
    ("Combinators", "Of the functions of `scorewright.algebra`.", COMBINATOR_LAWS),
    ("Every combinator", "Of whatever makes one scorer out of two.", EVERY_COMBINATOR),
    ("Promises", "Of those combinators that promise them: name them to `check_combinator_laws`.", PROMISES),
    ("Programs", "Of what steps are made of.", PROGRAM_LAWS),
    ("Values", "Of lifted functions, scales and judges.", VALUE_LAWS),
)


def rendered() -> str:
    """The whole page."""
    parts = [f"## {name}\n\n{said}\n\n{listed(laws)}\n" for name, said, laws in PARTS]
    return "\n".join((HEAD, *parts, refuted()))


def listed(laws: Iterable[Callable[..., object]]) -> str:
    return "\n".join(f"- `{law.__name__}`: {(law.__doc__ or '').strip()}" for law in laws)


def refuted() -> str:
    rows = []
    for claim in REFUTED:
        sides = claim()
        rows.append(f"| {(claim.__doc__ or '').strip()} | {sides.given} | {sides.left} | {sides.right} |")
    head = "| looks like a law, and is none | case | left | right |\n|---|---|---|---|"
    return "\n".join(("## What does not hold\n\nEach with a case on which the sides differ.\n", head, *rows, ""))


if __name__ == "__main__":
    PAGE.write_text(rendered())
