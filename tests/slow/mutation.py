"""Do the tests notice when a module is wrong? `python tests/slow/mutation.py core/scale.py …` (extra `mutation`).

mutmut changes one thing at a time in a copy of the sources and runs the tests of the same room, those that reach the
changed function. Prints what was killed and what survived, with the change; ends with 1 below 90 % in any module.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import attrs

ROOT = Path(__file__).parents[2]
HOUSE = ROOT / "src" / "scorewright"
SMALL = ("core/scale.py", "core/program.py", "core/evaluation.py", "core/plan.py", "core/guard.py", "core/pipeline.py")
ENOUGH = 0.9
COPIED = ("src", "tests", "pyproject.toml", "README.md")
SURVIVED, NOT_REACHED = 0, 33  # what mutmut notes as the exit code of a mutant's tests


@attrs.frozen
class Tally:
    """What became of the mutants of a module; those that no test reaches survived too."""

    module: str
    killed: int
    survivors: tuple[str, ...]

    @property
    def share(self) -> float:
        """The part that was killed; all, where there is nothing to change."""
        total = self.killed + len(self.survivors)
        return self.killed / total if total else 1.0


def tests_of(modules: Iterable[str]) -> list[str]:
    """The tests of the rooms that the modules stand in; `core` is also held by its laws."""
    rooms = dict.fromkeys(module.split("/")[0].removesuffix(".py") for module in modules)
    folders = [f"tests/{each}" for room in rooms for each in ((room, "laws") if room == "core" else (room,))]
    return [folder for folder in dict.fromkeys(folders) if (ROOT / folder).is_dir()]


def scratch_copy(scratch: Path, modules: Sequence[str], tests: Sequence[str]) -> None:
    """The project, with the choice written into its configuration."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, scratch / name, ignore=shutil.ignore_patterns("__pycache__", "slow"))
        else:
            shutil.copy(source, scratch / name)
    chosen = (
        f"only_mutate = {json.dumps([f'src/scorewright/{module}' for module in modules])}\n"
        f"pytest_add_cli_args_test_selection = {json.dumps(list(tests))}\n"
    )
    settings = scratch / "pyproject.toml"
    written = settings.read_text().replace("[tool.mutmut]\n", f"[tool.mutmut]\n{chosen}")
    settings.write_text(written.replace('pythonpath = ["tests"]', 'pythonpath = ["src", "tests"]'))


def python(scratch: Path, *arguments: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
    """Run it in the copy: repeatable examples, and no sources but the copied ones."""
    path = os.pathsep.join(map(str, (scratch / "mutants" / "src", scratch / "mutants" / "tests")))
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=scratch,
        env=os.environ | {"CI": "true", "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE if capture else None,
        text=True,
        check=False,
    )


SHOW = """
import sys
from mutmut.mutation.diff_apply import get_diff_for_mutant
for name in sys.argv[1:]:
    diff = get_diff_for_mutant(name).splitlines()[3:]
    print(name, *(line for line in diff if line[:1] in "+-"), sep="\\n")
"""


def tally_of(scratch: Path, module: str) -> Tally:
    """What mutmut noted of a module."""
    noted = json.loads((scratch / "mutants" / "src" / "scorewright" / f"{module}.meta").read_text())
    codes: dict[str, int | None] = noted["exit_code_by_key"]
    left = tuple(name for name, code in codes.items() if code in {SURVIVED, NOT_REACHED, None})
    return Tally(module, len(codes) - len(left), left)


def main(arguments: Sequence[str]) -> int:
    """Run it on the named modules."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", default=SMALL, metavar="MODULE", help="a path below src/scorewright")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--tests", nargs="+", help="other tests than those of the modules' rooms")
    chosen = parser.parse_args(arguments)
    modules: list[str] = list(chosen.modules)
    if absent := [module for module in modules if not (HOUSE / module).is_file()]:
        parser.error(f"no such module below src/scorewright: {', '.join(absent)}")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        scratch_copy(scratch, modules, chosen.tests or tests_of(modules))
        ran = python(scratch, "-m", "mutmut", "run", "--max-children", str(chosen.jobs))
        tallies = [tally_of(scratch, module) for module in modules]
        left = [name for tally in tallies for name in tally.survivors]
        print(python(scratch, "-c", SHOW, *left, capture=True).stdout)
    for tally in tallies:
        print(f"{tally.module}: killed {tally.killed}, survived {len(tally.survivors)} ({tally.share:.1%} killed)")
    return ran.returncode or int(any(tally.share < ENOUGH for tally in tallies))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
