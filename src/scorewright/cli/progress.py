"""A progress bar on stderr, where that is a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from stat import S_ISREG
from typing import BinaryIO, TypeAlias

from scorewright.cli.rows import BrokenLine
from scorewright.cli.scoring import Scored

Advance: TypeAlias = Callable[[Scored | BrokenLine], None]


@contextmanager
def progress(file: BinaryIO, /) -> Generator[Advance]:
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
        task = bar.add_task("scoring", total=size_of(file), done=0)
        count = 0

        def advance(item: Scored | BrokenLine) -> None:
            nonlocal count
            count += 1
            bar.update(task, completed=item.end if isinstance(item, BrokenLine) else item.row.end, done=count)

        yield advance


def size_of(file: BinaryIO, /) -> int | None:
    """The bytes of a regular file; of a pipe nobody knows."""
    status = os.fstat(file.fileno())
    return status.st_size if S_ISREG(status.st_mode) else None
