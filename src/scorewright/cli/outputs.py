"""The files that commands write: what is there already is replaced only with --force, and what is read never."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from scorewright.cli.loading import UsageError


def may_write(output: Path | None, option: str, /, *, force: bool, read: Sequence[str | None] = ()) -> None:
    """Refuse a file that is there, but for `force`; and one that is `read`, as rows or as a store, in any case."""
    if output is None or not output.exists():
        return
    if not force:
        raise taken(output, option)
    for each in read:
        path = None if each is None else Path(each.partition("#")[0]).expanduser()
        if path is not None and path.exists() and path.samefile(output):
            raise UsageError(f"{option} {output} is a file that is read: give another")


def taken(output: Path, option: str, /) -> UsageError:
    """That the file is there."""
    return UsageError(f"{output} is there already: give --force to replace it, or another {option}")


def written(write: Callable[[], None], file: Path, what: str, /) -> None:
    """Write a file, and tell where `what` is; one that cannot be written is wrong usage."""
    from scorewright.cli.table import shown

    try:
        write()
    except OSError as failed:
        raise UsageError(f"{file} cannot be written: {failed.strerror}") from failed
    sys.stderr.write(f"scorewright: {what} is in {shown(str(file))}\n")
