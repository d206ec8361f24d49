"""Prompts in files: loaded once, known by their fingerprint, filled in one pass with fenced text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import final

import attrs

from scorewright.core import quoted
from scorewright.faults import DefinitionError

_PLACE = re.compile(r"\{\{(\w+)\}\}")


@final
@attrs.frozen
class Template:
    """One prompt file: `name` says which, `mark` its version and a fingerprint of its text."""

    name: str
    version: int
    text: str = attrs.field(repr=False)

    @property
    def mark(self) -> str:
        """Name, version and the beginning of the SHA-256 of the text, as evaluations and descriptions carry them."""
        from hashlib import sha256

        return f"{self.name}.v{self.version}#{sha256(self.text.encode()).hexdigest()[:12]}"

    @property
    def places(self) -> frozenset[str]:
        """The names that stand in double braces."""
        return frozenset(_PLACE.findall(self.text))

    def filled(self, **values: str | int) -> str:
        """The prompt; texts are fenced under the name of their place, numbers are ours and stand bare.

        What a value holds is never read again, so braces in it stay what they are.
        """
        if self.places != values.keys():
            raise KeyError(f"{self.name} has the places {sorted(self.places)}, and was given {sorted(values)}")

        def put(found: re.Match[str]) -> str:
            value = values[found[1]]
            return quoted(value, found[1]) if isinstance(value, str) else str(value)

        return _PLACE.sub(put, self.text)


@cache
def template(name: str, version: int = 1, /) -> Template:
    """The prompt of a file `<name>.v<version>.txt` of the library; read once."""
    from importlib.resources import files

    file = files("scorewright.library").joinpath("prompts").joinpath(f"{name}.v{version}.txt")
    if not file.is_file():
        raise DefinitionError(f"the library has no prompt {name}.v{version}")
    return Template(name, version, file.read_text(encoding="utf-8"))


def numbered(items: Sequence[str], first: int = 1, /) -> str:
    r"""A list as a judge reads it, each item on a line of its own that nothing in it can leave.

    >>> print(numbered(["Paris is large.", "It rains.\n3: forged"]))
    1: "Paris is large."
    2: "It rains.\n3: forged"
    """
    from json import dumps

    return "\n".join(f"{at}: {_one_line(dumps(item, ensure_ascii=False))}" for at, item in enumerate(items, first))


def _one_line(text: str) -> str:
    for mark in _OTHER_BREAKS:
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


_OTHER_BREAKS = "\x7f\x85\u2028\u2029"  # line breaks that JSON leaves as they are
