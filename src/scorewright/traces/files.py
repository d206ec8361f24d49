"""Images, documents and other bytes: what they are and where they lie, but never the bytes themselves."""

from __future__ import annotations

import re
from base64 import b64decode
from hashlib import sha256
from operator import is_

from scorewright.agents.messages import File
from scorewright.traces.json_view import is_list, is_mapping

SMALLEST_BLOB = 1024
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{1024,}={0,2}\s*")
_DATA_URI = re.compile(r"data:([\w.+-]+/[\w.+-]+)?[^,]{0,200},")


def file_at(address: str, media_type: str = "", name: str = "") -> File:
    """The file at an address; a data: URI is weighed and hashed, and only that is kept."""
    match = _DATA_URI.match(address)
    if match is None:
        return File(media_type, address, name)
    return file_of(address[match.end() :], media_type or match.group(1) or "", name)


def file_of(encoded: str, media_type: str = "", name: str = "") -> File:
    """The file that this base64 text holds: its size and hash."""
    try:
        content = b64decode(encoded, altchars=b"-_" if "-" in encoded or "_" in encoded else None)
    except ValueError:
        content = encoded.encode(errors="surrogatepass")
    return File(media_type, "", name, len(content), sha256(content).hexdigest())


def lean(value: object, /) -> object:
    """The value with every blob inside replaced by what is known about it; the same object where there is none."""
    if isinstance(value, str):
        return _lean_text(value) if len(value) >= SMALLEST_BLOB else value
    if is_mapping(value):
        if all(map(_is_small, value.values())):
            return value
        fields = {key: lean(each) for key, each in value.items()}
        return value if all(map(is_, fields.values(), value.values())) else fields
    if is_list(value):
        items = [lean(each) for each in value]
        return value if all(map(is_, items, value)) else items
    return value


def _is_small(value: object) -> bool:
    """Is it known at a look to hold no blob?"""
    return len(value) < SMALLEST_BLOB if isinstance(value, str) else not isinstance(value, (dict, list))


def _lean_text(text: str) -> object:
    if _DATA_URI.match(text):
        found = file_at(text)
    elif _BASE64.fullmatch(text) and not text.isalpha():
        found = file_of(text)
    else:
        return text
    return {"type": "file", "media_type": found.media_type, "size": found.size, "sha256": found.sha256}
