"""The pytest plugin's front door: options, the mark, and where the rest is loaded once a test uses it.

It stands beside the package, since pytest imports it in every run: `import scorewright` would cost runs that have
nothing to do with it. Nothing is imported here but pytest, which is loaded already.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from scorewright.testing.plugin import Active

MARK = "scorewright"
_ACTIVE: pytest.StashKey[Active] = pytest.StashKey()
_SAID = (
    "scorewright(rows, *scorers, thresholds=…, gates=…): one test for each row, its outputs are scored, and one gate "
    "is held against all of them; the typed form is scorewright.testing.evaluated"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """How judges are answered, and where the report goes."""
    group = parser.getgroup("scorewright", "scorewright: evaluations as tests")
    group.addoption(
        "--scorewright-record",
        action="store_true",
        help="ask judges what no transcript holds yet, and record the replies beside the tests",
    )
    group.addoption("--scorewright-live", action="store_true", help="ask judges, whatever transcripts hold")
    group.addoption(
        "--scorewright-report",
        metavar="PATH",
        help="write a report: .html, .json, .md or .xml (JUnit); of several evaluations each gets its own",
    )
    group.addoption(
        "--scorewright-whole",
        action="store_true",
        help="a gate fails where only a part of its cases was selected; without it, it is skipped",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known, and refuse options that contradict each other."""
    config.addinivalue_line("markers", _SAID)
    config.pluginmanager.register(_Hearing(config), "scorewright-hearing")
    if config.getoption("--scorewright-live") and config.getoption("--scorewright-record"):
        raise pytest.UsageError("--scorewright-live reads no transcript and --scorewright-record writes them: give one")
    if config.getoption("--scorewright-report"):
        from scorewright.testing.plugin import checked_report

        checked_report(config)


def _active(config: pytest.Config) -> Active:
    """The plugin itself, loaded and registered at the first test that needs it."""
    active = config.stash.get(_ACTIVE, None)
    if active is None:
        from scorewright.testing.plugin import Active

        active = config.stash[_ACTIVE] = Active(config)
        config.pluginmanager.register(active, "scorewright-active")
    return active


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each row."""
    if metafunc.definition.get_closest_marker(MARK) is not None:
        _active(metafunc.config).generate(metafunc)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Refuse the mark of a class or a module of which no test takes `score`: all would pass unscored."""
    report = yield
    if report.passed and collector.get_closest_marker(MARK) is not None:
        why = _active(collector.config).collected(collector, report.result)
        if why:
            return pytest.CollectReport(collector.nodeid, "failed", why, [])
    return report


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Refuse a mark where pytest makes no parameters, as in a `unittest.TestCase`: it would be without effect."""
    marked = any(mark.name == MARK for mark in item.own_markers)
    if marked and "score" not in getattr(getattr(item, "callspec", None), "params", ()):
        from scorewright.testing.effect import MEND

        pytest.fail(f"the scorewright mark has no effect here: {MEND}", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Gate when all is done, also where the run was cut short; under xdist where all comes together."""
    active = session.config.stash.get(_ACTIVE, None)
    if active is not None:
        active.begin(session)
    try:
        return (yield)
    finally:
        active = session.config.stash.get(_ACTIVE, None)
        if active is not None:
            active.end(session)


class _Hearing:
    """Hears reports with the configuration, which the hook itself does not hand over."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a case came to."""
        if hasattr(report, MARK):
            _active(self._config).heard(report)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Show what every evaluation came to."""
    active = config.stash.get(_ACTIVE, None)
    if active is not None:
        active.show(terminalreporter)
