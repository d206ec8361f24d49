"""Whether an output is JSON, and JSON of a schema."""

from __future__ import annotations

from collections.abc import Mapping

from returns.pipeline import is_successful

from scorewright.core import Step, Verdict, create_scorer, pure
from scorewright.faults import DefinitionError
from scorewright.library.checks.content import TextCheck
from scorewright.library.defining import counted, needs, spelled
from scorewright.library.json_values import is_object, parsed

MOST_TOLD = 3


def valid_json() -> TextCheck:
    """Whether the whole output is one JSON value (RFC 8259), blanks around it aside.

    Stricter than Python's own reader: NaN, a number that is not finite, and a key that stands twice are refused.
    """

    def judged(step: Step[object, str, None, None]) -> Verdict:
        value = parsed(step.run.output)
        if is_successful(value):
            return Verdict(1.0, "the output is JSON")
        return Verdict(0.0, f"the output is not JSON: {value.failure()}")

    return create_scorer("valid_json", input=object, output=str, description="the output is JSON").generate_verdict(
        pure(judged)
    )


def json_schema(schema: Mapping[str, object], /) -> TextCheck:
    """Whether the whole output is JSON that a JSON Schema accepts; the draft is what `$schema` says, else 2020-12.

    The reason names the first places that do not fit. A `$ref` is followed inside the schema alone; nothing is fetched.
    """
    needs("jsonschema", "library", "json_schema(…)")
    from jsonschema import Draft202012Validator, SchemaError
    from jsonschema.validators import validator_for
    from referencing import Registry

    if not is_object(schema):
        raise DefinitionError(f"json_schema(schema) takes a mapping, such as {{'type': 'object'}}, not {schema!r}")
    kind = validator_for(schema, default=Draft202012Validator)
    try:
        kind.check_schema(schema)
    except SchemaError as wrong:
        raise DefinitionError(f"json_schema(…) takes a JSON Schema; at {wrong.json_path}: {wrong.message}") from None
    validator = kind(schema, registry=Registry())

    def judged(step: Step[object, str, None, None]) -> Verdict:
        value = parsed(step.run.output)
        if not is_successful(value):
            return Verdict(0.0, f"the output is not JSON: {value.failure()}")
        wrong = sorted(validator.iter_errors(value.unwrap()), key=lambda error: (error.json_path, error.message))
        if not wrong:
            return Verdict(1.0, "the output fits the schema")
        places = "; ".join(f"{error.json_path}: {error.message[:200]}" for error in wrong[:MOST_TOLD])
        return Verdict(0.0, f"{counted(len(wrong), 'place')} not of the schema: {places}")

    return create_scorer(
        spelled("json_schema", schema), input=object, output=str, description="the output is JSON of a schema"
    ).generate_verdict(pure(judged))
