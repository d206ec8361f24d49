"""Real runs of pytest, in processes of their own: a project of a few files, and what came of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

import attrs

ROOT = Path(__file__).parent.parent.parent
HEAD = """
import pytest
from scorewright import Judge, Run, create_scorer, err, NotScorable, pure, quoted, verdict_prompt
from scorewright.suites import Row, Steps, Suite, at_least, pass_rate
from scorewright.testing import Case, Score, evaluated

equal = create_scorer("equal", input=str, output=str, expected=str).generate_score(
    pure(lambda s: float(s.run.output == s.run.expected))
)
short = create_scorer("short", input=str, output=str).generate_score(pure(lambda s: float(len(s.run.output) < 9)))
ROWS = [{"id": f"r{n}", "input": f"q{n}", "expected": "yes"} for n in range(4)]
"""
ISOLATED = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "CI")


@attrs.frozen
class Ran:
    """One run: the exit code, what was printed, and how many tests came to what."""

    code: int
    output: str

    @property
    def counts(self) -> Mapping[str, int]:
        """From the last line."""
        last = [line for line in self.output.splitlines() if re.search(r" in \d", line)][-1]
        return {
            word.rstrip("s"): int(number) for number, word in re.findall(r"(\d+) (\w+)", last.rpartition(" in ")[0])
        }

    def said(self, *texts: str) -> bool:
        """Whether all of these were printed."""
        missing = [text for text in texts if text not in self.output]
        assert not missing, f"not said: {missing}\n{self.output}"
        return True


@attrs.frozen
class Project:
    """A folder with tests. `HEAD` stands before each file of tests."""

    folder: Path

    def write(self, **files: str) -> Project:
        """Write files; `test_a="…"` is `test_a.py`."""
        for name, text in files.items():
            head = HEAD if name.startswith("test_") else ""
            (self.folder / f"{name}.py").write_text(head + text)
        return self

    def put(self, name: str, text: str) -> Project:
        """Write any file."""
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)
        return self

    def run(
        self, *options: str, env: Mapping[str, str] | None = None, plugin: bool = True, cached: bool = False
    ) -> Ran:
        """Run pytest here, with warnings as errors and no plugins but ours."""
        own = {name: value for name, value in os.environ.items() if name not in ISOLATED}
        places = [str(ROOT / "src"), str(ROOT / "tests")]
        command = [
            *(sys.executable, "-W", "error", "-m", "pytest", "--strict-markers", "--rootdir", str(self.folder)),
            *(("-p", "_scorewright_pytest.plugin") if plugin else ()),
            *(() if cached else ("-p", "no:cacheprovider")),
            *("-c", os.devnull),
            *options,
        ]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=own
            | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": os.pathsep.join(places), "COLUMNS": "160"}
            | {"PYTHONDONTWRITEBYTECODE": "1"}
            | (dict(env) if env else {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return Ran(done.returncode, done.stdout)

    def junit(self, *options: str) -> tuple[Ran, Iterator[ElementTree.Element]]:
        """The same, and the test cases of JUnit's file."""
        ran = self.run("--junitxml=junit.xml", *options)
        return ran, ElementTree.parse(self.folder / "junit.xml").iter("testcase")


XDIST = ("-p", "xdist.plugin", "-n", "2")
