"""The plugin at work: registered with pytest when the first test is marked, or the first worker tells of one.

Cases are recorded where they run, and travel in pytest's own reports; the gates are decided where all reports come
together, after the last test. So one way serves every `--dist` of pytest-xdist, and a run without it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import cast, final

import pytest

from scorewright.faults import DefinitionError
from scorewright.suites.records import ItemRecord
from scorewright.suites.rows.row import Row
from scorewright.suites.targets import failed
from scorewright.testing.answers import Way
from scorewright.testing.effect import MEND, Effect
from scorewright.testing.evaluation import MARK, Evaluation, evaluation_of
from scorewright.testing.gating import Gated, Held, as_test_reports, gated
from scorewright.testing.placing import Placed, placed, score_in
from scorewright.testing.running import run_async
from scorewright.testing.score import Score
from scorewright.testing.told import Plan, plan_in, told, told_broken, told_unscored

_PLACED: pytest.StashKey[Placed] = pytest.StashKey()
_PREFIX = f"{MARK}."


def checked_report(config: pytest.Config, /) -> Path:
    """Where the report goes; a suffix that is none of ours is a usage error."""
    from scorewright.reports import WRITERS

    path = Path(str(config.getoption("--scorewright-report")))
    if path.suffix.lower() not in WRITERS:
        raise pytest.UsageError(f"--scorewright-report takes {', '.join(WRITERS)}, not {path.name!r}")
    return path


@final
class Active:
    """What one run of pytest knows of its evaluations; under xdist each worker has one, and the controller."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._evaluations: dict[Score, Evaluation] = {}
        self._held: dict[str, Held] = {}
        self._sent: set[str] = set()
        self._gates: list[Gated] = []
        self._written: list[Path] = []
        self._effect = Effect()

    # Collecting

    def generate(self, metafunc: pytest.Metafunc) -> None:
        """Parametrise a marked test with its cases; a mark of a class leaves those alone that do not take `score`."""
        definition = metafunc.definition
        if "score" not in metafunc.fixturenames:
            if any(mark.name == MARK for mark in definition.own_markers):
                pytest.fail(
                    f"{definition.name} takes no `score`, so nothing of it can be scored: {MEND}", pytrace=False
                )
            return
        found = _evaluation(definition, metafunc.function, self._way)
        if isinstance(found, str):  # it fails here, so that pytest does not tell of one mistake twice
            pytest.fail(f"{definition.name}: {found}", pytrace=False)
        evaluation = found
        for score in evaluation.scores:
            self._evaluations[score] = evaluation
        if "case" in metafunc.fixturenames:
            pairs = [*zip(evaluation.cases, evaluation.scores, strict=True)]
            metafunc.parametrize(("case", "score"), pairs, ids=evaluation.ids)
        else:
            metafunc.parametrize("score", evaluation.scores, ids=evaluation.ids)

    def collected(self, collector: pytest.Collector, found: Sequence[pytest.Item | pytest.Collector]) -> str:
        """Why a mark that holds for what was collected is without effect, or ""."""
        return self._effect.collected(collector, found)

    def begin(self, session: pytest.Session) -> None:
        """Before the first test: which cases there are, and what they are of."""
        plans: set[str] = set()
        for item, place in placed(session.items, self._evaluations, paid=self._way == "live"):
            item.stash[_PLACED] = place
            plans.add(place.plan.key)
        if not self._is_worker:
            session.testscollected += len(plans)  # the gates count in the progress

    # Running

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Begin a case anew; one whose row cannot be read fails here."""
        score = score_in(item)
        if score is not None:
            score.anew()
            item.user_properties[:] = [each for each in item.user_properties if not each[0].startswith(_PREFIX)]
            if score.unreadable:
                pytest.fail(score.unreadable, pytrace=False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """A case that was not scored fails."""
        result = yield
        score = score_in(item)
        if score is not None and score.record is None:
            pytest.fail("the test did not call score(…), so the case has no scores", pytrace=False)
        return result

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> object:
        """Run an async test of ours, where no other plugin has done so."""
        return run_async(pyfuncitem) if score_in(pyfuncitem) is not None else None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Let the report of a case carry what it came to."""
        report = yield
        place = item.stash.get(_PLACED, None)
        if place is not None and (call.when == "call" or (call.when == "setup" and not report.passed)):
            self._tell(item, call, report, place)
        return report

    def _tell(self, item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport, place: Placed) -> None:
        score, form = place.score, dict[str, object]()
        raised = None if call.excinfo is None else call.excinfo.value
        if score.record is not None:
            form["told"] = told(score.record, place.id, score.missed)
            found = score.record.evaluations
            item.user_properties += [(f"{_PREFIX}{id}", each.score) for id, each in found.items()]
        elif score.unreadable:
            form["told"] = told_broken(place.id, score.unreadable)
        elif isinstance(raised, pytest.skip.Exception):
            form["skipped"] = str(raised)
        elif isinstance(raised, pytest.fail.Exception) and score.row is not None:
            form["told"] = told_unscored(place.id, score.row, str(raised))
        elif raised is not None and score.row is not None:
            form["told"] = told(_unanswered(score.index, score.row, raised), place.id)
        score.over()
        plan = place.plan
        if plan.key not in self._sent:
            form["plan"] = plan.to_json()
        vars(report)[MARK] = json.dumps({"key": plan.key, "id": place.id, **form})

    # Hearing and gating

    def heard(self, report: pytest.TestReport) -> None:
        """Keep what a report tells, in the process where reports come together."""
        form = cast("dict[str, object]", json.loads(vars(report)[MARK]))
        if "plan" in form:  # a plugin that runs tests again may drop reports: only what was heard of was sent
            self._sent.add(str(form["key"]))
        if self._is_worker:
            return
        node: object = getattr(report, "node", None)
        worker = node if self._config.getoption("dist", "no") == "each" else None
        key, id = str(form["key"]), str(form["id"])
        own = f"{key} {id_of(worker)}" if worker is not None else key
        held = self._held.get(own)
        if held is None:
            held = self._held[own] = Held(self._plan(form, key), worker=worker)
        held.case_ids[id] = getattr(report, "id", report.nodeid)
        if "told" in form:
            held.cases[id] = cast("dict[str, object]", form["told"])
            held.skipped.pop(id, None)
        elif "skipped" in form:
            held.cases.pop(id, None)
            held.skipped[id] = str(form["skipped"])

    def _plan(self, form: dict[str, object], key: str) -> Plan:
        if "plan" in form:
            return plan_in(cast("dict[str, object]", form["plan"]))
        return next(held.plan for held in self._held.values() if held.plan.key == key)

    def end(self, session: pytest.Session) -> None:
        """Close transcripts; where reports come together, decide every gate and tell pytest of it."""
        for answers in {id(each.answers): each.answers for each in self._evaluations.values()}.values():
            answers.close()
        if self._is_worker:
            return
        if not session.items:  # under xdist the tests were collected elsewhere
            session.testscollected += len({held.plan.key for held in self._held.values()})
        hook = self._config.hook
        for held in self._held.values():
            gate = gated(held, whole=bool(self._config.getoption("--scorewright-whole")))
            self._gates.append(gate)
            report, ended = as_test_reports(gate, held)
            hook.pytest_runtest_logstart(nodeid=report.nodeid, location=report.location)
            hook.pytest_runtest_logreport(report=report)
            self._remember(gate, held, report)
            hook.pytest_runtest_logreport(report=ended)
            hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)
        self._write()

    def _remember(self, gate: Gated, held: Held, report: pytest.TestReport) -> None:
        """For `--lf`: a gate is no test of its own, so that its cases are what failed."""
        kept: object = getattr(self._config.pluginmanager.get_plugin("lfplugin"), "lastfailed", None)
        if gate.outcome == "failed" and isinstance(kept, dict):
            failures = cast("dict[object, bool]", kept)
            failures.pop(getattr(report, "id", report.nodeid), None)
            failures.update(dict.fromkeys(held.case_ids.values(), True))

    def _write(self) -> None:
        if not self._config.getoption("--scorewright-report") or not self._gates:
            return
        from scorewright.reports import write_report

        path = checked_report(self._config)
        path.parent.mkdir(parents=True, exist_ok=True)
        for number, gate in enumerate(self._gates, 1):
            own = path if len(self._gates) == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
            write_report(gate.report, own)
            self._written.append(own)

    def show(self, reporter: pytest.TerminalReporter) -> None:
        """Show what every evaluation came to."""
        from scorewright.testing.shown import show

        show(reporter, self._gates, self._written)

    @property
    def _is_worker(self) -> bool:
        return hasattr(self._config, "workerinput")

    @property
    def _way(self) -> Way:
        if self._config.getoption("--scorewright-live"):
            return "live"
        return "record" if self._config.getoption("--scorewright-record") else "replay"


def _evaluation(definition: pytest.Item, test: Callable[..., object], way: Way) -> Evaluation | str:
    """The evaluation, or what is written down wrongly."""
    try:
        return evaluation_of(definition, test, way)
    except DefinitionError as mistake:
        return str(mistake)


def id_of(worker: object, /) -> str:
    """The id of a worker of xdist."""
    return str(getattr(getattr(worker, "gateway", None), "id", worker))


def _unanswered(index: int, row: Row, raised: BaseException) -> ItemRecord:
    return ItemRecord(index, row, (), None, failed(raised))
