"""The whole page, and the part of it that a notebook shows."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

from scorewright.reports.html.marks import said, text
from scorewright.reports.html.packed import Packed, packed
from scorewright.reports.html.sections import sections
from scorewright.reports.report import Report
from scorewright.reports.sentences import counted, heading, verdict
from scorewright.suites.deciding import Verdict

MOST_BYTES = 5_000_000  # of a page
_TONES: dict[Verdict, str] = {
    "passed": "met",
    "scored": "missed",
    "failed": "missed",
    "inconclusive": "undecided",
    "incomplete": "undecided",
}


def page(report: Report, /) -> str:
    """One file of HTML, at most 5 MB: styles, drawings, rows and the table's script are in it.

    Its content security policy lets this one script run, by its hash, and nothing be fetched.
    """
    style, script = _file("report.css"), _file("report.js")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )
    held = [*sections(report)]
    body = "".join(_section(*each) for each in held)
    room = MOST_BYTES - len(body.encode()) - len(style) - len(script) - 20_000
    rows = packed(report, max(room, 0) * 3 // 4)
    links = "".join(f'<li><a href="#{id}">{title}</a></li>' for id, title, _ in (*held, ("rows", "Rows", "")))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{text(report.name)} · report</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<style>{style}</style></head><body class="scorewright"><a class="skip" href="#main">Skip to the report</a>'
        f'{_header(report, toggle=True)}<nav aria-label="Sections"><ul>{links}</ul></nav>'
        f'<main id="main">{body}{_rows(report, rows)}</main><script>{script}</script></body></html>\n'
    )


def fragment(report: Report, /) -> str:
    """The report without its rows and without a script, for a notebook."""
    style = _file("report.css")
    body = "".join(_section(*each) for each in sections(report))
    return f'<div class="scorewright"><style>{style}</style>{_header(report, toggle=False)}{body}</div>'


def _header(report: Report, *, toggle: bool) -> str:
    origin = [("rows", report.source), ("target", report.target), ("experiment", report.experiment)]
    told = "".join(
        f"<div><dt>{name}</dt><dd>{said(value)}</dd></div>"
        for name, value in (*origin, ("created", report.created))
        if value
    )
    tone, (word, why) = _TONES[report.verdict], verdict(report)
    button = '<button type="button" id="theme" hidden>Dark</button>' if toggle else ""
    return (
        f'<header>{button}<h1>{said(report.name)}</h1><p><span class="pill {tone}">{word}</span> {why}</p>'
        f'<p class="dim">{heading(report)}</p><dl class="origin">{told}</dl></header>'
    )


def _section(id: str, title: str, content: str) -> str:
    return f'<section id="{id}" aria-labelledby="{id}-title"><h2 id="{id}-title">{title}</h2>{content}</section>'


def _rows(report: Report, rows: Packed) -> str:
    told = counted(report.n_items, "row")
    if rows.n < report.n_items:
        told += f"; the first {rows.n:,} are here"
    told += f", texts cut at {rows.most} characters" if rows.most else ", without their texts"
    controls = (
        '<form id="controls" role="search" hidden>'
        '<label>Find <input id="find" type="search" autocomplete="off"></label>'
        '<label>Show <select id="only"><option value="">all rows</option><option value="failed">failed</option>'
        '<option value="not scorable">not scorable</option><option value="worst">below the best score</option>'
        '</select></label><span id="count" role="status"></span></form>'
    )
    pages = (
        '<div id="pages" hidden><button type="button" id="before">Earlier</button><span id="where"></span>'
        '<button type="button" id="after">Later</button></div>'
    )
    shell = (
        '<p id="state" role="status">Rows are being unpacked.</p><noscript><p>The rows need JavaScript.</p></noscript>'
        '<div class="wide" role="region" aria-label="Rows" tabindex="0"><table id="table" hidden>'
        '<caption class="hidden">Rows and their scores; a heading sorts, a row opens</caption>'
        "<thead></thead><tbody></tbody></table></div>"
    )
    data = f'<script type="application/gzip" id="packed">{rows.rows}</script>'
    return _section("rows", "Rows", f'<p class="dim">{told}</p>{controls}{shell}{pages}{data}')


def _file(name: str) -> str:
    return files("scorewright.reports.html").joinpath(name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
