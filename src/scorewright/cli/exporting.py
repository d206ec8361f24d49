"""`scorewright export`: a stored experiment as a file, or its scores sent to another system."""

from __future__ import annotations

import json as written
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, final

import attrs

from scorewright.cli.codes import FINE, INCOMPLETE
from scorewright.cli.loading import UsageError
from scorewright.cli.options import OUTPUT
from scorewright.cli.stores import At, Named, at, taken_in
from scorewright.cli.table import complain, shown
from scorewright.faults import DefinitionError

if TYPE_CHECKING:
    from scorewright.live.exporting import Exported, ExportedMetrics, Target

To: TypeAlias = Literal["otel", "langfuse", "phoenix", "mlflow"]
_MOST_TOLD = 10


@final
@attrs.frozen
class Going:
    """What the options say of where scores go. Keys are read from the environment: a command line is seen by others."""

    to: To
    url: str | None = None
    sent: Path | None = None
    reasons: bool = True
    as_json: bool = False


def export(
    named: str | None = None,
    id: Named = None,
    /,
    *,
    store: str | None = None,
    experiment: str | None = None,
    output: Annotated[Path | None, OUTPUT] = None,
    force: bool = False,
    to: To | None = None,
    url: str | None = None,
    sent: Path | None = None,
    no_reasons: bool = False,
    json: bool = False,
) -> int:
    """Write an experiment to a file: .jsonl, .csv or .parquet; or send its scores to another system.

    Exit codes: 0 fine, 2 wrong usage, 4 some scores did not go.

    Parameters
    ----------
    named
        The store, a file or postgresql://…; STORE#ID is an experiment in it. Or with --store the id alone.
    id
        An experiment of it.
    store
        The store, where none stands first.
    experiment
        Its id, or how that begins; the latest without one.
    output
        The file; its suffix decides the format.
    force
        Replace the file.
    to
        Send the scores there instead, to mlflow also their means, coverage and counts as the metrics of a run. Keys are
        read from the environment.
    url
        The address of that system, where the environment does not tell it.
    sent
        Note in this file what was sent, and do not send it again.
    no_reasons
        Send neither reasons nor messages of faults: they may quote what was said.
    json
        Print what came of sending as JSON.
    """
    place = at(named, id, store=store, experiment=experiment)
    if to is None:
        if output is None:
            raise UsageError("export goes to a file or to a system: give --output or --to")
        if url is not None or sent is not None or no_reasons or json:
            raise UsageError("--url, --sent, --no-reasons and --json belong to --to")
        from scorewright.cli.stored import export_to

        return export_to(place, output, force=force)
    if output is not None or force:
        raise UsageError("--to sends scores and writes no file: leave --output and --force out")
    return export_scores_to(place, Going(to, url, sent, not no_reasons, json))


def export_scores_to(place: At, going: Going, /) -> int:
    """Send the scores, and to MLflow the metrics; 4 where some did not go, which the next call tries again."""
    from scorewright.cli.conducting import opened_store
    from scorewright.live.exporting import Mlflow, Sent, export_metrics_sync, export_scores_sync, stored_scores
    from scorewright.reports import report_of
    from scorewright.suites.journal import StoreError

    with opened_store(place.store, made=True) as store, _target(going) as target:
        experiment = taken_in(store, place.id)
        try:
            sent = None if going.sent is None else Sent(going.sent)
            exported = export_scores_sync(stored_scores(store, experiment.id, reasons=going.reasons), target, sent=sent)
            metrics = None
            if isinstance(target, Mlflow):
                metrics = export_metrics_sync(report_of(store, experiment.id), target)
        except StoreError as failed:
            raise UsageError(str(failed)) from failed
        except OSError as failed:
            raise UsageError(f"{going.sent} cannot be used: {failed.strerror or failed}") from failed
    (_report_json if going.as_json else _report)(experiment.id, exported, metrics)
    return FINE if exported.is_complete and (metrics is None or metrics.is_complete) else INCOMPLETE


@contextmanager
def _target(going: Going) -> Generator[Target]:
    from scorewright.live.exporting import Langfuse, Mlflow, Phoenix

    try:
        if going.to == "otel":
            with _events(going.url) as target:
                yield target
        elif going.to == "langfuse":
            yield Langfuse(going.url)
        elif going.to == "phoenix":
            yield Phoenix(going.url)
        else:
            yield Mlflow(going.url)
    except DefinitionError as mistake:
        raise UsageError(f"--to {going.to}: {mistake}") from mistake


@contextmanager
def _events(url: str | None) -> Generator[Target]:
    try:
        from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    except ImportError as missing:
        needed = "opentelemetry-sdk opentelemetry-exporter-otlp-proto-http"
        raise UsageError(f"--to otel needs OpenTelemetry's exporter: pip install {needed}") from missing
    from scorewright.live.exporting import OtelEvents
    from scorewright.live.exporting.addresses import address

    exporter = OTLPLogExporter(endpoint=None if url is None else address(url, (), "", "--url"))
    with ExitStack() as stack:
        stack.callback(exporter.shutdown)
        yield OtelEvents(exporter, address=url or "")


def _report(experiment: str, exported: Exported, metrics: ExportedMetrics | None) -> None:
    complain(f"experiment {experiment} to {exported}")
    if metrics is not None:
        complain(shown(str(metrics)))
    for said, places in (("skipped", exported.skipped), ("failed", exported.failed)):
        for each in places[:_MOST_TOLD]:
            complain(f"{said} {shown(str(each))}")
        if len(places) > _MOST_TOLD:
            complain(f"{said} {len(places) - _MOST_TOLD} more; --json names them all")


def _report_json(experiment: str, exported: Exported, metrics: ExportedMetrics | None) -> None:
    told = None if metrics is None else attrs.asdict(metrics)
    form = {"schema_version": 1, "experiment": experiment, **attrs.asdict(exported), "metrics": told}
    sys.stdout.write(written.dumps(form) + "\n")
