"""Secrets in an output: keys, tokens and passwords of known services."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

from scorewright.library.defining import needs
from scorewright.library.safety.finding import Finding, SafetyCheck, safety_check

if TYPE_CHECKING:
    from detect_secrets.plugins.base import RegexBasedDetector

LONGEST_LINE = 4_000


def no_secrets() -> SafetyCheck:
    """Whether the output is free of keys and tokens in the forms that detect-secrets knows, as those of AWS.

    Found by form alone: nothing is verified, so nothing is sent anywhere. Reasons tell kind and line, never the secret.
    A line longer than 4,000 characters is looked through in pieces that overlap.
    """
    needs("detect_secrets", "safety", "no_secrets()")
    detectors()

    def find(text: str) -> Sequence[Finding]:
        return [found for first, lines in blocks(text.split("\n")) for found in found_in(first, lines)]

    return safety_check("no_secrets", "the output has no keys and tokens", find, "no secret found")


def blocks(lines: Sequence[str], /) -> Iterator[tuple[int, list[str]]]:
    """The lines in blocks of some thousand characters, each with the number of its first line; blank lines left out."""
    block: list[str] = []
    first = 1
    size = 0
    for at, line in enumerate(lines, 1):
        if block and size + len(line) > LONGEST_LINE:
            yield first, block
            block = list[str]()
            size = 0
        if not block:
            if not line.strip():
                continue
            first = at
        block.append(line)
        size += len(line) + 1
    if block:
        yield first, block


def found_in(first: int, lines: Sequence[str], /) -> Iterator[Finding]:
    """The secrets of a block: which detectors see any in the whole, and then on which lines."""
    whole = "\n".join(lines)
    for detector in detectors():
        if len(lines) == 1 or seen(detector, whole):
            for at, line in enumerate(lines, first):
                if any(seen(detector, piece) for piece in pieces(line)):
                    yield Finding(detector.secret_type, at)


def seen(detector: RegexBasedDetector, text: str, /) -> bool:
    """Does the detector find anything?"""
    return any(True for _ in detector.analyze_string(text))


def pieces(line: str, /) -> Iterator[str]:
    """The line, or pieces of it that overlap by a tenth."""
    step = LONGEST_LINE - LONGEST_LINE // 10
    for at in range(0, max(1, len(line) - LONGEST_LINE // 10), step):
        yield line[at : at + LONGEST_LINE]


@cache
def detectors() -> tuple[RegexBasedDetector, ...]:
    """All detectors that know a form; those that guess from entropy or from names of variables are left out."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
    from detect_secrets.plugins.base import BasePlugin, RegexBasedDetector

    kinds = cast("dict[str, type[BasePlugin]]", get_mapping_from_secret_type_to_class())
    known = [kinds[name]() for name in sorted(kinds) if name != "Public IP (ipv4)"]
    return tuple(detector for detector in known if isinstance(detector, RegexBasedDetector))
