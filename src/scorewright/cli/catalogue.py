"""`scorewright list`: the ready scorers of the library, or one of them in full."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

import attrs

from scorewright.cli.loading import UsageError
from scorewright.cli.table import columns_of, console_on, shown
from scorewright.library.catalogue import ROOMS, Made, Ready, catalogue, found

_NARROW: Final = 11  # of columns that are cut so that what a scorer says keeps its place
_LEAST: Final = 40
_GAP: Final = 2  # between two columns


def list_scorers(name: str = "", /, *, as_json: bool = False) -> int:
    """Print all ready scorers, those of a room, such as "text", or in full those of a name: "text.bleu", "bleu"."""
    listed = found(name) if name else catalogue()
    if not listed:
        raise UsageError(f"the library has no scorer {name}{_meant(name)}; scorewright list names all")
    if as_json:
        sys.stdout.write(json.dumps({"schema_version": 1, "scorers": list(map(held, listed))}, ensure_ascii=False))
        sys.stdout.write("\n")
    elif name and name not in ROOMS:
        sys.stdout.write("\n".join(map(_details, listed)))
    else:
        _print_table(listed)
    return 0


def held(ready: Ready, /) -> dict[str, object]:
    """One scorer as JSON holds it."""
    told: dict[str, object] = attrs.asdict(ready)
    told["example"] = ready.example.code
    return told


def _print_table(listed: Sequence[Ready]) -> None:
    names = ("scorer", "output", "needs", "asks", "best", "")
    rows = [tuple(map(shown, (ready.name, *_columns(ready), ready.says))) for ready in listed]
    table, console = columns_of(*names), console_on(sys.stdout)
    widths = [max(len(row[at]) for row in (names, *rows)) for at in range(len(names))]
    if sum(widths[:-1]) + _LEAST > console.width:  # names are whole, whatever the width
        widths[1:3] = [min(width, _NARROW) for width in widths[1:3]]
    widths[-1] = max(console.width - sum(widths[:-1]) - _GAP * (len(names) - 1), 1)
    for width, column in zip(widths, table.columns, strict=True):
        column.no_wrap, column.overflow, column.width = True, "ellipsis", width
    for row in rows:
        table.add_row(*row)
    with console.capture() as captured:  # rich would end the process when nobody reads any more
        console.print(table)
    sys.stdout.write(captured.get())


def _columns(ready: Ready) -> tuple[str, str, str, str]:
    made = ready.made
    best = made.high if made.better == "higher" else made.low
    needs = (*([f"extra {ready.extra}"] if ready.lacks else []), *made.needs)
    return made.output.partition(" |")[0], ", ".join(needs), asks(made), f"{best:g}"


def _meant(name: str) -> str:
    """Names that look much like it."""
    names = [ready.name for ready in catalogue()]
    near = get_close_matches(name, [*names, *(each.partition(".")[2] for each in names), *ROOMS], n=1, cutoff=0.7)
    return f", did you mean {near[0]}" if near else ""


def asks(made: Made, /) -> str:
    """How many questions its example takes; a "+" where its options or its runs may make more of them."""
    return f"{made.asks}{'+' if made.more else ''}" if made.asks else ""


def scale(made: Made, /) -> str:
    """Both ends, and which is the good one where it is not the upper."""
    return f"{made.low:g}..{made.high:g}{', lower is better' if made.better == 'lower' else ''}"


def _details(ready: Ready) -> str:
    made = ready.made
    lines = [f"{ready.name}{ready.signature}", "", ready.says, *ready.formula, ""]
    lines += [f"judges      {made.input} → {made.output}"]
    lines += [f"reference   {made.expected}"] if made.expected else []
    lines += [f"needs       {', '.join(made.needs)}"] if made.needs else []
    lines += [f"asks        {_questions(made)}"] if made.asks else []
    lines += [f"scale       {scale(made)}"]
    lines += [f"extra       {ready.extra}: pip install 'scorewright[{ready.extra}]'"] if ready.extra else []
    lines += [f"source      {ready.module}", "", "Example:", "", *_indented(ready.example.code)]
    lines += ["", *_indented(f"# {made.score:.4g}: {made.reason}".replace("\n", "\n# "))]
    return "\n".join([*map(_safe, lines), ""])


def _questions(made: Made) -> str:
    return f"{made.asks} in its example{f', more by {made.more}' if made.more else ''}"


def _indented(text: str) -> list[str]:
    return [f"    {line}" if line else "" for line in text.split("\n")]


def _safe(line: str) -> str:
    return shown(line, 10_000)
