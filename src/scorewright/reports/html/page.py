"""The whole page, and the part of it that a notebook shows."""

from __future__ import annotations

from scorewright.reports.html.packed import Packed, packed
from scorewright.reports.html.sections import sections
from scorewright.reports.html.shell import document, header, part, section
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

    Its content security policy lets its one script run, by its hash, and nothing be fetched.
    """
    held = [*sections(report)]
    body = "".join(section(*each) for each in held)
    room = MOST_BYTES - len(body.encode()) - 60_000  # for the style, the scripts and what is around the rows
    rows = packed(report, max(room, 0) * 3 // 4)
    return document(
        f"{report.name} · report",
        _header(report, toggle=True),
        [*held, ("rows", "Rows", _rows(report, rows))],
        ("theme.js", "report.js"),
    )


def fragment(report: Report, /) -> str:
    """The report without its rows and without a script, for a notebook."""
    return part(_header(report, toggle=False), [*sections(report)])


def _header(report: Report, *, toggle: bool) -> str:
    tone, (word, why) = _TONES[report.verdict], verdict(report)
    told = f'<span class="pill {tone}">{word}</span> {why}'
    origin = [("rows", report.source), ("target", report.target), ("experiment", report.experiment)]
    return header(report.name, told, heading(report), [*origin, ("created", report.created)], toggle=toggle)


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
    return f'<p class="dim">{told}</p>{controls}{shell}{pages}{data}'
