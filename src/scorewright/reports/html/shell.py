"""What every page has: head, styles, scripts and their policy, a heading, links to its sections."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import TypeAlias

from scorewright.reports.html.marks import said, text

Section: TypeAlias = tuple[str, str, str]  # its id, its title, and its content


def document(title: str, head: str, sections: Sequence[Section], scripts: Iterable[str] = ("theme.js",), /) -> str:
    """One file of HTML. Its content security policy lets its one script run, by its hash, and nothing be fetched."""
    style, script = _file("report.css"), "".join(map(_file, scripts))
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )
    links = "".join(f'<li><a href="#{id}">{name}</a></li>' for id, name, _ in sections)
    body = "".join(section(*each) for each in sections)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{text(title)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<style>{style}</style></head><body class="scorewright"><a class="skip" href="#main">Skip to the report</a>'
        f'{head}<nav aria-label="Sections"><ul>{links}</ul></nav>'
        f'<main id="main">{body}</main><script>{script}</script></body></html>\n'
    )


def part(head: str, sections: Iterable[Section], /) -> str:
    """The same without a script, for a notebook."""
    body = "".join(section(*each) for each in sections)
    return f'<div class="scorewright"><style>{_file("report.css")}</style>{head}{body}</div>'


def header(name: str, told: str, heading: str, origin: Iterable[tuple[str, str]], /, *, toggle: bool) -> str:
    """The heading: a name, a sentence (HTML), how much it is about, and where it is from."""
    pairs = "".join(f"<div><dt>{key}</dt><dd>{said(value)}</dd></div>" for key, value in origin if value)
    button = '<button type="button" id="theme" hidden>Dark</button>' if toggle else ""
    return (
        f'<header>{button}<h1>{said(name)}</h1><p>{told}</p><p class="dim">{text(heading)}</p>'
        f'<dl class="origin">{pairs}</dl></header>'
    )


def section(id: str, title: str, content: str, /) -> str:
    """A part of the page with its heading."""
    return f'<section id="{id}" aria-labelledby="{id}-title"><h2 id="{id}-title">{title}</h2>{content}</section>'


def notes(given: Iterable[str], /) -> str:
    """What to know before a number is trusted."""
    return f"<ul>{''.join(f'<li>{said(each)}</li>' for each in dict.fromkeys(given))}</ul>"


def _file(name: str) -> str:
    return files("scorewright.reports.html").joinpath(name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
