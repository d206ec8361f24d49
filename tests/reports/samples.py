"""Evaluations that the tests report on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from scorewright import NotScorable, Scorer, create_scorer, err, ok, pure
from scorewright.core import Step
from scorewright.faults import Fault
from scorewright.reports import Report, report_of, report_of_items
from scorewright.suites import ItemRecord, Suite, evaluate_sync


def _number(step: Step[object, object, None, None]) -> object:
    said = str(step.run.output)
    if said.startswith("none"):
        return err(NotScorable("it says none"))
    if said.startswith("fail"):
        raise ValueError(said)
    return ok(float(said))


# the score is the output; "none" is not scorable, "fail …" raises
number: Scorer[object, object, object, Fault] = (
    create_scorer("number", input=object, output=object)
    .generate_score(_number)  # type: ignore[arg-type]  # several kinds of outcome
    .generate_reason(pure(lambda s: f"it says {s.run.output}"))
)
waste: Scorer[object, object, object, Fault] = create_scorer(
    "waste", input=object, output=object, better="lower"
).generate_score(pure(lambda s: min(len(str(s.run.output)) / 10, 1.0)))


def rows(*outputs: str) -> list[dict[str, object]]:
    return [{"id": f"r{at}", "input": f"question {at}", "output": output} for at, output in enumerate(outputs)]


def evaluated(suite: Suite, given: Sequence[dict[str, object]], **more: object) -> list[ItemRecord]:
    items: list[ItemRecord] = []
    evaluate_sync(suite, given, on_item=items.append, **more)  # type: ignore[arg-type]  # handed through
    return items


def reported(suite: Suite, given: Sequence[dict[str, object]], **more: object) -> Report:
    return report_of_items(evaluated(suite, given, **more), suite)


def stored(suite: Suite, given: Sequence[dict[str, object]], path: Path) -> Report:
    """The report of a store whose settings tell scales and directions."""
    evaluate_sync(suite, given, store=path)
    about = {
        each.id: {"scale": [each.scorer.scale.low, each.scorer.scale.high], "better": each.scorer.better}
        for each in suite.assigned
    }
    with closing(sqlite3.connect(path)) as opened:
        ((spec,),) = opened.execute("select spec from experiment").fetchall()
        opened.execute("update experiment set spec = ?", [json.dumps({**json.loads(spec), "about": about})])
        opened.commit()
    return report_of(path)


SCRIPT = "</script><script>alert(2)</script>"
HOSTILE = {
    "tag": "<img src=x onerror=alert(1)>",
    "attribute": 'a" onmouseover="x',
    "script": SCRIPT,
    "comment": "<!-- --><script>",
    "cdata": "]]><b>",
    "formula": '=HYPERLINK("http://evil.example","x")',
    "markdown": "| **x** [a](http://evil.example) ![i](http://evil.example/i.png) `@all` <b>\n# head",
    "command": "x\n::error::pwned",
    "escape": "\x1b[31mred\x1b[0m\x00\x07\x9b",
    "direction": "safe\u202egnp.exe\u2066\u200f",
    "surrogate": "\ud800 alone",
    "markup": "[bold red]rich[/] :smile:",
}


def hostile() -> Report:
    """Every hostile text as an id, an input, an output, a reason, a tag, a group; one text of a megabyte."""
    echo = create_scorer("<s>echo", input=str, output=str).generate_score(pure(lambda _: 0.5))
    said = echo.generate_reason(pure(lambda s: s.run.output))
    given: list[dict[str, object]] = [
        {"id": f"{name} {text}", "input": text, "output": text, "tags": [text], "group": text, "expected": text}
        for name, text in HOSTILE.items()
    ]
    given.append({"id": "long", "input": "x" * 1_000_000, "output": "y" * 1_000_000})
    return report_of_items(evaluated(Suite(said, number, name=SCRIPT), given), Suite(said, number, name=SCRIPT))
