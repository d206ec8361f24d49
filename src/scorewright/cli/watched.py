"""What `scorewright watch` shows, and the monitors that it is given."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO, TypeAlias, cast

from scorewright.cli.loading import UsageError, load_object
from scorewright.cli.table import NONE, columns_of, console_on, number, shown
from scorewright.faults import DefinitionError
from scorewright.live.health import Drift, Event, Health, Measure, Monitor, Reading, Status, Window
from scorewright.live.health.drift import Baseline
from scorewright.live.health.events import reading_form
from scorewright.live.health.reading import KINDS, Kind
from scorewright.live.health.watched import Watched, evolved_for_one_look
from scorewright.shapes.values import is_object
from scorewright.statistics.estimate import Estimate, Interval, Undefined

if TYPE_CHECKING:
    from rich.console import RenderableType

Show: TypeAlias = Callable[[Health, Sequence[Event]], object]
_STYLES: Final = {"ok": "green", "alerting": "bold red", "no_data": "dim"}
_LAST: Final = 8
_OF_WINDOW: Final = ("seconds", "count")
_OF_MONITOR: Final = ("below", "above", "least", "clear", "breaches", "cooldown", "surely", "no_data")
_OF_DRIFT: Final = ("alpha", "direction", "tolerance", "cooldown")


def monitors_of(specs: Sequence[str], /, *, once: bool, folder: Path | None = None) -> tuple[Watched, ...]:
    """The monitors of modules and of the nearest `pyproject.toml`. Mistakes are a usage error."""
    found: list[Watched] = []
    for spec in specs:
        given = load_object(spec, "--monitors")
        several = cast("Sequence[object]", given) if isinstance(given, (list, tuple)) else (given,)
        for each in several:
            if not isinstance(each, (Monitor, Drift)):
                raise UsageError(f"{spec} holds something that is neither a Monitor nor a Drift: {type(each).__name__}")
            found.append(each)
    try:
        found.extend(_written(folder or Path.cwd()))
    except DefinitionError as mistake:
        raise UsageError(f"pyproject.toml: [tool.scorewright.monitors]: {mistake}") from mistake
    return tuple(map(evolved_for_one_look, found)) if once else tuple(found)


def _written(folder: Path) -> Iterator[Watched]:
    """Those of `[tool.scorewright.monitors]`: one table each, by name."""
    path = next(
        (each / "pyproject.toml" for each in (folder, *folder.parents) if (each / "pyproject.toml").is_file()), None
    )
    if path is None:
        return
    try:
        held: object = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as broken:
        raise UsageError(f"{path} cannot be read: {broken}") from broken
    for name in ("tool", "scorewright", "monitors"):
        held = held.get(name) if is_object(held) else None
    for name, table in held.items() if is_object(held) else ():
        if not is_object(table):
            raise DefinitionError(f"{name!r} is a table, with scorer and measure")
        yield _one(name, dict(table))


def _one(name: str, table: dict[str, object]) -> Watched:
    scorer, measure = table.pop("scorer", None), table.pop("measure", None)
    if measure == "drift":
        mean = table.pop("baseline", None)
        set_ = _taken(table, _OF_DRIFT)
        _refuse(name, table, ("baseline", *_OF_DRIFT))
        make_drift = cast("Callable[..., Drift]", Drift)  # the values are held to their types by the definition
        return make_drift(name, scorer=scorer, baseline=Baseline.known(cast("float", mean)), **set_)
    kinds: dict[object, Kind] = dict(zip(KINDS, KINDS, strict=True))
    kind = kinds.get(measure) if isinstance(measure, str) else None
    if kind is None:
        raise DefinitionError(f"the measure of {name!r} is {', '.join(KINDS)} or drift, not {measure!r}")
    looked = Measure(kind, cast("float | None", table.pop("at", None)))
    made, kept = _taken(table, _OF_WINDOW), _taken(table, _OF_MONITOR)
    _refuse(name, table, ("at", *_OF_WINDOW, *_OF_MONITOR))
    make_window = cast("Callable[..., Window]", Window)  # as above
    make_monitor = cast("Callable[..., Monitor]", Monitor)
    window = make_window(**made) if made else Window(seconds=3600)
    return make_monitor(name, scorer=scorer, measure=looked, window=window, **kept)


def _taken(table: dict[str, object], keys: Sequence[str]) -> dict[str, object]:
    return {key: table.pop(key) for key in keys if key in table}


def _refuse(name: str, left: Mapping[str, object], known: Sequence[str]) -> None:
    if left:
        raise DefinitionError(f"{name!r} has {next(iter(left))!r}; its keys are scorer, measure, {', '.join(known)}")


# what is shown


def json_of(health: Health, events: Sequence[Event], /) -> str:
    """One look as a line of JSON."""
    told = {
        "schema_version": 1,
        "at": _now(),
        "scorers": [reading_form(each) for each in health.readings()],
        "monitors": [each.form for each in health.statuses()],
        "events": [each.form for each in events],
    }
    return json.dumps(told, allow_nan=False) + "\n"


def lines_of(health: Health, events: Sequence[Event], /) -> str:
    """One look as plain lines."""
    readings = health.readings()
    lines = [f"{_now()} {_line(each)}" for each in readings] or [f"{_now()} no scores yet"]
    known = ", ".join(shown(each.scorer) for each in readings)
    lines += [
        f"{_now()} no data: {shown(each.name)}: {shown(each.rule)}: {shown(each.why)}; there are scores of {known}"
        for each in health.statuses()
        if each.condition == "no_data" and known
    ]
    lines += [
        f"{_now()} {each.kind}: {shown(each.status.name)}: {shown(each.status.rule)}: {shown(each.status.why)}"
        for each in events
    ]
    return "".join(f"{line}\n" for line in lines)


def _line(reading: Reading) -> str:
    parts = [f"mean {_number(reading.mean)}", f"pass {_number(reading.pass_rate)}", str(reading.held.coverage)]
    if isinstance(reading.mean.value, Undefined):
        parts.append(reading.mean.value.why)
    if reading.held.dropped:
        parts.append(f"{reading.held.dropped} dropped")
    return f"{shown(reading.scorer)}: {' · '.join(parts)}"


@contextmanager
def screen(file: TextIO, /) -> Generator[Show]:
    """A table on a terminal that is drawn again at every look."""
    from rich.live import Live

    last: list[str] = []
    console = console_on(file)
    with Live(console=console, auto_refresh=False, redirect_stdout=False, redirect_stderr=False) as live:

        def show(health: Health, events: Sequence[Event], /) -> None:
            last.extend(f"{each.at} {each.kind}: {shown(each.status.name)}" for each in events)
            del last[:-_LAST]
            live.update(_drawn(health.readings(), health.statuses(), last), refresh=True)

        yield show


def _drawn(readings: Sequence[Reading], statuses: Sequence[Status], last: Sequence[str]) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    parts: list[RenderableType] = [_table_of(readings)] if readings else [Text("no scores yet", "dim")]
    if statuses:
        table = columns_of("monitor", "state", "rule", "now")
        for each in statuses:
            state = Text(each.condition.replace("_", " "), _STYLES[each.condition])
            table.add_row(shown(each.name), state, shown(each.rule), shown(each.why))
        parts += [Text(""), table]
    if last:
        parts += [Text(""), *(Text(each, "dim") for each in last)]
    return Group(*parts)


def _table_of(readings: Sequence[Reading]) -> RenderableType:
    many = sorted({p for each in readings for p in each.percentiles})
    columns = ("scorer", "mean", "pass", *(f"p{p:g}" for p in many), "scored", "not scorable", "failed", "dropped")
    table = columns_of(*columns, right=columns[1:])
    for each in readings:
        held = each.held
        values = [each.percentiles.get(p) for p in many]
        dropped = NONE if held.dropped is None else str(held.dropped)
        table.add_row(
            shown(each.scorer) + (" (cut)" if held.is_cut else ""),
            _number(each.mean),
            _number(each.pass_rate),
            *(NONE if value is None or isinstance(value, Undefined) else number(value) for value in values),
            *map(str, (held.coverage.n_scored, held.coverage.n_not_scorable, held.coverage.n_failed)),
            dropped,
        )
    return table


def _number(found: Estimate) -> str:
    if isinstance(found.value, Undefined):
        return NONE
    around = f" {found.interval}" if isinstance(found.interval, Interval) else ""
    return f"{number(found.value)}{around}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
