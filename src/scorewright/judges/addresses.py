"""The address of a server: what is wrong with one as it is written down, and how a fault tells it."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

_SECRET = re.compile(
    r"^(?:[^/]*//)?[^/?#]*@|[?&#](?:[^=&]*[-_])?(?:apikey|key|token|secret|password|sig|signature|code)=", re.IGNORECASE
)
_ENDPOINT = re.compile(r"/(?:chat/completions|completions|messages|responses)/*$")


@lru_cache(maxsize=256)  # judges are made over one another for every run
def mistaken(base_url: str, /) -> str | None:
    """What is wrong with a `base_url`, and how to mend it; None where nothing is, or where there is none."""
    if not base_url:
        return None
    if _SECRET.search(base_url):
        return "base_url= holds a secret; a key is read from the variable that api_key_env= names"
    if not _is_whole(base_url):
        return (
            f'base_url= is an address with http:// or https://, such as "http://127.0.0.1:11434/v1", not {base_url!r}'
        )
    path = urlsplit(base_url).path
    if end := _ENDPOINT.search(path):
        root = base_url.replace(path, path[: end.start()], 1)
        return f"base_url= ends before {end[0]!r}, which is put behind it with every request: write {root!r}"
    return None


def _is_whole(base_url: str) -> bool:
    try:
        parts = urlsplit(base_url)
        is_found = bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none, a bracket that is not closed
        return False
    return parts.scheme in {"http", "https"} and is_found and base_url == base_url.strip()


def told(url: str, /) -> str:
    """An address as a fault tells it: without a user, a password and a query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
