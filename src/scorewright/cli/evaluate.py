"""What `scorewright evaluate`, `resume` and `rescore` do, once their options are read."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Coroutine, Generator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, final

import attrs

from scorewright.cli.command import FINE, GATE_FAILED, INCOMPLETE, INTERRUPT, INTERRUPTED
from scorewright.cli.loading import UsageError
from scorewright.cli.meter import meter
from scorewright.cli.outcome import print_outcome
from scorewright.cli.suites import Chosen, pick_of, source_of, suite_of, target_of
from scorewright.cli.table import complain
from scorewright.faults import DefinitionError
from scorewright.suites import ChunkJob, ItemRecord, ProcessExecutor, Summary, WorkerDied
from scorewright.suites.counting import Counting
from scorewright.suites.deciding import Verdict
from scorewright.suites.evaluate import How, RowStream, counted
from scorewright.suites.written import as_json, item_form

if TYPE_CHECKING:
    from scorewright.suites.journal import Store

INCONCLUSIVE = 3
CODES: dict[Verdict, int] = {
    "passed": FINE,
    "scored": GATE_FAILED,
    "failed": GATE_FAILED,
    "inconclusive": INCONCLUSIVE,
    "incomplete": INCOMPLETE,
}

Run: TypeAlias = Callable[[Counting, How], Coroutine[object, object, Summary]]


@final
@attrs.frozen
class Told:
    """Where the results go: the summary as a table or as JSON, items into a file of JSON Lines as they are done."""

    json: bool = False
    output: Path | None = None
    force: bool = False


def evaluate_rows(chosen: Chosen, store: str | None, told: Told, /) -> int:
    """Evaluate, and say what came of it; the exit code. Raises `UsageError` before anything is evaluated."""
    with redirect_stdout(sys.stderr):  # stdout is for the results, whatever scorers and targets print
        suite, target, source = suite_of(chosen), target_of(chosen), source_of(chosen)
        picked = RowStream(source.name or chosen.rows, pick_of(chosen)(source))
        if source.fields and sys.stderr.isatty():
            sys.stderr.write(f"rows: {', '.join(f'{ours} ← {theirs}' for ours, theirs in source.fields.items())}\n")
    how = How(
        target=target,
        concurrency=chosen.concurrency,
        fail_fast=chosen.fail_fast,
        budget=chosen.budget,
        executor=_executor(chosen, store),
        called=chosen.as_json(),
    )
    counting = Counting(suite, picked.name)
    size, position = source.size, lambda: source.position

    def run(counting: Counting, how: How) -> Coroutine[object, object, Summary]:
        return counted(counting, picked, how)

    return conducted(counting, how, run, where=store, told=told, size=size, position=position)


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
    import asyncio

    with ExitStack() as stack:
        stack.enter_context(redirect_stdout(sys.stderr))
        store = stack.enter_context(opened_store(where)) if where else None
        write = stack.enter_context(_written(told))
        advance = stack.enter_context(meter(counting, size, position))

        def on_item(item: ItemRecord) -> None:
            write(item)
            advance(item)

        given = attrs.evolve(how, store=store, on_item=on_item, on_broken=advance)
        try:
            asyncio.run(run(counting, given))
        except KeyboardInterrupt:
            counting.stopped = INTERRUPT
        except SystemExit as ended:  # a step that calls sys.exit() does not decide how the command ends
            counting.stopped = f"a scorer ended the process: SystemExit({ended.code!r})"
        except DefinitionError as mistake:
            raise UsageError(str(mistake)) from mistake
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
    return _tell(summary, told)


def _tell(summary: Summary, told: Told) -> int:
    code = INTERRUPTED if summary.stopped == INTERRUPT else CODES[summary.verdict]
    out = sys.stdout
    if told.json:
        out.write(json.dumps({**summary.to_json(), "exit_code": code}, allow_nan=False) + "\n")
    else:
        print_outcome(summary, out)
    out.flush()
    return code


@contextmanager
def opened_store(where: str, /, *, made: bool = False) -> Generator[Store]:
    """The store; one that cannot be opened, or that has to be `made` already and is not there, is a usage error."""
    from scorewright.suites.journal import StoreError, open_store

    if made and "://" not in where and not Path(where).expanduser().exists():
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


def _executor(chosen: Chosen, store: str | None) -> ProcessExecutor | None:
    if chosen.workers is None:
        return None
    if chosen.suite is None or chosen.suite.partition(":")[0].endswith(".py"):
        raise UsageError("--workers needs --suite module:name: a worker process finds it by that name")
    if chosen.budget is not None:
        raise UsageError("--workers takes no budget: one process keeps it")
    try:
        return ProcessExecutor(ChunkJob(chosen.suite, chosen.target, chosen.concurrency, store), chosen.workers)
    except DefinitionError as mistake:
        raise UsageError(str(mistake)) from mistake


@contextmanager
def _written(told: Told) -> Generator[Callable[[ItemRecord], None]]:
    if told.output is None:
        yield lambda _: None
        return
    out = told.output
    try:
        file = out.open("wb" if told.force else "xb")
    except FileExistsError as there:
        raise UsageError(f"{out} is there already: give --force to replace it, or another --output") from there
    except OSError as failed:
        raise UsageError(f"cannot write {out}: {failed.strerror}") from failed

    def write(item: ItemRecord) -> None:
        file.write(as_json(item_form(item)).encode("utf-8", "backslashreplace") + b"\n")
        file.flush()

    try:
        yield write
    finally:
        with suppress(OSError):  # every line was flushed: what could not be written has been told
            file.close()
