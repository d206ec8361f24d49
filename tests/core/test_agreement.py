"""What several scorers have in common: the narrowest types that satisfy them all."""

from __future__ import annotations

from itertools import permutations
from types import NoneType
from typing import Optional, Union

import pytest

from scorewright import DefinitionError, create_scorer, pure
from scorewright.algebra import mean
from scorewright.core import Scorer


class Base:
    pass


class Special(Base):
    pass


def of(form: object, field: str) -> Scorer[object, object]:
    """A scorer of one field of this type; the others take anything."""
    forms = {"input": object, "output": object} | {field: form}
    return create_scorer(f"{form} {field}", **forms).generate_score(pure(lambda _: 0.5))


AGREEING = [
    ([object, str], str),
    ([str, str], str),
    ([object, object], object),
    ([int | str, str], str),
    ([Union[int, str], int], int),  # noqa: UP007 - the older spelling means the same
    ([str | None, str], str),
    ([str | None, None], None),
    ([Optional[str], None], None),  # noqa: UP045 - as above
    ([int | str, int | str | None], int | str),
    ([int | str, str | int], int | str),
    ([Base, Special], Special),
    ([object, Base, Special], Special),
    ([list[int], list[int]], list[int]),
    ([list[int] | None, list[int]], list[int]),
    ([bool, int], bool),
    ([str | None, NoneType], NoneType),
]


@pytest.mark.parametrize("field", ["input", "output", "expected"])
@pytest.mark.parametrize(("forms", "narrowest"), AGREEING, ids=str)
def test_the_narrowest_type_is_taken(forms: list[object], narrowest: object, field: str) -> None:
    """In whatever order, for each field alike: a row is read as what all of them take."""
    for order in permutations(forms):
        assert getattr(mean(*(of(form, field) for form in order), id="m").about, field) == narrowest


@pytest.mark.parametrize("field", ["input", "output", "expected"])
@pytest.mark.parametrize(
    "forms", [[str, int], [list[int], list[str]], [int | str, str | None], [Base, str], [None, str], [list[int], list]]
)
def test_types_without_one_in_common_are_refused(forms: list[object], field: str) -> None:
    """And the message names the field."""
    with pytest.raises(DefinitionError, match=rf"^no {field} fits all of "):
        mean(*(of(form, field) for form in forms))


def test_none_and_its_type_are_one() -> None:
    """Whichever is written first is kept."""
    assert mean(of(None, "input"), of(NoneType, "input"), id="m").about.input is None
    assert mean(of(NoneType, "input"), of(None, "input"), id="m").about.input is NoneType
