"""A progress bar on stderr, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeAlias

from scorewright.cli.scoring import Scored
from scorewright.suites.rows import BrokenRow

Advance: TypeAlias = Callable[[Scored | BrokenRow], None]


@contextmanager
def progress(size: int | None, position: Callable[[], int], /) -> Generator[Advance]:
    """What to call with each item that is done; the bar counts bytes, so that the file need not be read first."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("scoring"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[done]} scored"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("scoring", total=size, done=0)
        count = 0

        def advance(_: Scored | BrokenRow) -> None:
            nonlocal count
            count += 1
            bar.update(task, completed=position(), done=count)

        yield advance
