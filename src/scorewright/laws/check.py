"""The Hypothesis runner: holds implementations to laws (extra `[laws]`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from typing_extensions import TypeVar

from scorewright.core import Run, Scorer
from scorewright.laws.pipelines import Interpreters, scorer_laws
from scorewright.laws.promises import EVERY_COMBINATOR, CombinatorCase, Combine
from scorewright.laws.statement import Law, hold

if TYPE_CHECKING:
    from hypothesis import settings
    from hypothesis.strategies import SearchStrategy

    from scorewright.laws.script import Script

I = TypeVar("I")  # noqa: E741  # the implementation that a law holds to account
C = TypeVar("C")
In = TypeVar("In")
Out = TypeVar("Out")
Ref = TypeVar("Ref")
E = TypeVar("E")


def check_law(law: Law[I, C], implementation: I, cases: SearchStrategy[C], /, *, under: settings | None = None) -> None:
    """Try a law on many cases; `LawBroken` shows the smallest one on which its sides differ.

    How hard it tries is a matter of Hypothesis settings: those of the loaded profile, without a deadline, unless given.
    """
    import hypothesis

    @hypothesis.given(cases)
    def holds(case: C) -> None:
        hold(law, implementation, case)

    hypothesis.settings(under, deadline=None)(holds)()


def check_laws(
    laws: Iterable[Law[I, C]], implementation: I, cases: SearchStrategy[C], /, *, under: settings | None = None
) -> None:
    """Try every one of the laws."""
    for law in laws:
        check_law(law, implementation, cases, under=under)


def check_scorer(
    scorer: Scorer[In, Out, Ref, E],
    /,
    *,
    runs: SearchStrategy[Run[In, Out, Ref]],
    scripts: SearchStrategy[Script] | None = None,
    under: settings | None = None,
) -> None:
    """Hold a scorer of your own to the laws of scorers; no judge is asked, a script answers in its place.

    A scorer keeps them when its steps are functions of what they see: one that reads the clock or a file that changes
    does not.
    """
    from hypothesis import strategies as st

    from scorewright.laws import strategies

    cases = strategies.trials(st.just(scorer), runs, strategies.scripts() if scripts is None else scripts)
    check_laws(scorer_laws(), Interpreters[In, Out, Ref](), cases, under=under)


def check_combinator_laws(
    combine: Combine, /, *promised: Law[Combine, CombinatorCase], under: settings | None = None
) -> None:
    """Hold a function from two scorers to one to the laws of combinators, and to those that it promises.

    `check_combinator_laws(worst, commutative, associative)`, with the promises of `scorewright.laws.promises`. What it
    makes of two scorers is also held to the laws of scorers.
    """
    from scorewright.laws import strategies

    cases = strategies.combinator_cases()
    check_laws((*EVERY_COMBINATOR, *promised), combine, cases, under=under)
    combined = cases.map(lambda case: combine(case.scorers[0], case.scorers[1]))
    trials = strategies.trials(combined, strategies.text_runs(), strategies.scripts())
    check_laws(scorer_laws(), Interpreters[str, str, None](), trials, under=under)
