"""Whatever rows, models and users wrote is text in every format; nothing of it acts."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from reports.samples import HOSTILE, SCRIPT, hostile
from reports.test_writers import printed

from scorewright.reports import (
    Report,
    annotations,
    fragment,
    json_schema,
    json_text,
    junit,
    markdown,
    page,
    step_summary,
)
from scorewright.reports.shown import ShownReport
from scorewright.reports.texts import visible


class Seen(HTMLParser):
    """The elements, attributes and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="module")
def report() -> Report:
    return hostile()


def test_html_holds_them_as_text(report: Report) -> None:
    """`Yamato-Security/senrigan#48`: no element and no handler comes from a row; all of it can be read."""
    whole = page(report)
    seen = Seen(whole)
    assert seen.elements.count("script") == 2  # the rows and the table, both ours
    assert not {"img", "s", "b onmouseover", "iframe", "object", "link"} & set(seen.elements)
    assert [name for name, _ in seen.attributes if name.startswith("on") or name == "style"] == []
    told = "".join(seen.texts)
    for text in HOSTILE.values():
        assert visible(text) in told
    assert len(whole) < 1_000_000


def test_html_fetches_nothing(report: Report) -> None:
    """Every href and src stays in the page, and its policy allows nothing else."""
    seen = Seen(page(report))
    links = [
        value or "" for name, value in seen.attributes if name in {"href", "src", "srcset", "action", "xlink:href"}
    ]
    assert links
    assert all(link.startswith("#") for link in links)
    policy = next(value or "" for name, value in seen.attributes if name == "content" and "default-src" in str(value))
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "url(" not in page(report)


def test_a_notebook_shows_them_as_text(report: Report) -> None:
    """There is no script at all."""
    seen = Seen(fragment(report))
    assert "script" not in seen.elements
    assert isinstance(report, ShownReport)
    assert report._repr_html_() == fragment(report)


def test_markdown_holds_them_as_text(report: Report) -> None:
    """No element, image, link or mention; a formula stays in its cell."""
    for text in (markdown(report), step_summary(report)):
        assert "<" not in text
        assert "@" not in text
        assert "://" not in text
        assert not re.search(r"(?<!\\)[\[\]]\(|(?<!\\)!?\[[^\]\d+-]", re.sub(r"\| \[[^|]*\] \|", "", text))
        assert "\u202e" not in text
        assert "\x1b" not in text


def test_xml_is_well_formed(report: Report) -> None:
    """Ids are read back as they can be shown."""
    root = ElementTree.fromstring(junit(report).encode())
    names = {case.get("name") for case in root.iter("testcase")}
    assert {visible(f"{name} {text}") for name, text in HOSTILE.items()} <= names
    assert root.get("name") == SCRIPT


def test_json_is_json(report: Report) -> None:
    """By the schema, in UTF-8, and not long."""
    text = json_text(report)
    text.encode()
    Draft202012Validator(json_schema()).validate(json.loads(text))
    assert len(text) < 1_000_000


def test_a_workflow_command_is_one_line(report: Report) -> None:
    """A line of a text does not become a command."""
    for line in annotations(report):
        assert line.startswith("::error title=")
        assert "\n" not in line
        assert "\r" not in line


def test_a_terminal_is_not_moved(report: Report) -> None:
    """No escape, no mark of direction, no markup of rich."""
    text = printed(report, 4000)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "[bold red]rich[/] :smile:" in text
