"""Keeping secrets out of files: what looks like a key, and the keys that judges read from the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

HIDDEN = "[secret]"
_SHORTEST_KEY = 6  # a shorter value of a variable is a word, as in OPENAI_API_KEY=none

_SECRET = re.compile(
    "|".join(
        (
            r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
            r"\b(?:sk|pk|rk|gsk|xai)[-_][A-Za-z0-9_-]{16,}",
            r"\bgh[pousr]_[A-Za-z0-9]{36,}",
            r"\bgithub_pat_\w{22,}",
            r"\bglpat-[\w-]{20,}",
            r"\bhf_[A-Za-z0-9]{30,}",
            r"\bxox[abeoprs]-[\w-]{10,}",
            r"\bAIza[\w-]{35}",
            r"\bA(?:KI|SI)A[0-9A-Z]{16}\b",
            r"\bABSK[A-Za-z0-9+/=]{32,}",
            r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}",
            r"(?i:\bbearer\s+[\w.~+/-]{16,}=*)",
            r"(?<=://)[^\s/:@]{1,256}:[^\s/@]{1,256}(?=@)",
        )
    ),
    re.DOTALL,
)

# Without one of these no secret is there. Most texts have none, and to look for them takes a tenth of the time.
_WITH_HYPHEN = "k-", "xai-", "KEY-----", "glpat-", "xox"
_WITH_LINE = "k_", "xai_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "hf_"
_WITH_NEITHER = "://", "AIza", "AKIA", "ASIA", "ABSK", "eyJ"


def keys_in(variables: Iterable[str], /) -> frozenset[str]:
    """The keys that these environment variables hold now."""
    values = (os.environ.get(variable, "").strip() for variable in variables)
    return frozenset(value for value in values if len(value) >= _SHORTEST_KEY)


def without_secrets(text: str, keys: Iterable[str], /) -> str:
    """The text with everything hidden that has the form of a key, or is one of these.

    >>> without_secrets("Authorization: Bearer abcdefghijklmnop", ())
    'Authorization: [secret]'
    """
    for key in keys:
        text = text.replace(key, HIDDEN)
    return _SECRET.sub(HIDDEN, text) if _may_hold_one(text) else text


def _may_hold_one(text: str) -> bool:
    for sign in _WITH_NEITHER:  # loops, for `any` takes twice as long for a text of usual length
        if sign in text:
            return True
    if "-" in text:
        for sign in _WITH_HYPHEN:
            if sign in text:
                return True
    if "_" in text:
        for sign in _WITH_LINE:
            if sign in text:
                return True
    return "bearer" in text.lower()
