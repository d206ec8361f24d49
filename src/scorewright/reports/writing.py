"""A report, a comparison or a calibration as a file; the suffix says which."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Final, TypeVar

from scorewright.faults import DefinitionError
from scorewright.reports.as_json import json_text
from scorewright.reports.calibrated_json import calibration_text
from scorewright.reports.calibrated_texts import calibration_markdown
from scorewright.reports.compared import comparison_markdown, comparison_text
from scorewright.reports.comparison import RunComparison
from scorewright.reports.html.calibrating import calibration_page
from scorewright.reports.html.comparing import comparison_page
from scorewright.reports.html.page import page
from scorewright.reports.junit import junit
from scorewright.reports.markdown import markdown
from scorewright.reports.report import Report
from scorewright.reports.shown import CalibrationReport

T = TypeVar("T")
WRITERS: Final[Mapping[str, Callable[[Report], str]]] = {
    ".html": page,
    ".json": json_text,
    ".md": markdown,
    ".xml": junit,
}
COMPARISON_WRITERS: Final[Mapping[str, Callable[[RunComparison], str]]] = {
    ".html": comparison_page,
    ".json": comparison_text,
    ".md": comparison_markdown,
}
CALIBRATION_WRITERS: Final[Mapping[str, Callable[[CalibrationReport], str]]] = {
    ".html": lambda report: calibration_page(report.calibration, report.source),
    ".json": lambda report: calibration_text(report.calibration),
    ".md": lambda report: calibration_markdown(report.calibration),
}


def write_report(report: Report, path: str | PathLike[str], /) -> None:
    """Write the report as `.html`, `.json`, `.md` or `.xml` (JUnit); the file appears when it is whole.

    Another suffix raises `DefinitionError`; what the disk refuses raises `OSError`.
    """
    _written(report, Path(path), WRITERS, "a report")


def write_comparison(compared: RunComparison, path: str | PathLike[str], /) -> None:
    """Write two evaluations compared as `.html`, `.json` or `.md`, as `write_report` does."""
    _written(compared, Path(path), COMPARISON_WRITERS, "a comparison")


def write_calibration(report: CalibrationReport, path: str | PathLike[str], /) -> None:
    """Write a calibration as `.html`, `.json` or `.md`, as `write_report` does."""
    _written(report, Path(path), CALIBRATION_WRITERS, "a calibration")


def _written(given: T, whole: Path, writers: Mapping[str, Callable[[T], str]], what: str) -> None:
    writer = writers.get(whole.suffix.lower())
    if writer is None:
        raise DefinitionError(f"{what} is written as {', '.join(writers)}, not {whole.suffix or whole.name!r}")
    beside = whole.with_name(f".{whole.name}.{os.getpid()}.new")
    try:
        beside.write_text(writer(given), encoding="utf-8", errors="backslashreplace", newline="\n")
        beside.replace(whole)
    finally:
        beside.unlink(missing_ok=True)
