"""The faster parser gives what the standard library's gives."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorewright.shapes.json_text import json_of

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=[]))
texts = (
    (scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.text(max_size=3), scalars, max_size=3))
    .flatmap(lambda value: st.booleans().map(lambda escaped: json.dumps(value, ensure_ascii=escaped)))
    .flatmap(lambda text: st.integers(0, len(text)).map(lambda end: text[:end]) | st.just(text))
)


@given(texts)
def test_it_is_json_loads(text: str) -> None:
    """Law: the same value of the same types, or the same fault, also of text that breaks off."""
    try:
        known = repr(json.loads(text))
    except ValueError as wrong:
        with pytest.raises(ValueError, match=re.escape(str(wrong))):
            json_of(text)
    else:
        assert repr(json_of(text)) == known


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "[-Infinity, 1e999]",
        r'"\ud83d"',
        "18446744073709551616123",
        "-0",
        "[1.0, 1E5, 0.1e-400]",
        '{"a": 1, "a": 2}',
        "123456789012345678901234567890.5",
    ],
)
def test_what_the_fast_one_refuses_or_might_change(text: str) -> None:
    """No number loses digits, and what only `json.loads` takes is taken."""
    assert repr(json_of(text)) == repr(json.loads(text))
