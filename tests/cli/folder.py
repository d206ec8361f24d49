"""Running the real command in a folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import cast

import attrs

ROOT = Path(__file__).parent.parent.parent
COMMAND = (sys.executable, "-W", "error", "-m", "scorewright.cli")

SCORERS = """
from scorewright import NotScorable, Scale, create_scorer, err, ok, pure

share = (
    create_scorer("share", input=str, output=str)
    .preprocess(pure(lambda s: s.run.output.split()))
    .generate_score(pure(lambda s: s.pre.count("good") / len(s.pre)))
    .generate_reason(lambda s: ok(f"{s.pre.count('good')} of {len(s.pre)}"))
)
same = create_scorer("same", input=str, output=str, expected=str).generate_score(
    pure(lambda s: s.run.output == s.run.expected)
)
both = [share, same]
number = 7
"""


def environment(**more: str) -> dict[str, str]:
    """Ours, with the source tree in front; nothing of the terminal that runs the tests."""
    kept = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "FORCE_COLOR", "NO_COLOR"}}
    return kept | {"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"} | more


@attrs.frozen
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, object]:
        """What `--json` printed: one JSON value and nothing else."""
        return cast("dict[str, object]", json.loads(self.out))


@attrs.frozen
class Folder:
    """Where the command is run, and what lies there."""

    path: Path

    def rows(self, *rows: object, name: str = "runs.jsonl") -> None:
        """A file of runs."""
        self.lines([row if isinstance(row, str) else json.dumps(row) for row in rows], name=name)

    def lines(self, lines: Iterable[str], name: str = "runs.jsonl") -> None:
        """A file of lines, valid or not."""
        (self.path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        """Any file."""
        (self.path / name).write_text(text, encoding="utf-8")

    def results(self, name: str = "results.jsonl") -> list[dict[str, object]]:
        """The records of a results file."""
        text = (self.path / name).read_text(encoding="utf-8")
        return [cast("dict[str, object]", json.loads(line)) for line in text.split("\n") if line]

    def score(self, *options: str, given: bytes = b"", **more: str) -> Done:
        """`scorewright score …`, here."""
        return self.call("score", *options, given=given, **more)

    def call(self, *tokens: str, given: bytes = b"", **more: str) -> Done:
        """`scorewright …`, here."""
        done = subprocess.run(
            [*COMMAND, *tokens], cwd=self.path, env=environment(**more), input=given, capture_output=True, check=False
        )
        return Done(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
