"""The plan of the house, held: which room may use which, how long a module is, and where types may be silenced."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent
HOUSE = ROOT / "src" / "scorewright"
MODULES = sorted(HOUSE.rglob("*.py"))
OURS = [
    file
    for room in ("src", "tests", "stubs", "docs")
    for file in sorted((ROOT / room).rglob("*.py*"))
    if file.suffix in {".py", ".pyi"}
]

# From the ground floor up: a room uses those before it, and itself.
ROOMS = (
    "results", "faults", "wording", "shapes", "core", "judges", "algebra", "agents", "traces",
    "library", "suites", "statistics", "calibration", "reports", "live", "laws", "testing", "cli",
)  # fmt: skip

MAY_SAY_ANY = {
    "core/about.py": "asks whether a user's type is Any",
    "shapes/anatomy.py": "asks whether a user's type is Any",
}

SILENCER = re.compile(
    r"\b(?:type|pyright|ty|pyrefly): ?ignore(?:\[(?P<code>[\w\-, ]+)\])?"
    r"|\bnoqa(?:: ?(?P<rule>[A-Z]+[0-9]+(?:, ?[A-Z]+[0-9]+)*))?"
)

every_module = pytest.mark.parametrize("module", MODULES, ids=lambda file: str(file.relative_to(HOUSE)))


def room_of(module: Path) -> str:
    return module.relative_to(HOUSE).parts[0].removesuffix(".py")


def used(module: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of every import of the project, wherever in the module it stands."""
    package = ["scorewright", *module.relative_to(HOUSE).parts[:-1]]
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def comments(module: Path) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(module.read_text()).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@every_module
def test_a_room_uses_only_the_rooms_below(module: Path) -> None:
    """Every import points down, also inside functions and under TYPE_CHECKING; only the front doors see all."""
    room = room_of(module)
    assert room in {*ROOMS, "__init__", "__main__"}, f"{room} has no place in ROOMS yet"
    below = ROOMS if room in {"__init__", "__main__"} else ROOMS[: ROOMS.index(room) + 1]
    allowed = tuple(f"scorewright.{each}." for each in below)
    ours = [(line, name) for line, name in used(module) if f"{name}.".startswith("scorewright.")]
    assert [f"line {line}: {name}" for line, name in ours if not f"{name}.".startswith(allowed)] == []


@every_module
def test_a_module_is_one_concept(module: Path) -> None:
    """Near 300 lines it is two."""
    assert len(module.read_text().splitlines()) <= 300


@every_module
def test_no_module_says_any(module: Path) -> None:
    """`Any` is neither imported nor written, but for the reasons given above."""
    if str(module.relative_to(HOUSE)) in MAY_SAY_ANY:
        pytest.skip(MAY_SAY_ANY[str(module.relative_to(HOUSE))])
    said = [
        node.lineno
        for node in ast.walk(ast.parse(module.read_text()))
        if (isinstance(node, ast.Name) and node.id == "Any")
        or (isinstance(node, ast.Attribute) and node.attr == "Any")
        or (isinstance(node, ast.ImportFrom) and any(alias.name == "Any" for alias in node.names))
    ]
    assert said == []


def unexplained(comment: str) -> bool:
    """A silencer without a code, or without words that say why."""
    silencers = list(SILENCER.finditer(comment))
    reason = re.findall(r"\w+", SILENCER.sub("", comment))
    return bool(silencers) and (len(reason) < 2 or not all(each["code"] or each["rule"] for each in silencers))


@pytest.mark.parametrize("file", OURS, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_silenced_checker_is_told_which_and_why(file: Path) -> None:
    """Each ignore names the checker's code and gives a reason."""
    assert [f"line {line}: {comment}" for line, comment in comments(file) if unexplained(comment)] == []


@pytest.mark.parametrize(
    ("comment", "bad"),
    [
        ("# type: ignore", True),
        ("# type: ignore[misc]", True),
        ("# type: ignore  # the stub is wrong", True),
        ("# type: ignore[misc]  # the stub is wrong", False),
        ("# pyright: ignore[reportUnknownMemberType]", True),
        ("# noqa", True),
        ("# noqa: BLE001", True),
        ("# noqa: BLE001 - a user's function may raise anything", False),
        ("# type: ignore[misc]  # noqa: E501", True),
        ("# a plain comment", False),
    ],
)
def test_the_rule_on_silencers_is_itself_held(comment: str, bad: bool) -> None:
    """Codes without reasons, and reasons without codes, are found."""
    assert unexplained(comment) is bad
