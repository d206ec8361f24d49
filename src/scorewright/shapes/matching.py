"""Regular expressions of a user's own, held to a time: some take years for a text that was made for them.

Python's `re` cannot be stopped. `regex`, which instructor requires, can, and finds at once that most such texts do not
match.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from scorewright.shapes.misfit import Unfit

Matches: TypeAlias = Callable[[str], bool]

PATIENCE = 0.25  # seconds for one match; sound patterns take millionths


@lru_cache(maxsize=256)
def matcher(pattern: str, how: str = "search", flags: int = 0, /) -> Matches:
    """Whether a text matches: `search`, `match` or `fullmatch`, with flags of `re`.

    Raises `ValueError` where `re` does not know the pattern. A match that takes too long raises `Unfit`.

    >>> matcher(r"^(a|a)*$")("aaa"), matcher(r"^(a|a)*$")("b")
    (True, False)
    """
    try:
        known = re.compile(pattern, flags)
    except (re.error, OverflowError, RecursionError) as raised:
        raise ValueError(str(raised)) from raised
    search = _bounded(pattern, how, known.flags)

    def matches(text: str) -> bool:
        try:
            return search(text)
        except TimeoutError:
            raise Unfit(f"no match of {pattern} was found within {PATIENCE:g} s") from None

    return matches


def _bounded(pattern: str, how: str, flags: int) -> Matches:
    import regex

    known = {
        re.IGNORECASE: regex.IGNORECASE,
        re.MULTILINE: regex.MULTILINE,
        re.DOTALL: regex.DOTALL,
        re.VERBOSE: regex.VERBOSE,
        re.ASCII: regex.ASCII,
    }
    own = sum(theirs for ours, theirs in known.items() if flags & ours)
    try:
        compiled = regex.compile(pattern, own | regex.VERSION0)
    except Exception as raised:  # it knows a little less than `re` does, and says so by an error of its own
        raise ValueError(str(raised)) from raised
    search = {"search": compiled.search, "match": compiled.match, "fullmatch": compiled.fullmatch}[how]
    return lambda text: search(text, timeout=PATIENCE) is not None
