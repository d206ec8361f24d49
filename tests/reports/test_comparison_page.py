"""Two evaluations compared, as a page: what became worse first, what became better, and whether it is noise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from reports.samples import HOSTILE, SCRIPT, number, reported, rows, waste
from reports.test_hostile import Seen

from scorewright import DefinitionError, create_scorer, pure
from scorewright.reports import (
    COMPARISON_WRITERS,
    RunComparison,
    compare_reports,
    comparison_fragment,
    comparison_json,
    comparison_page,
    write_comparison,
)
from scorewright.reports.shown import ShownComparison
from scorewright.suites import Suite

pytestmark = pytest.mark.once

SUITE = Suite(number, waste)
BEFORE = [*["0.5"] * 20, "0.9", "0.2", "none", "0.3"]
AFTER = [*["0.4"] * 20, "0.3", "0.4", "0.5", "0.3"]


def compared(before: list[str] = BEFORE, after: list[str] = AFTER) -> RunComparison:
    return compare_reports(reported(SUITE, rows(*before)), reported(SUITE, rows(*after))).unwrap()


def order(html: str, *texts: str) -> bool:
    places = [html.index(text) for text in texts]
    return places == sorted(places)


def test_sections_are_there_in_their_order() -> None:
    """Scorers, worse, better, what one side lacks, notes; each is linked and named."""
    html = comparison_page(compared())
    seen = Seen(html)
    links = [value for name, value in seen.attributes if name == "href"]
    assert links == ["#main", "#scorers", "#worse", "#better", "#missing", "#notes"]
    ids = [value for name, value in seen.attributes if name == "id"]
    assert len(ids) == len({*ids})
    assert all((link or "")[1:] in ids for link in links)


def test_the_worst_come_first_and_the_best_come_first() -> None:
    """With what was asked, what both sides answered, and why."""
    html = comparison_page(compared())
    worse, better = html.split('<section id="worse"')[1].split('<section id="better"')
    assert order(worse, ">r20<", ">r0<", ">r1<")
    assert ">0.9 → 0.3<" in worse
    assert ">r21<" in better.split("<section")[0]
    opened = worse.split("</details>")[0]
    for text in ("question 20", "first: 0.9", "second: 0.3", "it says 0.9", "it says 0.3"):
        assert text in opened


def test_outcomes_are_said_in_words_and_drawn() -> None:
    """Noise is called noise; a drawing says its numbers."""
    html = comparison_page(compared())
    assert ">1 worse</span>" in html
    assert ">worse</span>" in html
    assert ">chance may explain it</span>" in html
    assert 'aria-label="21 worse, 1 same, 1 better"' in html
    assert 'aria-label="differences of 22 rows that changed, from -0.6 to 0.6"' in html
    assert 'aria-label="difference -0.1' in html


def test_differences_stand_on_both_sides_of_no_change() -> None:
    """Rows that did not change are in none of the bars."""
    first, second = compared().scorers
    assert first.differences is not None
    assert sum(first.differences.counts) == first.n_better + first.n_worse == 22
    half = len(first.differences.counts) // 2
    assert sum(first.differences.counts[:half]) == first.n_worse
    assert compared(["0.5"] * 3, ["0.5"] * 3).scorers[0].differences is None
    held = comparison_json(compared())["scorers"]
    assert isinstance(held, list)
    assert held[0]["differences"]["low"] == pytest.approx(-0.6)
    assert second.better == "lower"


def test_long_lists_are_folded_and_counted() -> None:
    """Ten are open to see, ninety behind, the rest counted."""
    html = comparison_page(compared(["0.9"] * 130, ["0.5"] * 130))
    assert html.count('<details class="item">') == 100
    assert "<summary>90 more rows</summary>" in html
    assert "… and 30 more rows" in html


def test_improvements_are_kept_beside_many_regressions() -> None:
    """Of thousands of rows the worst and the best."""
    found = compared([*["0.9"] * 1200, "0.1"], [*["0.5"] * 1200, "0.8"]).scorers[0]
    assert len(found.changed) == 1000
    assert (found.changed[0].change, found.changed[-1].id) == ("worse", "r1200")


def test_nothing_of_others_acts() -> None:
    """Ids, texts, reasons and names of scorers are text."""
    echo = create_scorer(SCRIPT, input=str, output=str).generate_score(pure(lambda s: len(s.run.output) / 1000))
    suite = Suite(echo.generate_reason(pure(lambda s: s.run.output)), name=SCRIPT)

    def of(more: str) -> list[dict[str, object]]:
        return [{"id": f"{name} {text}", "input": text, "output": text + more} for name, text in HOSTILE.items()]

    found = compare_reports(reported(suite, of("")), reported(suite, of("!"))).unwrap()
    for html in (comparison_page(found), comparison_fragment(found)):
        seen = Seen(html)
        assert seen.elements.count("script") == ("<!doctype" in html)
        assert not {"img", "s", "iframe"} & set(seen.elements)
        assert not [name for name, _ in seen.attributes if name.startswith("on")]
        assert "\u202e" not in html
    assert isinstance(found, ShownComparison)
    assert "<script" not in found._repr_html_()


def test_a_file_is_written_by_its_suffix(tmp_path: Path) -> None:
    """When it is whole; another suffix is told."""
    found = compared()
    for suffix, writer in COMPARISON_WRITERS.items():
        write_comparison(found, tmp_path / f"c{suffix}")
        assert (tmp_path / f"c{suffix}").read_text(encoding="utf-8") == writer(found)
    assert json.loads((tmp_path / "c.json").read_text())["schema_version"] == 1
    with pytest.raises(DefinitionError, match="a comparison is written as"):
        write_comparison(found, tmp_path / "c.pdf")
