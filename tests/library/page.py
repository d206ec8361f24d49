"""The page of ready scorers, out of the scorers: `python tests/library/page.py` writes docs/catalogue.md."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import attrs

from scorewright.cli.catalogue import asks, scale
from scorewright.library import examples
from scorewright.library.catalogue import Made, Ready, catalogue

RECORD = Path(examples.__file__).with_name("made.json")
PAGE = Path(__file__).parents[2] / "docs" / "catalogue.md"
HEAD = """\
# Catalogue of ready scorers

Every scorer of `scorewright.library`, told by the scorers themselves: this page is made of them, and `scorewright list`
shows the same, also where an extra is not installed. Each is an ordinary value that can be mapped and combined as in
[composing](composing.md). The pages on [checks, text and safety](library-text.md), [tools and
paths](library-trajectory.md) and [judged scorers](library-judged.md) say more.

- **needs**: what a run must hold, else it is not scorable. A reference is the third value of a `Run`.
- **asks**: how many questions the example puts to the judge; with a "+", longer runs or other options put more.
- **extra**: what `pip install 'scorewright[…]'` brings, without which the scorer cannot be made with its defaults.
- `Told` is what tells of a path: a `Path`, a `Trajectory`, an `AgentOutput` or an `AgentRun`.

The examples of a room share their first lines; `answering` gives what a judge might say, so that nobody is asked.
"""
TITLES = {
    "checks": "Checks",
    "text": "Texts",
    "safety": "Safety and form",
    "tools": "Tool calls",
    "trajectory": "Paths",
    "judged": "Judged",
}


def rendered() -> str:
    """The whole page."""
    rooms = [(room, tuple(found)) for room, found in groupby(catalogue(), lambda ready: ready.name.partition(".")[0])]
    return "\n".join((HEAD, *(line for room, found in rooms for line in of_room(room, found))))


def of_room(room: str, found: Sequence[Ready]) -> Iterator[str]:
    yield f"## {TITLES[room]}\n"
    yield "| scorer | judges | needs | asks | scale | extra |\n|---|---|---|---|---|---|"
    yield from map(row, found)
    yield f"\n```python\n{shared(found)}\n```\n"
    for ready in found:
        yield from of_one(ready)


def row(ready: Ready) -> str:
    name, made = ready.name.partition(".")[2], made_of(ready)
    cells = (f"[`{name}`](#{name})", judges(made), ", ".join(made.needs), asks(made), scale(made), ready.extra)
    return f"| {' | '.join(cell.replace(' | ', ' or ') for cell in cells)} |"


def judges(made: Made) -> str:
    against = f", against `{made.expected}`" if made.expected else ""
    return f"`{made.input}` → `{made.output}`{against}"


def shared(found: Sequence[Ready]) -> str:
    """The imports and definitions of a room, each once."""
    lines = dict.fromkeys(line for ready in found for line in ready.example.lines_before)
    imports: dict[str, set[str]] = {"scorewright": {"answering"}} if any(made_of(each).asks for each in found) else {}
    for line in lines:
        if line.startswith("from "):
            module, names = line.removeprefix("from ").split(" import ")
            imports.setdefault(module, set()).update(names.split(", "))
    defined = [line for line in lines if not line.startswith("from ")]
    ordered = sorted(defined, key=lambda line: "(" in line.partition("=")[2][:5])
    return "\n".join(
        (
            *(f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(imports.items())),
            "",
            *ordered,
        )
    ).strip()


def of_one(ready: Ready) -> Iterator[str]:
    yield f"### {ready.name.partition('.')[2]}\n"
    yield f"`{ready.name}{ready.signature}`\n"
    yield from (f"{paragraph}\n" for paragraph in (ready.says, *ready.formula))
    yield f"```python\n>>> round({doctest(ready)}.unwrap().score, 4)\n{round(made_of(ready).score, 4)}\n```\n"


def doctest(ready: Ready) -> str:
    return "\n... ".join(ready.example.call.split("\n"))


def made_of(ready: Ready) -> Made:
    assert not ready.lacks, f"{ready.name} cannot be made: pip install -e '.[test]'"
    return ready.made


def record() -> str:
    """What is told of the scorers that need an extra where that is not installed."""
    made = {ready.name: attrs.asdict(made_of(ready)) for ready in catalogue() if ready.extra}
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    RECORD.write_text(record())
    PAGE.write_text(rendered())
