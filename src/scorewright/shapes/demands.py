"""What the validators of attrs demand of a value, checked in our own words before attrs checks it.

What attrs says repeats the value, so no judge could be told it; and attrs tries patterns with `re`, which nothing can
stop. A validator that is not known here, such as one of a user's own, is left to attrs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from scorewright.shapes.constraints import BOUNDS, LENGTHS, is_collection, is_number, part_of
from scorewright.shapes.json_checks import Check, bound_check, is_count, match_check, size_check
from scorewright.shapes.matching import matcher
from scorewright.shapes.misfit import Step, Unfit, as_written
from scorewright.shapes.values import is_object, shown

_SCALARS = (str, int, float, type(None))


def held(read: Callable[[object], object], validator: object, /) -> Callable[[object], object]:
    """The reader of a field that holds what it has read to the field's validator."""
    check = demand(validator)
    if check is None:
        return read

    def checked(given: object) -> object:
        value = read(given)
        check(value)
        return value

    return checked


def demand(validator: object, /) -> Check | None:
    """The check that raises `Unfit` where a validator of attrs would refuse a value; None where it is not known."""
    match type(validator).__name__:
        case "_AndValidator":
            return _every(part_of(validator, "_validators"))
        case "list" | "tuple":
            return _every(validator)
        case "_OptionalValidator":
            return _unless_none(_every(part_of(validator, "validator")))
        case "_DeepIterable":
            items = _of_each(demand(part_of(validator, "member_validator")), _numbered)
            return _all(demand(part_of(validator, "iterable_validator")), items)
        case "_DeepMapping":
            values = _of_each(demand(part_of(validator, "value_validator")), _keyed)
            return _all(demand(part_of(validator, "mapping_validator")), values)
        case "_NumberValidator":
            keyword, bound = BOUNDS.get(str(part_of(validator, "compare_op"))), part_of(validator, "bound")
            return bound_check(keyword, bound, "") if keyword and is_number(bound) else None
        case "_MinLengthValidator" | "_MaxLengthValidator" as kind:
            return _sized(validator, *LENGTHS[kind])
        case "_InValidator":
            return _among(part_of(validator, "options"))
        case "_MatchesReValidator":
            return _match(part_of(validator, "pattern"), part_of(validator, "match_func"))
        case _:
            return None


def _all(*checks: Check | None) -> Check | None:
    known = [check for check in checks if check is not None]

    def check(value: object) -> None:
        for each in known:
            each(value)

    return check if known else None


def _every(validators: object) -> Check | None:
    return _all(*map(demand, validators)) if is_collection(validators) else demand(validators)


def _unless_none(inner: Check | None) -> Check | None:
    return inner and (lambda value: None if value is None else inner(value))


def _of_each(inner: Check | None, parts: Callable[[object], Iterable[tuple[Step, object]]]) -> Check | None:
    """The check of every part of a value, whose path tells which one it is."""
    if inner is None:
        return None

    def check(value: object) -> None:
        for step, each in parts(value):
            try:
                inner(each)
            except Unfit as unfit:
                raise unfit.under(step) from None

    return check


def _numbered(value: object) -> Iterable[tuple[Step, object]]:
    return enumerate(value) if is_collection(value) else ()


def _keyed(value: object) -> Iterable[tuple[Step, object]]:
    return value.items() if is_object(value) else ()


def _sized(validator: object, attribute: str, keywords: Mapping[str, str]) -> Check | None:
    size = part_of(validator, attribute)
    if not is_count(size):
        return None
    return _all(*(size_check(keyword, size, "") for keyword in keywords.values()))


def _among(options: object) -> Check | None:
    """The check for `in_`, where its options are written as they are in a reply."""
    if not is_collection(options) or not all(isinstance(option, _SCALARS) for option in options):
        return None
    expected = " or ".join(map(shown, options))

    def check(value: object) -> None:
        if isinstance(value, _SCALARS) and value not in options:
            raise as_written(f"expected {expected}", value)

    return check


def _match(pattern: object, function: object) -> Check | None:
    source, flags = part_of(pattern, "pattern"), part_of(pattern, "flags")
    how: object = getattr(function, "__name__", "fullmatch")
    if not isinstance(source, str) or not isinstance(flags, int) or how not in {"search", "match", "fullmatch"}:
        return None
    try:
        return match_check(source, matcher(source, str(how), flags))
    except ValueError:  # `re` knows it and `regex` does not: it stays with attrs
        return None
