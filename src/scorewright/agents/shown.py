"""How a value of this room reads in a REPL: what was said about it, and no more."""

from __future__ import annotations

import attrs

LONGEST = 72


def brief(self: object) -> str:
    """The class and the fields that say something, long texts cut short.

    >>> from scorewright.agents import user
    >>> user("Where is my parcel?")
    Message('user', (Text('Where is my parcel?'),))
    """
    kind = type(self)
    words: list[str] = []
    in_order = True
    for field in attrs.fields(kind) if attrs.has(kind) else ():
        held: object = getattr(self, field.name)
        if not field.repr or _says_nothing(held, field.default):
            in_order = False
            continue
        words.append(_short(held) if in_order and not field.kw_only else f"{field.name}={_short(held)}")
    return f"{kind.__name__}({', '.join(words)})"


def _says_nothing(held: object, default: object) -> bool:
    """Is it the default? Mappings that are made anew for each value have none."""
    return held is default or (type(held) is type(default) and held == default) or (type(held) is dict and not held)


def _short(held: object) -> str:
    text = repr(held)
    if isinstance(held, str) and len(text) > LONGEST:
        return f"{text[: LONGEST - 2]}…{text[0]}"
    return text
