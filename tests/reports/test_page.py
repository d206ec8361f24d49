"""The page: one file, small, and whole without a mouse and without eyes."""

from __future__ import annotations

import json
import random
import re
from array import array
from base64 import b64decode
from gzip import decompress

import attrs
import pytest
from reports.samples import number, reported, rows, waste
from reports.test_hostile import Seen

from scorewright.reports import Line, Outcomes, Report, fragment, page
from scorewright.reports.html.packed import packed
from scorewright.reports.html.svg import bars, covered, strip
from scorewright.reports.report import Figure, Histogram
from scorewright.suites import Coverage, Suite

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def report() -> Report:
    given = [{**row, "tags": ["t"]} for row in rows("0.1", "1", "none", "fail: no", "0.5")]
    return reported(Suite((number, ">= 0.2"), waste, gates={"number": ">= 0.1"}), given)


def held(html: str) -> dict[str, object]:
    found = re.search(r'<script type="application/gzip" id="packed">([^<]*)</script>', html)
    assert found
    unpacked: dict[str, object] = json.loads(decompress(b64decode(found[1])))
    return unpacked


def test_all_sections_are_there_and_linked(report: Report) -> None:
    """Each has a heading that names it, and a link leads to it."""
    seen = Seen(page(report))
    ids = [value for name, value in seen.attributes if name == "id"]
    assert len(ids) == len({*ids})
    links = [value for name, value in seen.attributes if name == "href"]
    assert links == [
        "#main",
        *(f"#{id}" for id in ("scorers", "checks", "slices", "worst", "failures", "notes", "rows")),
    ]
    for name, value in seen.attributes:
        if name in {"href", "aria-labelledby"}:
            assert (value or "").removeprefix("#") in ids


def test_drawings_say_what_they_show() -> None:
    """Whoever does not see them hears the same numbers."""
    figure = Figure(0.5, 0.25, 1.5, "t", "", Coverage(3, 1, 1))
    assert 'aria-label="mean 0.5, 95 % interval 0.25 to 1.5; the axis runs from 0 to 1"' in strip(figure, 0, 1)
    assert strip(figure, 0, 1).count('class="cap"') == 1  # the other end lies outside
    assert 'aria-label="mean 0.5; the axis runs' in strip(attrs.evolve(figure, low=None, high=None), 0, 1)
    assert strip(attrs.evolve(figure, value=None), 0, 1) == ""
    assert 'aria-label="distribution of 3 scores from 0 to 1; ' in bars(Histogram(0, 1, (1, 0, 2)))
    assert "<title>0 to 0.3333: 1</title>" in bars(Histogram(0, 1, (1, 0, 2)))
    assert 'aria-label="3/5 scored · 1 not scorable · 1 failed"' in covered(figure.coverage)


def test_every_table_has_a_caption_and_heads(report: Report) -> None:
    """A screen reader can tell which number is which."""
    seen = Seen(page(report))
    assert seen.elements.count("caption") == seen.elements.count("table")
    assert {value for name, value in seen.attributes if name == "scope"} == {"col", "row"}


def test_the_page_holds_every_row(report: Report) -> None:
    """Scores, failures, what is not scorable, and reasons."""
    found = held(page(report))
    assert found["scorers"] == [{"id": "number", "better": "higher"}, {"id": "waste", "better": "lower"}]
    lines = found["rows"]
    assert isinstance(lines, list)
    assert [line[0] for line in lines] == ["r0", "r1", "r2", "r3", "r4"]
    assert [line[6][0] for line in lines] == [0.1, 1.0, "not scorable", "failed", 0.5]
    assert lines[0][7] == ["it says 0.1", ""]
    assert "fail: no" in lines[3][7][0]


def test_of_turns_the_worst_is_shown() -> None:
    """A failure is worse than any score."""
    turns = [{"input": "one", "output": "0.5"}, {"input": "two", "output": "0.1"}]
    report = reported(Suite(turns=[number]), [{"id": "a", "input": "talk", "turns": turns}])
    assert held(page(report))["rows"][0][6] == [0.1]  # type: ignore[index]  # a list of lists


def many(n: int, length: int) -> Report:
    """So many rows of letters drawn at random, which do not pack."""
    drawn = random.Random(1)
    letters = "".join(map(chr, range(33, 1000)))

    def text() -> str:
        return "".join(drawn.choices(letters, k=length))

    base = reported(Suite(number), rows("0.5"))
    outcomes = Outcomes()
    for at in range(n):
        outcomes.add(at, 0, 0, drawn.random(), text())
    scorer = attrs.evolve(base.scorers[0], outcomes=outcomes)
    lines = tuple(Line(f"r{at}", text(), text()) for at in range(n))
    return attrs.evolve(base, scorers=(scorer,), n_items=n, ids=tuple(line.id for line in lines), lines=lines)


def test_twenty_thousand_rows_fit() -> None:
    """A page is at most 5 MB, whatever the rows hold: texts are cut, and it says so."""
    html = page(many(20_000, 60))
    assert len(html.encode()) <= 5_000_000
    assert len(held(html)["rows"]) == 20_000  # type: ignore[arg-type]  # a list
    assert re.search(r"20,000 rows, texts cut at \d+ characters", html)


def test_what_does_not_fit_at_all_is_left_out_and_said() -> None:
    """Never more than the room there is."""
    report = many(400, 50)
    for room in (100_000, 20_000, 3_000, 10):
        found = packed(report, room)
        assert len(b64decode(found.rows)) <= max(room, 100)
        assert len(held(f'<script type="application/gzip" id="packed">{found.rows}</script>')["rows"]) == found.n  # type: ignore[arg-type]  # a list
    assert packed(report, 100_000).n == 400
    assert packed(report, 3_000).n < 400


def test_a_page_is_the_same_every_time(report: Report) -> None:
    """So that two can be compared."""
    assert page(report) == page(report)


def test_a_report_of_nothing_is_a_page() -> None:
    """It says that there was nothing."""
    empty = reported(Suite(number), [])
    assert "there was nothing to evaluate" in page(empty)
    assert "there was nothing to evaluate" in fragment(empty)
    assert held(page(empty))["rows"] == []


def test_scores_without_bounds_are_drawn_over_what_there_is() -> None:
    """Also where all are the same."""
    report = reported(Suite(number), rows("0.5", "0.5"))
    scores = array("d", [5e300, -5e300])
    from scorewright.core import Scale
    from scorewright.reports.figures import histogram

    drawn = histogram(scores, Scale(float("-inf"), float("inf")))
    assert drawn is not None
    assert (drawn.counts[0], drawn.counts[-1]) == (1, 1)
    assert "NaN" not in page(
        attrs.evolve(report, scorers=(attrs.evolve(report.scorers[0], histogram=drawn, scale=None),))
    )
