"""Do the tests notice when a module is wrong that mutmut cannot wrap? `python tests/slow/whole_mutation.py [core/…]`.

mutmut's changes of functions, one at a time. The tests are collected once; for each mutant a forked child gives the
functions the changed code and runs them until one fails. What tests start as programs of their own
reads the changed file, which is written into a copy of the sources. Prints what survived, and ends with 1 where less
than 90 % were killed (extra `mutation`).
"""

from __future__ import annotations

import argparse
import difflib
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from types import CodeType, FunctionType

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from mutation import ENOUGH, HOUSE, UNWRAPPABLE, Tally, copied, is_idle, share_of

# The tests that hold a module.
TESTS = {
    "core/bench.py": ("core/test_bench.py", "core/test_showing.py"),
    "core/feedback.py": ("core/test_feedback.py",),
    "core/interpret.py": (
        "core/test_interpret.py",
        "core/test_answering.py",
        "core/test_guard.py",
        "algebra/test_closing.py",
        "algebra/test_combining.py",
    ),
    "core/portal.py": ("core/test_portal.py", "core/test_interpret.py"),
}
OPTIONS = ["-q", "-n0", "-p", "no:cacheprovider", "-p", "no:returns", "-o", "addopts=", "--import-mode=importlib"]
OPTIONS += ["-m", "not slow and not local"]
FOUND = "found.json"
ENDED = 100  # the status of a child whose tests passed: a mutant may end its process with 0
PATIENCE = 8.0  # seconds that a test may take beyond four times what it took; then it hangs, and the mutant is killed


def mutants_of(source: str, filename: str) -> list[str]:
    """The source with one thing changed, for each thing in a function that mutmut would change."""
    from libcst import FunctionDef, Module
    from mutmut.mutation.file_mutation import create_mutations

    module, mutations, _, _ = create_mutations(filename, source)
    inside = (each for each in mutations if isinstance(each.contained_by_top_level_function, FunctionDef))
    changed = (module.deep_replace(each.original_node, each.mutated_node) for each in inside)
    return [each.code for each in changed if isinstance(each, Module)]


def changed_lines(before: str, after: str) -> list[str]:
    """What a mutant changes, in the order of a diff."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++"))]


def functions_in(code: CodeType) -> Iterator[CodeType]:
    """The code of every function of a module or a class."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from functions_in(part)


def put_in(name: str, code: CodeType) -> None:
    """Let the functions of a module that was imported do what this code says."""
    new = {each.co_qualname: each for each in functions_in(code)}
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__module__ == name:
            changed = new.get(each.__code__.co_qualname)
            if changed is not None and changed.co_freevars == each.__code__.co_freevars:
                each.__code__ = changed


class Mutants:
    """Instead of running the tests, runs them once for each mutant, each time in a child."""

    def __init__(self, module: str) -> None:
        self._path = Path("src/scorewright") / module
        self._name = f"scorewright.{module.removesuffix('.py').replace('/', '.')}"
        self._child = self._mutated = False
        self._took: dict[str, float] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """In a child `None`: let pytest run the tests."""
        source = self._path.read_text()
        mutants = mutants_of(source, str(self._path))
        if self._status(session, None) is None:
            return None
        self._took = json.loads(Path(FOUND).read_text())
        files = list(dict.fromkeys(item.path for item in session.items))
        session.items.sort(key=lambda item: (files.index(item.path), self._took.get(item.nodeid, 0.0)))
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        found: list[list[str]] = []
        for mutant in mutants:
            self._path.write_text(mutant)
            Path(cache_from_source(str(self._path))).unlink(missing_ok=True)
            status = self._status(session, mutant)
            if status is None:
                return None
            found.append(changed_lines(source, mutant) if status == ENDED else [])
            Path(FOUND).write_text(json.dumps(found))
        self._path.write_text(source)
        return True

    def _status(self, session: pytest.Session, mutant: str | None) -> int | None:
        """How the tests ended in a child; `None` in the child itself."""
        if child := os.fork():
            _, code = os.waitpid(child, 0)
            with suppress(ProcessLookupError):  # what the tests left
                os.killpg(child, signal.SIGKILL)
            if mutant is None and os.waitstatus_to_exitcode(code) != ENDED:
                pytest.exit(
                    f"the tests fail without any mutant ({os.waitstatus_to_exitcode(code) - ENDED})", returncode=1
                )
            return os.waitstatus_to_exitcode(code)
        os.setsid()
        self._child, self._mutated = True, mutant is not None
        session.config.option.maxfail = 1
        if mutant is not None:
            put_in(self._name, compile(mutant, str(self._path), "exec", dont_inherit=True))
        return None

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """A test that hangs is ended, and so is its process."""
        if self._mutated:
            signal.setitimer(signal.ITIMER_REAL, PATIENCE + 4 * self._took.get(item.nodeid, 0.0))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """How long each took, in the child without a mutant."""
        if self._child and report.when == "call":
            self._took[report.nodeid] = report.duration

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """A child ends here."""
        if self._child:
            if not self._mutated:
                Path(FOUND).write_text(json.dumps(self._took))
            os._exit(ENDED + int(exitstatus))


def run_here(module: str, tests: Sequence[str]) -> int:
    """In the copy: the tests of one module against its mutants."""
    importlib.invalidate_caches()
    return int(pytest.main([*OPTIONS, *(f"tests/{name}" for name in tests)], plugins=[Mutants(module)]))


def tally_of(module: str, tests: Sequence[str]) -> Tally:
    """What became of the mutants of a module."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        copied(scratch)
        path = os.pathsep.join(str(scratch / name) for name in ("src", "tests"))
        arguments = [sys.executable, str(Path(__file__)), module, "--tests", *tests, "--here"]
        subprocess.run(arguments, cwd=scratch, env=os.environ | {"CI": "true", "PYTHONPATH": path}, check=True)
        found: list[list[str]] = json.loads((scratch / FOUND).read_text())
    left = {f"{module} {number}": diff for number, diff in enumerate(found) if diff}
    survivors: Mapping[str, Sequence[str]] = {name: diff for name, diff in left.items() if not is_idle(diff)}
    return Tally(module, len(found) - len(left), survivors, len(left) - len(survivors))


def main(arguments: Sequence[str]) -> int:
    """Run it on the named modules, one after another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", default=UNWRAPPABLE, metavar="MODULE", help="below src/scorewright")
    parser.add_argument("--tests", nargs="+", help="other tests than those that hold the module, below tests")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    modules: list[str] = list(chosen.modules)
    if absent := [each for each in modules if not (HOUSE / each).is_file() or not (chosen.tests or each in TESTS)]:
        parser.error(f"no such module, or no tests of it: {', '.join(absent)}")
    if chosen.here:
        return run_here(modules[0], chosen.tests)
    tallies = [tally_of(module, chosen.tests or TESTS[module]) for module in modules]
    print(*(tally.told for tally in tallies), sep="\n")
    share = share_of(sum(tally.killed for tally in tallies), sum(len(tally.survivors) for tally in tallies))
    return int(share < ENOUGH)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
