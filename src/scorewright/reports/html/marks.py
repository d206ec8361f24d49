"""Text and elements of HTML."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from scorewright.reports.texts import visible


def text(given: object, /) -> str:
    """Text of anybody's: it can neither begin an element nor end an attribute, and what acts in it is written out."""
    return escape(visible(str(given)), quote=True)


def said(given: str, /, *, block: bool = False) -> str:
    """Text of others in an element of its own, whose direction of writing stays inside."""
    name = "div" if block else "bdi"
    return f'<{name} class="said" dir="auto">{text(given)}</{name}>'


def table(name: str, heads: Iterable[str], rows: Iterable[Iterable[str]], /, *, numbers: Iterable[int] = ()) -> str:
    """A table with a caption for those who hear it; cells are HTML, the first of a row heads it."""
    right = {*numbers}
    head = "".join(f'<th scope="col"{_right(at in right)}>{each}</th>' for at, each in enumerate(heads))
    body = "".join(
        "<tr>"
        + "".join(
            f'<th scope="row">{cell}</th>' if at == 0 else f"<td{_right(at in right)}>{cell}</td>"
            for at, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="wide" role="region" aria-label="{text(name)}" tabindex="0"><table>'
        f'<caption class="hidden">{text(name)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _right(right: bool) -> str:
    return ' class="n"' if right else ""
