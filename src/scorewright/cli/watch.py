"""What `scorewright watch` does: how live scorers do, read from what another process keeps."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import closing, redirect_stdout
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from scorewright.cli.codes import FINE, GATE_FAILED, USAGE
from scorewright.cli.loading import UsageError
from scorewright.cli.options import Whole
from scorewright.cli.stores import Named, at
from scorewright.cli.table import complain
from scorewright.cli.usage import mistaken

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorewright.live.health import Event, Health, Source, Window

_HOUR: Final = 3600.0
_LINES: Final = (".jsonl", ".ndjson", ".json")
SECRET: Final = "SCOREWRIGHT_WEBHOOK_SECRET"  # noqa: S105 - the name of a variable


def watch(
    source: str | None = None,
    id: Named = None,
    /,
    *,
    store: str | None = None,
    experiment: str | None = None,
    monitors: list[str] | None = None,
    seconds: float | None = None,
    count: Whole | None = None,
    pass_at: float = 0.5,
    least: Whole = 10,
    every: float = 2.0,
    webhook: str | None = None,
    once: bool = False,
    json: bool = False,
) -> int:
    """Show how live scorers do, from the file or the store that they write to, until it is told to stop.

    Exit codes: 0 fine, 1 with --once a monitor alerts, 2 wrong usage, 130 interrupted.

    Parameters
    ----------
    source
        JSON Lines of live scores (.jsonl), or a store: a file or postgresql://…, or STORE#ID.
    id
        Which live scores of the store.
    store
        The store, where none stands first.
    experiment
        Which live scores of the store; those that are called live without it.
    monitors
        module:name or file.py:name of a monitor, a drift or a list of them; beside those of pyproject.toml. Repeatable.
    seconds
        Look at the runs of the last so many seconds; 3600 where --count is not given either.
    count
        Look at the last so many runs.
    pass_at
        A run passes with this score or a higher one.
    least
        Show no numbers of fewer runs than this.
    every
        Seconds between two looks.
    webhook
        Post events to this address, signed with the secret in the variable SCOREWRIGHT_WEBHOOK_SECRET.
    once
        Look once, and end with 1 where a monitor alerts; the first breach is enough for that.
    json
        Print a line of JSON for each look.
    """
    try:
        from scorewright.cli.watched import json_of, lines_of, screen
    except ImportError as missing:  # it says what to install
        raise UsageError(str(missing)) from missing
    from scorewright.faults import DefinitionError
    from scorewright.suites.journal import StoreError

    if not every > 0:
        raise UsageError(f"--every takes seconds above 0, not {every:g}")
    if not isfinite(pass_at):
        raise UsageError(f"--pass-at is the score at which a run passes, a number, not {pass_at}")
    place = at(source, id, store=store, experiment=experiment)
    stdout = sys.stdout
    with redirect_stdout(sys.stderr):
        try:
            window = _window(seconds, count)
            health = _health(monitors or (), window, pass_at, least, webhook, once=once)
        except DefinitionError as mistake:
            raise mistaken(mistake) from mistake
        following = _source(place.store, place.id or "live", must_exist=once)
        with closing(following):
            try:
                if once:
                    return _once(health, following, place.store, stdout, json_of if json else lines_of)
                if not json and stdout.isatty():
                    with screen(stdout) as show:
                        _follow(health, following, every, show)
                else:
                    told = json_of if json else lines_of
                    _follow(health, following, every, lambda of, events: _write(stdout, told(of, events)))
            except StoreError as failed:
                complain(str(failed))
                return USAGE
            finally:
                health.close(10.0)
    return FINE


def _once(
    health: Health, source: Source, where: str, stdout: TextIO, told: Callable[[Health, Sequence[Event]], str]
) -> int:
    if not _take(health, source) and source.n_broken:
        raise UsageError(f"{where} holds no live scores, as JsonLines or InStore keep them")
    events = health.check()
    _write(stdout, told(health, events))
    return GATE_FAILED if any(each.condition == "alerting" for each in health.statuses()) else FINE


def _follow(health: Health, source: Source, every: float, show: Callable[[Health, Sequence[Event]], object]) -> None:
    from scorewright.suites.journal import StoreError

    looked = False
    while True:
        try:
            _take(health, source)
        except StoreError as failed:
            if not looked:
                raise
            complain(f"{failed}; trying again")  # a database may be away for a while
        looked = True
        show(health, health.check())
        time.sleep(every)


def _take(health: Health, source: Source) -> int:
    """How many scores there were."""
    before, taken = source.n_broken, 0
    for seen in source.read(time.monotonic(), time.time()):
        health.observe(seen)
        taken += 1
    if source.n_broken > before:
        complain(f"records that are no live scores, and are left out: {source.n_broken}")
    return taken


def _write(file: TextIO, text: str) -> None:
    if text:
        file.write(text)
        file.flush()


def _window(seconds: float | None, count: int | None) -> Window:
    from scorewright.live.health import Window

    return Window(
        seconds=_HOUR if seconds is None and count is None else seconds, count=count, most=max(10_000, count or 0)
    )


def _health(
    specs: Sequence[str], window: Window, pass_at: float, least: int, webhook: str | None, *, once: bool
) -> Health:
    from scorewright.cli.watched import monitors_of
    from scorewright.live.health import Health, Webhook

    watched = monitors_of(specs, once=once)
    notify = () if webhook is None else (Webhook(webhook, secret=os.environ.get(SECRET)),)
    return Health(*watched, window=window, pass_at=pass_at, least=least, notify=notify, every=None)


def _source(where: str, experiment: str, *, must_exist: bool) -> Source:
    from scorewright.live.health import FromLines, FromStore

    if must_exist and "://" not in where and not Path(where).expanduser().exists():
        raise UsageError(f"there is no file {where}")
    if "://" not in where and Path(where).suffix.lower() in _LINES:
        return FromLines(Path(where).expanduser())
    return FromStore(where, experiment)
