"""The typing contract: four checkers accept `src` and `typings/good`, and reject the marked lines of `typings/bad`."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import attrs
import pytest

pytestmark = pytest.mark.typing

ROOT = Path(__file__).parent.parent
GOOD, BAD = (sorted((ROOT / "typings" / kind).rglob("*.py")) for kind in ("good", "bad"))
SOURCES = sorted(
    file for room in ("scorewright", "_scorewright_pytest") for file in (ROOT / "src" / room).rglob("*.py")
)
MARK = re.compile(r"# E: \S")
FINDING = r"^\s*(?:ERROR |WARN )?(?P<path>[^\s:][^:\n]*\.py):(?P<line>\d+)(?::\d+)?(?:-\d+)?(?::\d+)?"


@attrs.frozen
class Checker:
    """How one checker is called so that it sees this interpreter's packages, and how a finding of its reads."""

    name: str
    options: tuple[str, ...]
    finding: str


MYPY = Checker("mypy", ("--python-executable", sys.executable, "--cache-dir", "{scratch}"), rf"{FINDING}: error: .*$")
PYRIGHT = Checker("pyright", ("--pythonpath", sys.executable), rf"{FINDING} - (?:error|warning): .*$")
TY = Checker(
    "ty",
    ("check", "--python", sys.executable, "--output-format", "concise", "--no-progress"),
    rf"{FINDING}: (?:error|warning)\[.*$",
)
PYREFLY = Checker(
    "pyrefly",
    ("check", "-c", "pyproject.toml", "--python-interpreter-path", sys.executable, "--output-format", "min-text"),
    rf"{FINDING}: .*$",
)
CHECKERS = (MYPY, PYRIGHT, TY, PYREFLY)


def call(module: str, *args: str) -> str:
    """What `python -m module` prints; a checker that is not installed skips the test, and fails it in CI."""
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        missing = f"{module} is not installed: pip install -e '.[test]'"
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)
    env = os.environ | {
        "MYPYPATH": "stubs",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1",  # else it asks the network for its newest version
        "PYTHONPATH": "src",
    }
    done = subprocess.run(
        [sys.executable, "-m", module, *args], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), f"{module} broke off ({done.returncode}):\n{done.stdout}{done.stderr}"
    return done.stdout


@cache
def findings(checker: Checker) -> dict[Path, dict[int, str]]:
    """Everything the checker says, by file and line: one run over all files."""
    with tempfile.TemporaryDirectory() as scratch:
        options = [option.format(scratch=scratch) for option in checker.options]
        said = call(checker.name, *options, *(str(file.relative_to(ROOT)) for file in [*SOURCES, *GOOD, *BAD]))
    found: dict[Path, dict[int, str]] = {}
    for match in re.finditer(checker.finding, said, re.MULTILINE):
        found.setdefault(ROOT / match["path"], {}).setdefault(int(match["line"]), match[0].strip())
    return found


def hold(said: Iterable[str]) -> None:
    """Fail with what was said, if anything was: one finding a line, and nothing of pytest's between."""
    text = "\n".join(said)
    if text:
        pytest.fail(text, pytrace=False)


any_checker = pytest.mark.parametrize("checker", CHECKERS, ids=lambda checker: checker.name)


@any_checker
def test_the_package_is_clean(checker: Checker) -> None:
    """The checker has nothing to say about the package."""
    hold([said for file in SOURCES for said in findings(checker).get(file, {}).values()])


@any_checker
@pytest.mark.parametrize("file", GOOD, ids=lambda file: file.stem)
def test_good_code_is_accepted(checker: Checker, file: Path) -> None:
    """The checker has nothing to say about code that is right."""
    hold(findings(checker).get(file, {}).values())


@any_checker
@pytest.mark.parametrize("file", BAD, ids=lambda file: file.stem)
def test_every_misuse_is_rejected(checker: Checker, file: Path) -> None:
    """The lines with findings are the lines marked `# E: why`."""
    marked = {number for number, line in enumerate(file.read_text().splitlines(), 1) if MARK.search(line)}
    found = findings(checker).get(file, {})
    assert marked, "a file of misuses marks at least one line"
    hold([found.get(line, f"{file}:{line}: no finding") for line in sorted(found.keys() ^ marked)])


def test_every_public_type_is_known() -> None:
    """A user's pyright sees the whole type of everything that scorewright exports."""
    report = json.loads(call("pyright", "--ignoreexternal", "--verifytypes", "scorewright", "--outputjson"))
    unknown = [symbol["name"] for symbol in report["typeCompleteness"]["symbols"] if not symbol["isTypeKnown"]]
    assert report["typeCompleteness"]["completenessScore"] == 1, unknown or report["generalDiagnostics"]


def test_stubs_tell_the_truth() -> None:
    """Each name in a stub exists in the installed package, with a signature that agrees."""
    packages = [folder.name for folder in (ROOT / "stubs").iterdir() if folder.is_dir()]
    said = call("mypy.stubtest", "--ignore-missing-stub", *packages)
    assert said.startswith("Success"), said
