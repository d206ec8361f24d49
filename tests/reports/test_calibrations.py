"""A calibration as a page, Markdown, JSON and a table: the same numbers, and every text of others only text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import attrs
import numpy as np
import pytest
from jsonschema import Draft202012Validator
from reports.samples import HOSTILE, SCRIPT
from reports.test_hostile import Seen
from reports.test_writers import printed

from scorewright import DefinitionError, Scale
from scorewright.calibration import Calibration, LabelledRow, calibration
from scorewright.reports import (
    CALIBRATION_WRITERS,
    CalibrationReport,
    calibration_fragment,
    calibration_json,
    calibration_markdown,
    calibration_page,
    calibration_schema,
    calibration_text,
    write_calibration,
)


def labelled(n: int = 120) -> list[LabelledRow]:
    drawn = np.random.default_rng(4)
    made: list[LabelledRow] = []
    for at in range(n):
        score = round(float(drawn.random()), 3)
        said = tuple(bool(drawn.random() < score) for _ in range(3))
        made.append(LabelledRow(f"r{at}", score, said, told=f"reason {at}", input=f"question {at}", output="answer"))
    made += [LabelledRow("lost", None, (True,), "failed", told="the judge was silent"), LabelledRow("free", 0.5)]
    return made


def passes(**more: object) -> Calibration:
    return calibration(labelled(), scorer="helpful", **more)  # type: ignore[arg-type]  # handed through


def levels() -> Calibration:
    rows = [attrs.evolve(row, labels=(("bad", "fair", "good")[int((row.score or 0) * 2.99)],)) for row in labelled(40)]
    return calibration(rows, levels=["bad", "fair", "good"])


def numbers() -> Calibration:
    rows = [LabelledRow(str(at), at * 1.5, (at * 1.4 + 0.3,)) for at in range(30)]
    return calibration(rows, scale=Scale(0, float("inf")))


EVERY = {
    "passes": passes,
    "given": lambda: passes(threshold=0.4),
    "cost": lambda: passes(criterion="cost", costs=(2.0, 1.0), level=0.9),
    "lower": lambda: calibration(
        [attrs.evolve(row, score=None if row.score is None else 1 - row.score) for row in labelled()], better="lower"
    ),
    "levels": levels,
    "numbers": numbers,
    "nothing": lambda: calibration([]),
    "one": lambda: calibration([LabelledRow("a", 0.5, (True,))]),
    "failed": lambda: calibration(
        [LabelledRow("a", None, (True,), "failed"), LabelledRow("b", None, (False,), "failed")]
    ),
}
every = pytest.mark.parametrize("name", EVERY)


@every
def test_json_keeps_the_published_schema(name: str) -> None:
    """Whatever there is, or is not; no NaN."""
    schema = calibration_schema()
    Draft202012Validator.check_schema(schema)
    held = json.loads(calibration_text(EVERY[name]()))
    Draft202012Validator(schema).validate(held)
    assert held["schema_version"] == 1


@every
def test_every_format_can_be_made(name: str) -> None:
    """Of every kind of labels, and of nothing; sections are linked and their names differ."""
    found = EVERY[name]()
    seen = Seen(calibration_page(found, "rows.jsonl"))
    ids = [value for key, value in seen.attributes if key == "id"]
    assert len(ids) == len({*ids})
    for key, value in seen.attributes:
        if key in {"href", "aria-labelledby"}:
            assert (value or "").removeprefix("#") in ids
    assert not [value for key, value in seen.attributes if key in {"src", "srcset"}]
    told = calibration_markdown(found)
    assert told.startswith("# Calibration of ")
    assert "nan" not in told.lower()
    assert str(found.coverage) in printed(CalibrationReport(found), 120)


def test_the_same_numbers_stand_in_every_format() -> None:
    """Agreement, threshold, errors, means."""
    found = passes()
    page, table = calibration_page(found), printed(CalibrationReport(found), 140)
    told = calibration_markdown(found)
    held = calibration_json(found)
    for each in found.agreement:
        assert isinstance(each.value, float)
        for text in (page, table, told):
            assert f"{each.value:.4g}" in text
    assert found.cut is not None
    cut = held["cut"]
    assert isinstance(cut, dict)
    assert f"{cut['value']:.4g}" in page
    assert "the judge was silent" in page
    assert "the judge was silent" in table
    assert "out of sample" in told
    assert "trust the value out of sample" in told
    assert "r0" not in {row["id"] for row in held["unscored"]}  # type: ignore[attr-defined, index]  # a list of objects
    assert held["n_unlabelled"] == 1


def test_drawings_say_what_they_show() -> None:
    """Whoever does not see them hears where the cut is; bins have a table."""
    found = passes()
    page = calibration_page(found)
    assert re.search(r'aria-label="scores of rows that people passed, above, .*; cut at 0\.\d+, between 0', page)
    assert 'aria-label="reliability curve of 10 bins; the table beside it holds its numbers"' in page
    assert '<caption class="hidden">Reliability by bins of the score</caption>' in page
    assert "cut at 0.4" in calibration_page(passes(threshold=0.4))


def test_nothing_of_others_acts() -> None:
    """As ids, texts, reasons, labels and the scorer's name."""
    rows = [
        LabelledRow(f"{name} {text}", 0.5, ("bad" if at % 2 else text,), told=text, input=text, output=text)
        for at, (name, text) in enumerate(HOSTILE.items())
    ]
    rows.append(LabelledRow("x", None, (SCRIPT,), "failed", told=SCRIPT))
    found = calibration(rows, scorer=SCRIPT, levels=["bad", *HOSTILE.values()])
    for html in (calibration_page(found, SCRIPT), calibration_fragment(found, SCRIPT)):
        seen = Seen(html)
        assert seen.elements.count("script") == ("<!doctype" in html)
        assert not {"img", "s", "iframe"} & set(seen.elements)
        assert not [name for name, _ in seen.attributes if name.startswith("on")]
        assert "\u202e" not in html
    told = calibration_markdown(found)
    assert "<script" not in told
    assert "](http" not in told
    assert "\x1b" not in printed(CalibrationReport(found))


def test_a_notebook_and_a_terminal_show_it() -> None:
    """Without a script, without being asked."""
    report = CalibrationReport(passes(), "rows.jsonl")
    html = report._repr_html_()
    assert "<script" not in html
    assert "rows.jsonl" in html
    assert "agreement with people" in printed(report)


def test_a_file_is_written_by_its_suffix(tmp_path: Path) -> None:
    """When it is whole; another suffix is told."""
    report = CalibrationReport(passes())
    for suffix, writer in CALIBRATION_WRITERS.items():
        path = tmp_path / f"c{suffix}"
        write_calibration(report, path)
        assert path.read_text(encoding="utf-8") == writer(report)
    with pytest.raises(DefinitionError, match="a calibration is written as"):
        write_calibration(report, tmp_path / "c.pdf")
    assert len([*tmp_path.iterdir()]) == len(CALIBRATION_WRITERS)
