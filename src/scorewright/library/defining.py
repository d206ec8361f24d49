"""How ready scorers are defined: ids that carry their options, and options held to be what they should."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from hashlib import sha256
from importlib.util import find_spec
from math import isnan

from typing_extensions import TypeIs

from scorewright.core.definition import is_number, shown
from scorewright.faults import DefinitionError

LONGEST = 80


def spelled(name: str, /, *given: object, **options: tuple[object, object]) -> str:
    """The id of a configuration: what was given, and each option `(value, default)` that differs from its default.

    Two configurations never share one: a long value is cut short and ends in a hash of the whole.

    >>> spelled("includes", "refund", ignore_case=(False, True))
    "includes('refund', ignore_case=False)"
    """
    told = [written(each) for each in given]
    told += [f"{option}={written(value)}" for option, (value, usual) in options.items() if value != usual]
    return f"{name}({', '.join(told)})" if told else name


def written(value: object, /) -> str:
    """A value as it stands in an id: one line, the same for equal values, different for different ones."""
    text = _whole(value)
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 20]}…#{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def _whole(value: object) -> str:
    spelling: object = getattr(value, "spelled", None)  # of values whose repr is for people
    if isinstance(spelling, str):
        return spelling
    if _is_mapping(value):
        return "{" + ", ".join(sorted(f"{key!r}: {_whole(held)}" for key, held in value.items())) + "}"
    if _is_set(value):
        return "{" + ", ".join(sorted(map(_whole, value))) + "}"
    if _is_list(value):
        return "[" + ", ".join(map(_whole, value)) + "]"
    return repr(value)


def _is_mapping(value: object) -> TypeIs[Mapping[object, object]]:
    return isinstance(value, Mapping)


def _is_set(value: object) -> TypeIs[Set[object]]:
    return isinstance(value, Set)


def _is_list(value: object) -> TypeIs[list[object] | tuple[object, ...]]:
    return isinstance(value, (list, tuple))


def needs(module: str, extra: str, call: str, /) -> None:
    """Raise unless a package of an extra is installed."""
    if find_spec(module.partition(".")[0]) is None:
        raise DefinitionError(f"{call} needs the package {module}: pip install 'scorewright[{extra}]'")


def expect_text(given: object, call: str, /, *, blank: bool = True) -> None:
    """Raise unless it is a text, and where `blank` is False one with something in it."""
    if not isinstance(given, str):
        raise DefinitionError(f"{call} takes a text, not {shown(given)}")
    if not blank and not given.strip():
        raise DefinitionError(f"{call} takes a text that is not blank")


def expect_texts(given: object, call: str, /) -> None:
    """Raise unless it is a list or a tuple of texts that are not blank; one text alone is not meant as its letters."""
    if not _is_list(given) and not _is_set(given):
        raise DefinitionError(f"{call} takes a list of texts, not {shown(given)}")
    for each in given:
        expect_text(each, f"{call} takes texts, each of which", blank=False)


def expect_sequence(given: object, call: str, /) -> None:
    """Raise unless it is a list or a tuple; of what, the caller holds."""
    if not _is_list(given):
        raise DefinitionError(f"{call} takes a list, not {shown(given)}")


def expect_flag(given: object, call: str, /) -> None:
    """Raise unless it is True or False."""
    if not isinstance(given, bool):
        raise DefinitionError(f"{call} takes True or False, not {shown(given)}")


def expect_whole(given: object, call: str, /, *, least: int = 0) -> None:
    """Raise unless it is a whole number, `least` or more."""
    if not isinstance(given, int) or isinstance(given, bool) or given < least:
        raise DefinitionError(f"{call} takes a whole number, {least} or more, not {shown(given)}")


def expect_number(given: object, call: str, /, *, least: float = 0.0, most: float = float("inf")) -> None:
    """Raise unless it is a number from `least` to `most`."""
    if not is_number(given) or not isinstance(given, (int, float)) or isnan(given) or not least <= given <= most:
        span = f"from {least:g} to {most:g}" if most != float("inf") else f"{least:g} or more"
        raise DefinitionError(f"{call} takes a number, {span}, not {shown(given)}")


def expect_one_of(given: object, allowed: tuple[str, ...], call: str, /) -> None:
    """Raise unless it is one of the words."""
    if given not in allowed:
        words = " or ".join(map(repr, allowed))
        raise DefinitionError(f"{call} takes {words}, not {shown(given)}")


def told(text: str, /) -> str:
    """A text inside a reason: quoted, on one line, cut short."""
    quoted = repr(text)
    return quoted if len(quoted) <= LONGEST else f"{quoted[: LONGEST - 2]}…{quoted[0]}"


def listed(words: Sequence[str], most: int, /, *, by: str = ", ") -> str:
    """The first of several words inside a reason, each as `named` tells it.

    >>> listed(["depot", "Graz", "seven"], 2)
    'depot, Graz, …'
    """
    return by.join((*map(named, words[:most]), *(["…"] if len(words) > most else [])))


def named(word: str, /) -> str:
    """A word or a name inside a reason: cut short; half a surrogate pair, which cannot be saved, becomes a mark.

    >>> named("ab" * 100)[-5:], named("a" + chr(0xD800))
    ('baba…', 'a?')
    """
    cut = word if len(word) <= LONGEST else f"{word[: LONGEST - 1]}…"
    return cut if cut.isascii() else cut.encode("utf-8", "replace").decode()


def counted(number: int, noun: str, /) -> str:
    """A number and its noun.

    >>> counted(1, "call"), counted(2, "call")
    ('1 call', '2 calls')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
