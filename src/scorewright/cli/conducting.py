"""Running an evaluation to its end or its interruption, and telling what came of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Coroutine, Generator, Iterable
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, final

import attrs

from scorewright.cli.codes import CODES, INTERRUPT, INTERRUPTED
from scorewright.cli.interrupting import run as run_loop
from scorewright.cli.loading import UsageError
from scorewright.cli.meter import meter
from scorewright.cli.outcome import print_outcome
from scorewright.cli.outputs import taken
from scorewright.cli.streams import aside
from scorewright.cli.table import complain
from scorewright.cli.usage import mistaken
from scorewright.faults import DefinitionError
from scorewright.suites import ItemRecord, Summary, WorkerDied
from scorewright.suites.counting import Counting
from scorewright.suites.evaluate import How
from scorewright.suites.written import as_json, item_form

if TYPE_CHECKING:
    from scorewright.suites.journal import Store

Run: TypeAlias = Callable[[Counting, How], Coroutine[object, object, Summary]]
Lines: TypeAlias = Callable[[ItemRecord], Iterable[bytes]]


def item_line(item: ItemRecord, /) -> Iterable[bytes]:
    """An item as one line of JSON; a lone surrogate, which UTF-8 cannot say, is an escape."""
    return [as_json(item_form(item)).encode("utf-8", "backslashreplace") + b"\n"]


@final
@attrs.frozen
class Told:
    """Where the results go: the summary as a table or as JSON, items into a file as they are done.

    `lines` makes of an item what is written there, `unit` is what an item is.
    """

    json: bool = False
    output: Path | None = None
    force: bool = False
    lines: Lines = item_line
    unit: str = "row"


def conducted(
    counting: Counting,
    how: How,
    run: Run,
    /,
    *,
    where: str | None,
    told: Told,
    size: int | None = None,
    position: Callable[[], int] = lambda: 0,
) -> int:
    """Run it to its end or its interruption, and tell; the exit code."""
    with ExitStack() as stack:
        store = stack.enter_context(opened_store(where)) if where is not None else None
        write = stack.enter_context(_written(told))  # before stdout is turned: it may be /dev/stdout
        stack.enter_context(aside())  # stdout is for the results, whatever scorers print
        advance = stack.enter_context(meter(counting, size, position))

        def on_item(item: ItemRecord) -> None:
            write(item)
            advance(item)

        shared = store if how.executor is None else where  # which other processes open too
        given = attrs.evolve(how, store=shared, on_item=on_item, on_broken=advance)
        try:
            run_loop(run(counting, given))
        except KeyboardInterrupt:
            counting.stopped = INTERRUPT
        except SystemExit as ended:  # a step that calls sys.exit() does not decide how the command ends
            counting.stopped = f"a scorer ended the process: SystemExit({ended.code!r})"
        except DefinitionError as mistake:
            raise mistaken(mistake) from mistake
        except (OSError, WorkerDied) as failed:  # reading rows, or writing results: what steps raise never comes here
            counting.stopped = str(failed)
        except Exception as failed:
            if not _of_store(failed):
                raise
            counting.stopped = str(failed)
    summary = counting.summary()
    if summary.stopped:
        complain(f"stopped: {summary.stopped}")
        if store is not None and summary.experiment:
            again = f"scorewright resume {summary.experiment} --store {store.name}"
            complain(f"what was done is kept: {again if how.called else 'the same command continues'}")
    _hint(summary)
    return _tell(summary, told)


def _hint(summary: Summary) -> None:
    if summary.broken and not summary.n_items and all(each.why.startswith("not JSON") for each in summary.broken):
        complain(f"no line of {summary.source} is JSON: where it is of another format, such as csv, --format names it")


def _tell(summary: Summary, told: Told) -> int:
    code = INTERRUPTED if summary.stopped == INTERRUPT else CODES[summary.verdict]
    out = sys.stdout
    if told.json:
        out.write(json.dumps({**summary.to_json(), "exit_code": code}, allow_nan=False) + "\n")
    else:
        print_outcome(summary, out, told.unit)
    out.flush()
    return code


@contextmanager
def opened_store(where: str, /, *, made: bool = False) -> Generator[Store]:
    """The store; one that cannot be opened, or that has to be `made` already and is not there, is a usage error."""
    from scorewright.suites.journal import StoreError, open_store

    if made and "://" not in where and not Path(where).expanduser().is_file():
        raise UsageError(f"there is no store {where}")
    try:
        store = open_store(where)
    except StoreError as failed:
        raise UsageError(str(failed)) from failed
    try:
        yield store
    finally:
        with suppress(StoreError):  # what could not be written has been told
            store.close()


def _of_store(failed: Exception) -> bool:
    journal = sys.modules.get("scorewright.suites.journal")
    return journal is not None and isinstance(failed, journal.StoreError)


@contextmanager
def _written(told: Told) -> Generator[Callable[[ItemRecord], None]]:
    if told.output is None:
        yield lambda _: None
        return
    out = told.output
    try:
        file = out.open("wb" if told.force else "xb")
    except FileExistsError as there:
        raise taken(out, "--output") from there
    except OSError as failed:
        raise UsageError(f"cannot write {out}: {failed.strerror}") from failed

    def write(item: ItemRecord) -> None:
        for line in told.lines(item):
            file.write(line)
        file.flush()

    try:
        yield write
    finally:
        with suppress(OSError):  # every line was flushed: what could not be written has been told
            file.close()
