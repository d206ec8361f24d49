"""Whether an output is Markdown that renders as it was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from scorewright.library.safety.finding import Finding, SafetyCheck, safety_check

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")
_ITEM = re.compile(r"^ *(?:[-*+]|\d{1,9}[.)]) {1,4}(?=\S)")
_REFERENCE = re.compile(r"(?<![\\A-Za-z0-9_])\[[^\]\[\n]{1,200}\]\[([^\]\[\n]{1,200})\]")
_DEFINED = re.compile(r"^ {0,3}\[([^\]\n]{1,200})\]:", re.MULTILINE)
_EMPTY = re.compile(r"(?<!\\)\]\(\s{0,20}\)")
_RULE = re.compile(r"^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$")
_CODE = re.compile(r"(`+)[^`\n]*\1")


def valid_markdown() -> SafetyCheck:
    """Whether the Markdown of the output renders as it was meant (CommonMark, and the tables of GFM).

    Any text is Markdown; what is found are its usual breaks: a code fence that is not closed, a link without target, a
    reference that is not defined, a row of a table with too many or too few cells.
    """
    return safety_check("valid_markdown", "the Markdown renders as it was meant", breaks, "no break found")


def breaks(text: str, /) -> Sequence[Finding]:
    """The breaks of a text; what stands in code is left alone."""
    prose, unclosed = outside_code(text.split("\n"))
    defined = {_label(found) for found in _DEFINED.findall("\n".join(line for _, line in prose))}
    found = [Finding("a code fence that is not closed", unclosed)] if unclosed else []
    for at, line in prose:
        plain = _CODE.sub("", line)
        if _EMPTY.search(plain):
            found.append(Finding("a link without target", at))
        if any(_label(label) not in defined for label in _REFERENCE.findall(plain)):
            found.append(Finding("a reference that is not defined", at))
    return [*found, *(Finding("a table row of another width", at) for at in uneven(prose))]


def outside_code(lines: Sequence[str], /) -> tuple[list[tuple[int, str]], int]:
    """The numbered lines outside of fenced code, and the line of a fence that stays open, else 0."""
    prose: list[tuple[int, str]] = []
    opened, since, inside = "", 0, 0  # inside: the column where the text of a list's item begins
    for at, line in enumerate(lines, 1):
        item = None if opened else _ITEM.match(line)
        if item:
            inside = item.end()
        elif not opened and line[:1].strip():
            inside = 0
        fence = _FENCE.match(line[inside:] if item or not line[:inside].strip() else line)
        if opened:
            if fence and fence[1][0] == opened[0] and len(fence[1]) >= len(opened) and not fence[2].strip():
                opened, since = "", 0
        elif fence and not (fence[1][0] == "`" and "`" in fence[2]):
            opened, since = fence[1], at
        else:
            prose.append((at, line))
    return prose, since


def uneven(prose: Sequence[tuple[int, str]], /) -> Iterator[int]:
    """The lines of tables that have another number of cells than the head."""
    width = 0
    for (_, before), (at, line) in pairwise(prose):
        if width:
            if "|" not in line:
                width = 0
            elif cells(line) != width:
                yield at
        elif _RULE.match(line) and "|" in before:
            width = cells(line)
            if cells(before) != width:
                yield at - 1


def cells(row: str, /) -> int:
    """How many cells a row of a table has; a bar that is escaped or stands in code is none."""
    plain = _CODE.sub("", row.replace("\\|", "")).strip()
    return plain.removeprefix("|").removesuffix("|").count("|") + 1


def _label(text: str) -> str:
    return " ".join(text.casefold().split())
