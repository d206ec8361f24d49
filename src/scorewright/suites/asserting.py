"""What promptfoo's tests assert, scored as it scores it: `assertions()` reads it from the metadata of a row."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core import Run, Scorer, Step, Verdict, create_scorer
from scorewright.faults import DefinitionError, InvalidRun, NotScorable
from scorewright.library.checks import json_schema, valid_json
from scorewright.results import err, ok
from scorewright.shapes.values import is_list, is_object
from scorewright.suites.kinds import texts_in

Assertions: TypeAlias = Scorer[object, object, object, NotScorable | InvalidRun]
_Run: TypeAlias = "Run[object, object, object]"
Check: TypeAlias = Callable[[object, str], bool]  # of what is asserted and of the output

_NAME = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_NOT = "not-"


@final
class _Refused(Exception):
    """An assertion that cannot be scored here."""


@final
@attrs.frozen
class _Held:
    """What came of one assertion: how much of it holds, from 0 to 1, and its weight."""

    share: float
    weight: float
    told: str


def assertions(*, skip: Sequence[str] = ()) -> Assertions:
    """The share of what a promptfoo test asserts that holds, by weight; 1 where the test's own `threshold` is reached.

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
        except _Refused as refused:
            path, why = refused.args
            return err(InvalidRun(str(path), str(why)))
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
    share, missed = _share(held), [each.told for each in held if each.share < 1]
    said = f"{len(held) - len(missed)} of {len(held)} hold" + (f"; not {', not '.join(missed)}" if missed else "")
    if threshold is not None and share >= threshold:
        return Verdict(1.0, f"{said}; the threshold {threshold:g} is reached with {share:g}")
    return Verdict(share, said)


def _share(held: Sequence[_Held]) -> float:
    return sum(each.share * each.weight for each in held) / sum(each.weight for each in held)


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
        least = _number(given.get("threshold"), 1.0, f"{path}.threshold")
        if not any(each.weight for each in inner):
            return None
        share = _share(inner)
        return _Held(1.0 if least is not None and share >= least else share, weight, kind)
    base = kind.removeprefix(_NOT)
    if base not in _CHECKS:
        raise _Refused(path, f"{kind!r} is not scored here: give it a scorer of its own, and skip=[{kind!r}]")
    if "transform" in given:
        raise _Refused(f"{path}.transform", "code of another language is not run")
    value = _filled(given.get("value"), run.input, path)
    if value is None and base != "is-json":
        raise _Refused(path, f"{kind!r} needs a value")
    try:
        holds = _CHECKS[base](value, _text(run.output))
    except (DefinitionError, re.error, TypeError) as wrong:
        raise _Refused(f"{path}.value", f"{base}: {wrong}") from wrong
    return _Held(
        float(holds != kind.startswith(_NOT)), weight, f"{kind} {_text(value)[:80]!r}" if value is not None else kind
    )


def _number(given: object, usual: float | None, path: str) -> float | None:
    if given is None:
        return usual
    if isinstance(given, bool) or not isinstance(given, (int, float)) or given < 0:
        raise _Refused(path, f"expected a number that is not negative, got {given!r}")
    return float(given)


def _filled(value: object, variables: object, path: str) -> object:
    """The value with the variables of the test in it; other templates, and files, are refused."""
    if is_list(value):
        return [_filled(each, variables, path) for each in value]
    if not isinstance(value, str):
        return value
    known: Mapping[str, object] = variables if is_object(variables) else {}
    rest = _NAME.sub(lambda name: "" if name[1] in known else name[0], value)
    if value.startswith("file://") or "{{" in rest or "{%" in rest:
        raise _Refused(f"{path}.value", f"{value!r} is a file or a template: write what it stands for")
    return _NAME.sub(lambda name: _text(known[name[1]]), value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _parts(value: object) -> list[str]:
    """The texts of a list, or of a text with commas, as in the cell of a table."""
    if is_list(value):
        return [*map(_text, value)]
    return [part.strip() for part in _text(value).split(",")]


def _equals(value: object, output: str) -> bool:
    if isinstance(value, str):
        return output == value
    try:
        return bool(json.loads(output) == value)
    except (ValueError, RecursionError):
        return False


def _is_json(value: object, output: str) -> bool:
    if value is not None and not is_object(value):
        raise TypeError("its value is a JSON Schema")
    found = (valid_json() if value is None else json_schema(value)).run_sync(Run(None, output))
    return is_successful(found) and found.unwrap().score == 1


_CHECKS: Mapping[str, Check] = {
    "equals": _equals,
    "contains": lambda value, output: _text(value) in output,
    "contains-all": lambda value, output: all(each in output for each in _parts(value)),
    "contains-any": lambda value, output: any(each in output for each in _parts(value)),
    "icontains": lambda value, output: _text(value).lower() in output.lower(),
    "icontains-all": lambda value, output: all(each.lower() in output.lower() for each in _parts(value)),
    "icontains-any": lambda value, output: any(each.lower() in output.lower() for each in _parts(value)),
    "starts-with": lambda value, output: output.startswith(_text(value)),
    "regex": lambda value, output: re.search(_text(value), output) is not None,
    "is-json": _is_json,
}
