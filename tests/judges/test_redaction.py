"""Every form of a key is hidden, wherever it stands, and looking for signs first overlooks none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright.judges.redaction import _SECRET, HIDDEN, without_secrets

SECRETS = [
    "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----abc",
    *(f"{start}{mark}{'a1' * 9}" for start in ("sk", "pk", "rk", "gsk", "xai") for mark in "-_"),
    *(f"gh{kind}_{'a1' * 20}" for kind in "pousr"),
    f"github_pat_{'a1' * 12}",
    f"glpat-{'a1' * 12}",
    f"hf_{'a1' * 16}",
    *(f"xox{kind}-{'1' * 12}" for kind in "abeoprs"),
    f"AIza{'a' * 35}",
    f"AKIA{'A' * 16}",
    f"ASIA{'A' * 16}",
    f"ABSK{'a' * 40}",
    f"eyJ{'a' * 9}.{'b' * 9}.{'c' * 9}",
    f"bearer {'a' * 20}",
    f"BEARER {'a' * 20}",
    "Bea\u0280er " + "a" * 20,  # no bearer, though it looks like one
]


@pytest.mark.parametrize("secret", SECRETS[:-1])
def test_every_form_is_hidden(secret: str) -> None:
    """Alone and inside other text."""
    assert without_secrets(secret, ()) == HIDDEN
    assert secret not in without_secrets(f'{{"key": "{secret}"}} and more', ())


def test_a_password_in_an_address_is_hidden() -> None:
    """And nothing else of the address."""
    assert without_secrets("postgres://me:sesame@host/db", ()) == f"postgres://{HIDDEN}@host/db"


PIECES = st.sampled_from(
    [*SECRETS, "postgres://me:sesame@host/db", " ", "plain", "\n", "sk-", "https://a.b/c", "Bearer"]
)


@given(st.lists(PIECES | st.text(max_size=8), max_size=6).map("".join))
def test_looking_for_signs_first_overlooks_nothing(text: str) -> None:
    """The same as looking everywhere."""
    assert without_secrets(text, ()) == _SECRET.sub(HIDDEN, text)
