"""Reports as JSON, Markdown, JUnit XML, for GitHub, and in a terminal."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator, ValidationError
from reports.samples import number, reported, rows, waste
from rich.console import Console

from scorewright import create_scorer, pure
from scorewright.faults import DefinitionError
from scorewright.reports import (
    Report,
    annotations,
    json_schema,
    junit,
    markdown,
    step_summary,
    to_json,
    write_report,
    write_step_summary,
)
from scorewright.suites import Suite

MANY = Suite((number, ">= 0.9"), waste, gates={"waste": "<= 0.3"}, name="many")
OUTPUTS = ("0.1", "1", "none", "fail: no", "0.55")


@pytest.fixture(scope="module")
def many() -> Report:
    return reported(MANY, [{**row, "tags": ["t"], "group": "g"} for row in rows(*OUTPUTS)])


def printed(given: object, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False)
    with console.capture() as captured:
        console.print(given)
    return captured.get()


def test_json_keeps_the_published_schema(many: Report) -> None:
    """Whatever there is, or is not."""
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    for report in (many, reported(Suite(number), []), reported(Suite(number), rows("none", "fail"))):
        Draft202012Validator(schema).validate(json.loads(json.dumps(to_json(report), allow_nan=False)))


@pytest.mark.parametrize("broken", [{"schema_version": 2}, {"verdict": "fine"}, {"n_items": -1}, {"more": 1}])
def test_the_schema_refuses_what_is_none(many: Report, broken: dict[str, object]) -> None:
    """Another version, another word, a negative count, a field that it does not know."""
    with pytest.raises(ValidationError):
        Draft202012Validator(json_schema()).validate(json.loads(json.dumps(to_json(many) | broken)))


def test_every_field_of_the_json_is_in_the_schema_and_the_other_way_round(many: Report) -> None:
    """Neither promises more than the other."""
    assert json_schema()["required"] == [*to_json(many)]


def test_markdown_tells_all_parts(many: Report) -> None:
    """Scorers with intervals and coverage, checks, slices, worst items, failures, what is not scorable."""
    text = markdown(many)
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert heads == [
        "Gates and thresholds", "Slices", "Worst items", "Failures", "Not scorable", "Before you trust a number",
    ]  # fmt: skip
    assert "| number | 0.55 | " in text
    assert "3/5 scored · 1 not scorable · 1 failed" in text
    assert "waste (lower is better)" in text


def test_every_table_of_the_markdown_is_whole(many: Report) -> None:
    """Each line has as many cells as the head."""
    for block in markdown(many).split("\n\n"):
        if block.startswith("|"):
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1, block


def test_junit_tells_failure_from_error_from_skipped(many: Report) -> None:
    """A missed gate is a failure, a scorer that failed an error, one not scorable is skipped; scores are properties."""
    root = ElementTree.fromstring(junit(many))
    suites = {each.get("name"): each for each in root}
    assert list(suites) == ["number", "waste", "thresholds"]
    cases = {case.get("name"): case for case in suites["number"]}
    assert (suites["number"].get("tests"), suites["number"].get("errors"), suites["number"].get("skipped")) == (
        "5",
        "1",
        "1",
    )
    assert cases["r0"].get("classname") == "number"
    assert cases["r0"].find("properties/property").attrib == {"name": "score", "value": "0.1"}  # type: ignore[union-attr]  # it is there
    assert cases["r2"].find("skipped").get("message") == "it says none"  # type: ignore[union-attr]  # as above
    assert "fail: no" in str(cases["r3"].find("error").get("message"))  # type: ignore[union-attr]  # as above
    missed = [case.get("name") for case in suites["waste"] if case.find("failure") is not None]
    assert missed == ["r2", "r3", "r4"]
    assert suites["waste"].get("failures") == "3"
    (threshold,) = suites["thresholds"]
    assert threshold.get("name") == "mean >= 0.9"
    assert threshold.find("failure") is not None


def test_annotations_are_for_what_is_not_met_only(many: Report) -> None:
    """One error a check, with commas and colons of its title escaped."""
    assert annotations(many) == (
        "::error title=waste%3A gate missed::every item <= 0.3; 3 items missed it (5/5 scored)",
        "::error title=number%3A threshold missed::mean >= 0.9; 0.55 measured (3/5 scored · 1 not scorable · 1 failed)",
    )
    assert annotations(reported(Suite((number, ">= 0.5")), rows("1"))) == ()


def test_annotations_are_ten_at_most() -> None:
    """GitHub drops more; the last one counts the rest."""
    scorers = [create_scorer(f"s{at}", input=str, output=str).generate_score(pure(lambda _: 0.0)) for at in range(14)]
    told = annotations(reported(Suite(*((each, 0.5) for each in scorers)), rows("0")))
    assert len(told) == 10
    assert told[-1].endswith("::5 more gates and thresholds are not met")


def test_the_summary_of_a_step_stays_below_its_limit(
    many: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is cut at the end of a line, says so, and is added to what is there."""
    cut = step_summary(many, 900)
    assert len(cut.encode()) <= 900
    assert "The rest is left out" in cut
    assert cut.partition("\n\n*The rest")[0] in markdown(many)
    path = tmp_path / "summary.md"
    path.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    assert write_step_summary(many)
    assert path.read_text() == "before\n" + markdown(many)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    assert not write_step_summary(many)


def test_a_terminal_shows_a_dash_for_what_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """`pydantic/pydantic-ai#2209`: a score without a number, without optional packages, and nothing raised."""
    monkeypatch.setitem(sys.modules, "scorewright.statistics", None)
    text = printed(reported(Suite(number), rows("fail: timeout")))
    assert re.search(r"number +— +— +0/1 scored · 1 failed +—", text)
    assert "1 of 1 failed" in text


def test_a_terminal_shows_every_part(many: Report) -> None:
    """Ending with the verdict."""
    text = printed(many)
    for word in ("number", "distribution", "missed", "tag t", "worst", "it says 0.1", "not scorable", "note"):
        assert word in text
    assert text.strip().endswith("failed: an item missed a gate")


def test_a_file_is_written_whole_or_not_at_all(many: Report, tmp_path: Path) -> None:
    """The suffix says which format; another is refused."""
    for suffix, begins in ((".json", "{"), (".md", "# many"), (".xml", "<?xml"), (".html", "<!doctype html>")):
        write_report(many, tmp_path / f"r{suffix}")
        assert (tmp_path / f"r{suffix}").read_text().startswith(begins)
    with pytest.raises(DefinitionError, match=r"written as \.html, \.json, \.md, \.xml, not '\.pdf'"):
        write_report(many, tmp_path / "r.pdf")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["r.html", "r.json", "r.md", "r.xml"]


def test_the_library_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """`confident-ai/deepeval#821`: a hundred rows are evaluated and reported, and nothing is on stdout or stderr."""
    report = reported(Suite(number), rows(*["0.5"] * 100))
    assert markdown(report)
    assert capfd.readouterr() == ("", "")
