"""How far an evaluation is, on stderr: items, rate, cost, and the time that is left."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic
from typing import TypeAlias

from scorewright.suites.counting import Counting

Advance: TypeAlias = Callable[[object], None]

_BETWEEN = 30.0  # seconds between two lines where stderr is no terminal
_OFTEN = 0.1  # seconds between two looks at the bar


@contextmanager
def meter(counting: Counting, size: int | None, position: Callable[[], int], /) -> Generator[Advance]:
    """What to call with every item that is done. Bytes are counted, so that the rows need not be read first."""
    if sys.stderr.isatty():
        with _bar(counting, size, position) as moved:
            yield moved
        return
    began = told = monotonic()

    def advance(_: object) -> None:
        nonlocal told
        if (now := monotonic()) - told >= _BETWEEN:
            told = now
            sys.stderr.write(line_of(counting, now - began, size, position()) + "\n")
            sys.stderr.flush()

    yield advance


def line_of(counting: Counting, seconds: float, size: int | None, at: int, /) -> str:
    """One line: how many items, how many a second, what they cost, how long the rest may take."""
    parts = [f"{counting.n_items} items", f"{counting.n_items / seconds:.1f}/s" if seconds else "", _cost(counting)]
    if size and at:
        parts += [f"{min(at / size, 1):.0%}", f"{seconds / at * max(size - at, 0):.0f} s left"]
    if counting.n_failed:
        parts.append(f"{counting.n_failed} failed")
    return "scorewright: " + " · ".join(part for part in parts if part)


def _cost(counting: Counting) -> str:
    if not counting.spent.attempts:
        return ""
    dollars = counting.spent.dollars
    return "cost unknown" if dollars is None else f"${dollars:.4f}"


@contextmanager
def _bar(counting: Counting, size: int | None, position: Callable[[], int]) -> Generator[Advance]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("evaluating"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[said]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("evaluating", total=size, said="")
        began = told = monotonic()

        def say(now: float) -> None:
            rate = f"{counting.n_items} items · {counting.n_items / (now - began or 1):.1f}/s"
            bar.update(task, completed=position(), said=" · ".join(filter(None, (rate, _cost(counting)))))

        def advance(_: object) -> None:
            nonlocal told
            if (now := monotonic()) - told >= _OFTEN:
                told = now
                say(now)

        yield advance
        say(monotonic())
