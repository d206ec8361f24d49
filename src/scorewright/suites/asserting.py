"""What promptfoo's tests assert, scored as it scores it: `assertions()` reads it from the metadata of a row."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core import Run, Scorer, Step, Verdict, create_scorer
from scorewright.core.averaging import weighted_mean
from scorewright.faults import DefinitionError, InvalidRun, NotScorable
from scorewright.library.checks import json_schema, valid_json
from scorewright.results import err, ok
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.kinds import texts_in

Assertions: TypeAlias = Scorer[object, object, object, NotScorable | InvalidRun]
_Run: TypeAlias = "Run[object, object, object]"
_Check: TypeAlias = Callable[[object, str], bool]  # of what is asserted and of the output

_NAME = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_CODE = re.compile(r"file://|package:|.*(?:\{\{|\{%|\{#)", re.DOTALL)
_PART = re.compile(r"""[\s,]*(?:"(?P<quoted>(?:[^"\\]|\\.|"")*)"\s*(?=,|\Z)|(?P<plain>[^",\s][^,]*))""", re.DOTALL)
_QUOTED = re.compile(r"""\\(["\\])|"(")""")
_NOT = "not-"
_SHOWN = 80  # letters of a value that a reason repeats


@final
class _Refused(Exception):
    """An assertion that cannot be scored here."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(path, why)
        self.fault: InvalidRun = InvalidRun(path, why)


@final
@attrs.frozen
class _Held:
    """What came of one assertion: how much of it holds, from 0 to 1, whether that is enough, and its weight."""

    share: float
    passes: bool
    weight: float
    told: str


def assertions(*, skip: Sequence[str] = ()) -> Assertions:
    """The share of what a promptfoo test asserts that holds, by weight; 1 where the test passes, also by its threshold.

    So the gate `{"assertions": 1}` passes the tests that promptfoo passes. Scored are `equals`, `contains`,
    `contains-all`, `contains-any`, the same with `icontains`, `starts-with`, `regex` (as Python reads it), `is-json`,
    `assert-set`, and each with `not-` before it. `{{name}}` in a value is that variable. Whatever else a test asserts,
    such as `javascript` or `llm-rubric`, fails the row with `InvalidRun`, unless its type is among those to `skip`,
    which are for scorers of their own. A test that asserts nothing, or nothing else, is not scorable.
    """
    left = frozenset(texts_in("skip", skip))

    def judged(step: Step[object, object, None, None]) -> Result[Verdict, NotScorable | InvalidRun]:
        run = step.run
        try:
            held = _several(run.metadata.get("assert"), "$.metadata.assert", run, left)
            threshold = _number(run.metadata.get("threshold"), None, "$.metadata.threshold")
            _without_code(run.metadata)
        except _Refused as refused:
            return err(refused.fault)
        if not any(each.weight for each in held):
            return err(NotScorable("the test asserts nothing that is scored here"))
        return ok(_verdict(held, threshold))

    return create_scorer(
        "assertions",
        input=object,
        output=object,
        description="what the test of promptfoo asserts of the output holds",
    ).generate_verdict(judged)


def _verdict(held: Sequence[_Held], threshold: float | None) -> Verdict:
    share, missed = _share(held), [each.told for each in held if not each.passes]
    said = f"{len(held) - len(missed)} of {len(held)} hold" + (f"; not {', not '.join(missed)}" if missed else "")
    passes = _passes(held, share, threshold)
    if threshold is not None:
        said = f"{said}; the threshold {threshold:g} is {'reached' if passes else 'missed'} with {share:g}"
    return Verdict(1.0 if passes else min(share, _BELOW), said)


_BELOW = 1 - sys.float_info.epsilon  # a share that rounds to 1, or falls short of a threshold above it, is no pass


def _passes(held: Sequence[_Held], share: float, threshold: float | None) -> bool:
    """Whether a threshold is reached, or, where there is none, all that counts holds."""
    return all(each.passes for each in held if each.weight) if threshold is None else share >= threshold


def _without_code(metadata: Mapping[str, object]) -> None:
    """Refuse code that would change the output, or the score."""
    options = metadata.get("options")
    for key in ("postprocess", "transform"):
        if is_object(options) and options.get(key) is not None:
            raise _Refused(f"$.metadata.options.{key}", _NO_CODE)
    if metadata.get("assertScoringFunction") is not None:
        raise _Refused("$.metadata.assertScoringFunction", _NO_CODE)


_NO_CODE = "code of another language is not run"


def _share(held: Sequence[_Held]) -> float:
    return weighted_mean([each.share for each in held], [each.weight for each in held])


def _several(given: object, path: str, run: _Run, left: frozenset[str]) -> list[_Held]:
    """What came of each that is not left out; one that cannot be scored is `_Refused`, with its path and why."""
    each = [(f"{path}[{at}]", one) for at, one in enumerate(given if is_list(given) else ())]
    scored = [_held(one, where, run, left) for where, one in each if not (is_object(one) and one.get("type") in left)]
    return [held for held in scored if held is not None]


def _held(given: object, path: str, run: _Run, left: frozenset[str]) -> _Held | None:
    """What came of one; None of a set of which nothing counts."""
    if not is_object(given) or not isinstance(kind := given.get("type"), str):
        raise _Refused(path, "an assertion is an object with a type")
    weight = _number(given.get("weight"), 1.0, f"{path}.weight") or 0.0
    if kind == "assert-set":
        inner = _several(given.get("assert"), f"{path}.assert", run, left)
        least = _number(given.get("threshold"), None, f"{path}.threshold")
        if not any(each.weight for each in inner):
            return None
        share = _share(inner)
        return _Held(share, _passes(inner, share, least), weight, kind)
    base = kind.removeprefix(_NOT)
    if base not in _CHECKS:
        raise _Refused(path, f"{kind!r} is not scored here: give it a scorer of its own, and skip=[{kind!r}]")
    if "transform" in given:
        raise _Refused(f"{path}.transform", _NO_CODE)
    value = _filled(given.get("value"), run.input, path)
    if value is None and base != "is-json":
        raise _Refused(path, f"{kind!r} needs a value")
    try:
        holds = _CHECKS[base](value, _text(run.output)) != kind.startswith(_NOT)
    except (DefinitionError, re.error, TypeError, OverflowError) as wrong:
        raise _Refused(f"{path}.value", f"{base}: {wrong}") from wrong
    told = kind if value is None else f"{kind} {_text(value)[:_SHOWN]!r}"
    return _Held(float(holds), holds, weight, told)


def _number(given: object, usual: float | None, path: str) -> float | None:
    if given is None:
        return usual
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 <= given <= sys.float_info.max:
        raise _Refused(path, f"expected a number that is not negative, got {given!r}")
    return float(given)


def _filled(value: object, variables: object, path: str) -> object:
    """The value with the variables of the test in it; other templates, and files, are refused."""
    if is_list(value):
        return [_filled(each, variables, path) for each in value]
    if not isinstance(value, str):
        return value
    known: Mapping[str, object] = variables if is_object(variables) else {}
    rest = _NAME.sub(lambda name: " " if name[1] in known else name[0], value)
    if _CODE.match(rest):
        raise _Refused(f"{path}.value", f"{value!r} is a file or a template: write what it stands for")
    return _NAME.sub(lambda name: _text(known[name[1]]), value)


def _text(value: object) -> str:
    """A text as it is, anything else as JavaScript writes its JSON: without blanks, a whole number without a point."""
    if isinstance(value, str):
        return value
    return json.dumps(_whole(value), ensure_ascii=False, separators=(",", ":"), default=str)


def _whole(value: object) -> object:
    if is_object(value):
        return {key: _whole(each) for key, each in value.items()}
    if is_list(value):
        return [*map(_whole, value)]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < _EXPONENT else value


_EXPONENT = 1e21  # from here on it writes one


def _said(value: object) -> str:
    """What a text is compared with: another one, or a number, and never nothing, which all contain."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)) or value == "":
        raise TypeError(f"its value is a text with something in it, not {value!r}")
    return _text(value)


def _pattern(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"its value is a text, not {value!r}")
    return _said(value)


def _parts(value: object) -> list[str]:
    """The texts of a list, or of a text with commas, as in the cell of a table: what is quoted may hold some."""
    if is_list(value):
        return [*map(_text, value)]
    text, parts, at = _pattern(value), list[str](), 0
    while found := _PART.match(text, at):
        quoted = found["quoted"]
        parts.append(found["plain"].strip() if quoted is None else _QUOTED.sub(r"\1\2", quoted))
        at = found.end()
    if text[at:].strip(" \t\r\n,"):
        raise TypeError(f"a quotation in {value!r} does not end, or something follows it")
    return parts


def _equals(value: object, output: str) -> bool:
    if not is_object(value) and not is_list(value):
        return output == _text(value)
    try:
        return _same(json.loads(output), value)
    except (ValueError, RecursionError):
        return False


def _same(one: object, other: object) -> bool:
    """Are they the same JSON? True is no 1."""
    if is_object(one) and is_object(other):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if is_list(one) and is_list(other):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _is_json(value: object, output: str) -> bool:
    if value not in (None, "") and not is_object(value):
        raise TypeError("its value is a JSON Schema")
    found = (json_schema(value) if is_object(value) else valid_json()).run_sync(Run(None, output))
    return is_successful(found) and found.unwrap().score == 1


_CHECKS: Mapping[str, _Check] = {
    "equals": _equals,
    "contains": lambda value, output: _said(value) in output,
    "contains-all": lambda value, output: all(each in output for each in _parts(value)),
    "contains-any": lambda value, output: any(each in output for each in _parts(value)),
    "icontains": lambda value, output: _said(value).lower() in output.lower(),
    "icontains-all": lambda value, output: all(each.lower() in output.lower() for each in _parts(value)),
    "icontains-any": lambda value, output: any(each.lower() in output.lower() for each in _parts(value)),
    "starts-with": lambda value, output: output.startswith(_pattern(value)),
    "regex": lambda value, output: re.search(_pattern(value), output) is not None,
    "is-json": _is_json,
}
