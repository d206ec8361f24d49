"""What `scorewright check` does, once its options are read."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import attrs

from scorewright.cli.checking import Finding, check
from scorewright.cli.loading import UsageError
from scorewright.cli.streams import aside
from scorewright.cli.table import counted, shown

FINE, FOUND = 0, 1


def check_modules(modules: Sequence[str], rows: Path | None, /, *, as_json: bool, references: bool = False) -> int:
    """Check, and print a line a finding, as compilers do; the exit code."""
    if rows is not None and not rows.is_file():
        raise UsageError(f"there is no file {rows}")
    stdout = sys.stdout
    with aside():  # stdout is for the findings, whatever the modules print
        checked = check(modules, rows, references=references)
    if as_json:
        stdout.write(json.dumps({"ok": not checked.to_mend, **attrs.asdict(checked)}) + "\n")
    else:
        for found in checked.findings:
            stdout.write(_line(found) + "\n")
        size = f"{counted(checked.modules, 'module')}, {counted(checked.scorers, 'scorer')}"
        stdout.write(f"{size}, {checked.to_mend or 'nothing'} to mend\n")
    return FOUND if checked.to_mend else FINE


def _line(found: Finding) -> str:
    at = "".join(f":{number}" for number in (found.line, found.column) if number)
    code = f" [{found.code}]" if found.code else ""
    return f"{shown(found.file)}{at}: {found.kind}: {shown(found.message, 500)}{code}"
