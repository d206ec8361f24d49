"""A fence around regex: the few calls that words, sentences and graphemes need."""

from typing import final

@final
class Match:
    def start(self, group: int = 0, /) -> int: ...

@final
class Pattern:
    @property
    def pattern(self) -> str: ...
    @property
    def flags(self) -> int: ...
    def sub(self, repl: str, string: str) -> str: ...
    def findall(self, string: str) -> list[str]: ...
    def match(self, string: str, *, timeout: float | None = None) -> Match | None: ...
    def search(self, string: str, *, timeout: float | None = None) -> Match | None: ...
    def fullmatch(self, string: str, *, timeout: float | None = None) -> Match | None: ...

IGNORECASE: int
MULTILINE: int
DOTALL: int
VERBOSE: int
ASCII: int
VERSION0: int

def compile(  # noqa: A001 - the name there
    pattern: str, flags: int = 0, ignore_unused: bool = False, cache_pattern: bool | None = None, **kwargs: object
) -> Pattern: ...
