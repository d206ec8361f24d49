"""A report as a file; the suffix says which."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Final

from scorewright.faults import DefinitionError
from scorewright.reports.as_json import json_text
from scorewright.reports.html.page import page
from scorewright.reports.junit import junit
from scorewright.reports.markdown import markdown
from scorewright.reports.report import Report

WRITERS: Final[Mapping[str, Callable[[Report], str]]] = {
    ".html": page,
    ".json": json_text,
    ".md": markdown,
    ".xml": junit,
}


def write_report(report: Report, path: str | PathLike[str], /) -> None:
    """Write the report as `.html`, `.json`, `.md` or `.xml` (JUnit); the file appears when it is whole.

    Another suffix raises `DefinitionError`; what the disk refuses raises `OSError`.
    """
    whole = Path(path)
    writer = WRITERS.get(whole.suffix.lower())
    if writer is None:
        raise DefinitionError(f"a report is written as {', '.join(WRITERS)}, not {whole.suffix or whole.name!r}")
    beside = whole.with_name(f".{whole.name}.{os.getpid()}.new")
    try:
        beside.write_text(writer(report), encoding="utf-8", errors="backslashreplace", newline="\n")
        beside.replace(whole)
    finally:
        beside.unlink(missing_ok=True)
