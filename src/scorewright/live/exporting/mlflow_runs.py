"""MLflow: what an evaluation came to, as the metrics of a run."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from http import HTTPStatus
from math import isfinite
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, final
from urllib.parse import quote

import attrs

from scorewright.core.definition import shown
from scorewright.faults import DefinitionError
from scorewright.live.exporting.line import Line, Patience, Trouble, body_of
from scorewright.live.exporting.mlflow import Mlflow
from scorewright.shapes.values import is_list, object_of
from scorewright.suites.rows.ids import sayable

if TYPE_CHECKING:
    from scorewright.reports import Report
    from scorewright.reports.report import Figure

T = TypeVar("T")

Metrics: TypeAlias = Mapping[str, float]
_KEY: Final = "scorewright.run.key"
_ROOT: Final = "/api/2.0/mlflow"
_MOST_AT_ONCE = 1000  # metrics of one request, as MLflow takes them
_MOST_NAME, _MOST_TAG = 200, 500


@final
@attrs.frozen
class ExportedMetrics:
    """What an export of metrics came to: the run that has them, and how many were sent or there already.

    `stale` are those of an earlier export that there is no number for any more: MLflow takes no metric back. `failed`
    says why not all went; exporting again is safe.
    """

    target: str
    run_id: str = ""
    sent: int = 0
    unchanged: int = 0
    stale: tuple[str, ...] = ()
    failed: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether the run says what the report says."""
        return not (self.failed or self.stale)

    def __str__(self) -> str:
        told = f"{self.target}: {self.sent} metrics sent, {self.unchanged} unchanged"
        if self.run_id:
            told += f", run {self.run_id}"
        if self.stale:
            told += f"; {', '.join(self.stale)} of an earlier export cannot be taken back: delete the run first"
        return f"{told}; failed: {self.failed}" if self.failed else told


async def export_metrics(
    report: Report, target: Mlflow, /, *, run: str | None = None, patience: Patience | None = None
) -> ExportedMetrics:
    """Keep the aggregates of a report as the metrics of a run of MLflow; they need no traces.

    A scorer has `<id>/mean` with `mean_low` and `mean_high`, the ends of its 95 % interval, `coverage`, the share of
    runs that have a score, `n_scored`, `n_failed` and `n_not_scorable`. What is undefined is not sent. The run is found
    again by a tag: `run` is a name that tells evaluations apart, the report's experiment without it. So a second export
    changes what has changed, and makes no second run. Two exports at the same time can make two.
    """
    if not _is_mlflow(target):
        raise DefinitionError(f"export_metrics(report, target) takes an Mlflow(…), not {shown(target)}")
    name = report.experiment if run is None else run
    if not name:
        raise DefinitionError("the report is of no stored experiment: export_metrics(report, target, run=…) names it")
    async with target.line(Patience() if patience is None else patience) as line:
        found = await _Run(line, target.experiment, report, name).export()
    return attrs.evolve(found, target=target.name)


def export_metrics_sync(
    report: Report, target: Mlflow, /, *, run: str | None = None, patience: Patience | None = None
) -> ExportedMetrics:
    """`export_metrics`, waited for: on a background loop, so that it may be called where a loop runs already."""
    from scorewright.core.portal import finished

    return finished(lambda: export_metrics(report, target, run=run, patience=patience))


def _is_mlflow(given: object) -> bool:
    return isinstance(given, Mlflow)


def metrics_of(report: Report, /) -> Metrics:
    """The numbers of each scorer, by names that MLflow takes."""
    return {
        f"{name_of(each.id)}/{part}": float(value)
        for each in report.scorers
        for part, value in _parts(each.mean).items()
        if value is not None and isfinite(value)
    }


def _parts(mean: Figure) -> Mapping[str, float | None]:
    held = mean.coverage
    return {
        "mean": mean.value,
        "mean_low": mean.low,
        "mean_high": mean.high,
        "coverage": held.n_scored / held.n if held.n else None,
        "n_scored": held.n_scored,
        "n_failed": held.n_failed,
        "n_not_scorable": held.n_not_scorable,
    }


def name_of(scorer: str, /) -> str:
    """The id in letters, digits, spaces and `_.-`; one that has others, or is long, ends with digits of its hash."""
    plain = re.sub(r"[^A-Za-z0-9_. -]|^[. ]|[. ]$", "_", scorer)[:_MOST_NAME]
    if plain == scorer:
        return plain
    return f"{plain}-{_digits(scorer)[:8]}"


def _digits(text: str) -> str:
    return blake2b(sayable(text).encode(), digest_size=16).hexdigest()


@final
class _Run:
    """The run of one report, on an open line."""

    def __init__(self, line: Line, place: str, report: Report, name: str) -> None:
        self._line = line
        self._place = place
        self._report = report
        self._name = name
        self._at = _milliseconds(report.created)

    async def export(self) -> ExportedMetrics:
        done = ExportedMetrics("")
        place = await self._experiment()
        if isinstance(place, Trouble):
            return attrs.evolve(done, failed=place.why)
        run = await self._found(place)
        if isinstance(run, Trouble):
            return attrs.evolve(done, failed=run.why)
        info, held = object_of(run.get("info")), _held(run)
        id = str(info.get("run_id"))
        wanted = metrics_of(self._report)
        changed = [key for key, value in wanted.items() if key not in held or held[key][0] != value]
        stale = tuple(sorted(_ours(self._report) & held.keys() - wanted.keys()))
        done = attrs.evolve(done, run_id=id, unchanged=len(wanted) - len(changed), stale=stale)
        for start in range(0, len(changed), _MOST_AT_ONCE):
            keys = changed[start : start + _MOST_AT_ONCE]
            forms = [self._metric(key, wanted[key], held.get(key)) for key in keys]
            lost = await self._post("runs/log-batch", {"run_id": id, "metrics": forms})
            if isinstance(lost, Trouble):
                return attrs.evolve(done, failed=lost.why)
            done = attrs.evolve(done, sent=done.sent + len(keys))
        if info.get("status") != "FINISHED":
            lost = await self._post("runs/update", {"run_id": id, "status": "FINISHED", "end_time": self._at})
            if isinstance(lost, Trouble):
                return attrs.evolve(done, failed=lost.why)
        return done

    def _metric(self, key: str, value: float, held: tuple[float, int] | None) -> dict[str, object]:
        """MLflow shows the latest of a metric; what is sent twice is there once."""
        at = self._at if held is None else max(self._at, held[1] + 1)
        return {"key": key, "value": value, "timestamp": at, "step": 0}

    async def _experiment(self) -> str | Trouble:
        """The id of the experiment of that name, made where there is none."""
        path = f"{_ROOT}/experiments/get-by-name?experiment_name={quote(self._place, safe='')}"

        async def look() -> str | Trouble | None:
            heard = await self._line.call("GET", path)
            if isinstance(heard, Trouble):
                return heard
            if heard.is_fine:
                return str(object_of(heard.json.get("experiment")).get("experiment_id"))
            return None if heard.status == HTTPStatus.NOT_FOUND else Trouble(heard.why)

        async def make() -> str | Trouble:
            made = await self._post("experiments/create", {"name": self._place}, once=True)
            return made if isinstance(made, Trouble) else str(made.get("experiment_id"))

        return await self._had(look, make)

    async def _found(self, place: str) -> Mapping[str, object] | Trouble:
        """The run of an earlier export, or one that is made."""
        search = {
            "experiment_ids": [place],
            "filter": f"tags.`{_KEY}` = '{_digits(self._name)}'",
            "run_view_type": "ACTIVE_ONLY",
            "max_results": 1,
            "order_by": ["attributes.start_time ASC"],
        }
        told = {_KEY: _digits(self._name), "scorewright.experiment.id": sayable(self._name)[:_MOST_TAG]}
        form = {
            "experiment_id": place,
            "run_name": sayable(self._report.name or self._name)[:_MOST_NAME],
            "start_time": self._at,
            "tags": [{"key": key, "value": value} for key, value in told.items()],
        }

        async def look() -> Mapping[str, object] | Trouble | None:
            there = await self._post("runs/search", search)
            if isinstance(there, Trouble):
                return there
            runs = there.get("runs")
            return object_of(runs[0]) if is_list(runs) and runs else None

        async def make() -> Mapping[str, object] | Trouble:
            made = await self._post("runs/create", form, once=True)
            return made if isinstance(made, Trouble) else object_of(made.get("run"))

        return await self._had(look, make)

    async def _had(
        self, look: Callable[[], Awaitable[T | Trouble | None]], make: Callable[[], Awaitable[T | Trouble]]
    ) -> T | Trouble:
        """What is there, or is made where nothing is; where it is not known whether it was made, it is looked for."""
        tried = 0
        while True:
            there = await look()
            if there is not None:
                return there
            made = await make()
            if not isinstance(made, Trouble) or not made.unsure or not await self._line.wait(tried):
                return made
            tried += 1

    async def _post(self, path: str, form: object, *, once: bool = False) -> Mapping[str, object] | Trouble:
        heard = await self._line.call("POST", f"{_ROOT}/{path}", body_of(form), once=once)
        if isinstance(heard, Trouble):
            return heard
        return heard.json if heard.is_fine else Trouble(heard.why)


def _held(run: Mapping[str, object]) -> Mapping[str, tuple[float, int]]:
    """The metrics that a run has: values and times."""
    given = object_of(run.get("data")).get("metrics")
    return dict(_metrics(given if is_list(given) else []))


def _metrics(given: Sequence[object]) -> Iterator[tuple[str, tuple[float, int]]]:
    for each in map(object_of, given):
        value, at = each.get("value"), each.get("timestamp")
        if isinstance(value, (int, float)) and isinstance(at, (int, str)):  # JSON of protobuf has long numbers as text
            yield str(each.get("key")), (float(value), int(at))


def _ours(report: Report) -> set[str]:
    return {f"{name_of(each.id)}/{part}" for each in report.scorers for part in _parts(each.mean)}


def _milliseconds(created: str) -> int:
    """A report's time; one that says none is of the beginning of time, so that a second export is the same."""
    try:
        at = datetime.fromisoformat(created)
    except ValueError:
        return 0
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
