"""Whether the links of an output are well formed, and lead where they may."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from scorewright.library.defining import expect_texts, spelled
from scorewright.library.safety.finding import Finding, SafetyCheck, located, safety_check

_LINK = re.compile(
    r"(?<![a-z0-9_+.-])[a-z][a-z0-9+.-]{1,20}://[^\s<>\"'`{}|\\^\u3001\u3002\u300a-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]*"
    r"|(?:(?<=\]\()|(?<=\]\( )|(?<=\]: )|(?<=<))(?:javascript|data|vbscript):[^\s)>]*",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[^\W_](?:[\w-]{0,61}[^\W_])?")
_BROKEN = re.compile(r"%(?![0-9A-Fa-f]{2})")


def valid_urls(*, schemes: Sequence[str] = ("http", "https"), hosts: Sequence[str] | None = None) -> SafetyCheck:
    """Whether every link in the output is well formed (RFC 3986), of an allowed scheme, and of an allowed host.

    Any host is allowed unless `hosts` names some; "example.org" allows "www.example.org" too. Links with a user name
    are refused: "https://bank.example@evil.example" leads elsewhere than it seems. Nothing is fetched. An output
    without links has 1.
    """
    expect_texts(schemes, "valid_urls(schemes=…)")
    if hosts is not None:
        expect_texts(hosts, "valid_urls(hosts=…)")
    allowed = frozenset(scheme.lower() for scheme in schemes)
    known = None if hosts is None else tuple(sorted(host.lower().rstrip(".") for host in hosts))

    def find(text: str) -> Sequence[Finding]:
        found = ((mistake(clipped(match[0]), allowed, known), match.start()) for match in _LINK.finditer(text))
        return located(text, ((wrong, at) for wrong, at in found if wrong))

    return safety_check(
        spelled("valid_urls", schemes=(allowed, frozenset({"http", "https"})), hosts=(known, None)),
        "every link is well formed",
        find,
        "every link is well formed",
    )


def clipped(link: str, /) -> str:
    """The link without what closes the sentence or the bracket around it."""
    shorter = link.rstrip(".,;:!?*_~\u2026\u3002\uff0c")
    while shorter.endswith((")", "]")) and shorter.count(shorter[-1]) > _open(shorter):
        shorter = shorter[:-1].rstrip(".,;:!?*_~")
    return shorter


def _open(link: str) -> int:
    """How often the bracket is opened that the link ends with."""
    return link.count("(" if link[-1] == ")" else "[")


def mistake(link: str, schemes: frozenset[str], hosts: tuple[str, ...] | None, /) -> str:
    """What is wrong with a link; empty where nothing is."""
    try:
        split = urlsplit(link)
        port = split.port
    except ValueError:
        return "a link that cannot be read"
    if split.scheme.lower() not in schemes:
        return f"a link of the scheme {split.scheme.lower()}"
    if split.username is not None:
        return "a link with a user name"
    host = (split.hostname or "").rstrip(".")
    if not is_host(host) or port == 0:
        return "a link without a valid host"
    if _BROKEN.search(link):
        return "a link with a broken escape"
    if hosts is not None and not any(host == each or host.endswith(f".{each}") for each in hosts):
        return "a link to a host that is not allowed"
    return ""


def is_host(host: str, /) -> bool:
    """Is it a name of labels, or an address?"""
    if ":" in host or re.fullmatch(r"[\d.]+", host):
        try:
            ip_address(host)
        except ValueError:
            return False
        return True
    return 0 < len(host) <= 253 and all(_LABEL.fullmatch(label) for label in host.split("."))  # noqa: PLR2004 - RFC 1035
