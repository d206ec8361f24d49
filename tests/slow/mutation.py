"""Do the tests notice when a module is wrong? `python tests/slow/mutation.py [core/scale.py …]` (extra `mutation`).

mutmut changes one thing at a time in a copy of the sources and runs the tests of the same room, those that reach the
changed function, quickest first. Without names, all of `core` and `algebra` but `UNWRAPPABLE`. Prints what survived,
with the change, and what was killed; ends with 1 where less than 90 % of all were.

A scorer that a test module builds when it is imported is built before mutmut chooses a mutant: tests build their own.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

import attrs

ROOT = Path(__file__).parents[2]
HOUSE = ROOT / "src" / "scorewright"
ROOMS = ("algebra", "core")
# mutmut's wrappers are no async generators that may be closed while they run, and let what is no `Exception` out of a
# task group in another form: with these changed, the tests fail before any mutant is chosen.
UNWRAPPABLE = ("core/bench.py", "core/interpret.py", "core/portal.py")
ENOUGH = 0.9
COPIED = ("src", "tests", "pyproject.toml", "README.md")
SURVIVED, NOT_REACHED = 0, 33  # what mutmut notes as the exit code of a mutant's tests

# Without the laws on generated cases, which take most of the time: they would kill some more.
OPTIONS = ["-n0", "-p", "no:cacheprovider", "--hypothesis-profile", "mutation", "--ignore-glob", "*/test_laws.py"]
OPTIONS += ["--ignore-glob", "*/test_portal.py", "--ignore-glob", "*/test_bench.py"]  # minutes, of modules left out
OPTIONS += ["-p", "no:unraisableexception"]  # mutmut's wrappers leave coroutines behind that nobody closes
CONFTEST = '''
import json
from contextlib import suppress
from pathlib import Path

from hypothesis import Phase

settings.register_profile(
    "mutation", settings.get_profile("ci"), max_examples=15, database=None, phases=[Phase.explicit, Phase.generate]
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Quick tests first: most mutants need no other, and none waits for those that take seconds."""
    with suppress(OSError):
        took = json.loads(Path("mutmut-stats.json").read_text())["duration_by_test"]
        items.sort(key=lambda item: took.get(item.nodeid, 0.0))
        items[:] = [item for item in items if took.get(item.nodeid, 0.0) < 2.0] or items
'''

# A mutant that differs in nothing but one of these cannot be seen when it runs. It is counted apart.
IDLE = (
    re.compile(r"""\bcast\((None|"[^"]*"),"""),  # the type that a cast names is read by checkers only
    re.compile(r", (strict=\w+)?\)"),  # two columns of our own are equally long: the flag guards against a slip of ours
    re.compile(r"""\b\w+: (str|bool|int|float|Reducer) = ("\w*"|\w+)"""),  # mutmut passes the defaults of the original
    re.compile(r"AssertionError\(\w+\)"),  # said where nothing can come to
    re.compile(r'"(utf-8|UTF-8)"'),  # the same encoding
)


@attrs.frozen
class Tally:
    """What became of the mutants of a module; those that no test reaches survived too."""

    module: str
    killed: int
    survivors: Mapping[str, Sequence[str]]
    idle: int

    @property
    def told(self) -> str:
        """The survivors with what they change, and the sum."""
        changed = ["\n".join([name, *diff]) for name, diff in self.survivors.items()]
        share = share_of(self.killed, len(self.survivors))
        told = f"{self.module}: killed {self.killed}, survived {len(self.survivors)} ({share:.1%}), idle {self.idle}"
        return "\n".join([*changed, told])


def share_of(killed: int, survived: int) -> float:
    """The part that was killed; all, where there is nothing to change."""
    return killed / (killed + survived) if killed + survived else 1.0


def every_module() -> list[str]:
    """Those of the rooms that are held to it."""
    found = (path for room in ROOMS for path in (HOUSE / room).glob("*.py") if path.name != "__init__.py")
    return sorted({path.relative_to(HOUSE).as_posix() for path in found} - {*UNWRAPPABLE})


def left_out(modules: Sequence[str]) -> list[str]:
    """Tests that ask what a coroutine holds: nothing, where mutmut's wrapper is the coroutine."""
    wrapped = any("async def " in (HOUSE / module).read_text() for module in modules)
    return ["--ignore-glob", "*/test_closing.py"] if wrapped else []


def tests_of(room: str) -> list[str]:
    """The tests of a room; `core` is also held by what the algebra makes of it."""
    folders = [room.removesuffix(".py"), *(("algebra",) if room == "core" else ())]
    return [f"tests/{folder}" for folder in folders if (ROOT / "tests" / folder).is_dir()]


def copied(scratch: Path) -> None:
    """Copy the project, but for the slow tests."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, scratch / name, ignore=shutil.ignore_patterns("__pycache__", "slow"))
        else:
            shutil.copy(source, scratch / name)


def scratch_copy(scratch: Path, modules: Sequence[str], tests: Sequence[str]) -> None:
    """The project, with the choice written into its configuration."""
    copied(scratch)
    chosen = {
        "only_mutate": [f"src/scorewright/{module}" for module in modules],
        "pytest_add_cli_args_test_selection": list(tests),
        "pytest_add_cli_args": [*OPTIONS, *left_out(modules)],
        "timeout_multiplier": 4.0,
        "timeout_constant": 3.0,
    }
    written = (scratch / "pyproject.toml").read_text()
    written = re.sub(r"^pytest_add_cli_args = .*\n", "", written, flags=re.MULTILINE)
    lines = "".join(f"{option} = {json.dumps(value)}\n" for option, value in chosen.items())
    written = written.replace("[tool.mutmut]\n", f"[tool.mutmut]\n{lines}")
    written = written.replace('pythonpath = ["tests"]', 'pythonpath = ["src", "tests"]')
    (scratch / "pyproject.toml").write_text(written)
    for name in ("src", "tests"):  # on the path from the start: Python remembers a folder that was not there
        (scratch / "mutants" / name).mkdir(parents=True)
    conftest = scratch / "tests" / "conftest.py"
    conftest.write_text(conftest.read_text() + CONFTEST)


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
import json, sys
from mutmut.mutation.diff_apply import get_diff_for_mutant
shown = {name: get_diff_for_mutant(name).splitlines()[3:] for name in sys.argv[1:]}
print(json.dumps({name: [line for line in lines if line[:1] in "+-"] for name, lines in shown.items()}))
"""


def is_idle(diff: Sequence[str]) -> bool:
    """Whether a mutant differs from the program only in what cannot be seen when it runs."""
    before, after = ([line[1:] for line in diff if line.startswith(sign)] for sign in "-+")
    return any([seen.sub("", line) for line in before] == [seen.sub("", line) for line in after] for seen in IDLE)


def tally_of(scratch: Path, module: str) -> Tally:
    """What mutmut noted of a module."""
    noted = json.loads((scratch / "mutants" / "src" / "scorewright" / f"{module}.meta").read_text())
    codes: dict[str, int | None] = noted["exit_code_by_key"]
    left = [name for name, code in codes.items() if code in {SURVIVED, NOT_REACHED, None}]
    shown: dict[str, list[str]] = json.loads(python(scratch, "-c", SHOW, *left, capture=True).stdout)
    survivors = {name: diff for name, diff in shown.items() if not is_idle(diff)}
    return Tally(module, len(codes) - len(left), survivors, len(left) - len(survivors))


def main(arguments: Sequence[str]) -> int:
    """Run it on the named modules, room by room."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", default=every_module(), metavar="MODULE", help="below src/scorewright")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--tests", nargs="+", help="other tests than those of the modules' rooms")
    chosen = parser.parse_args(arguments)
    modules: list[str] = sorted(chosen.modules)
    if absent := [module for module in modules if not (HOUSE / module).is_file()]:
        parser.error(f"no such module below src/scorewright: {', '.join(absent)}")
    began, tallies, failed = perf_counter(), list[Tally](), False
    for room, group in itertools.groupby(modules, key=lambda module: module.split("/")[0]):
        named = list(group)
        with tempfile.TemporaryDirectory() as folder:
            scratch = Path(folder)
            scratch_copy(scratch, named, chosen.tests or tests_of(room))
            failed |= bool(python(scratch, "-m", "mutmut", "run", "--max-children", str(chosen.jobs)).returncode)
            tallies += [tally_of(scratch, module) for module in named]
    print(*(tally.told for tally in tallies), sep="\n")
    killed, survived = sum(tally.killed for tally in tallies), sum(len(tally.survivors) for tally in tallies)
    share, minutes = share_of(killed, survived), (perf_counter() - began) / 60
    print(f"together: killed {killed}, survived {survived} ({share:.1%}), in {minutes:.0f} minutes")
    return int(failed or share < ENOUGH)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
