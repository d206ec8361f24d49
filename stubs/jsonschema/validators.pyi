"""A fence around jsonschema: which draft a schema is of."""

from collections.abc import Mapping

from jsonschema.protocols import Validator

def validator_for(schema: Mapping[str, object], default: type[Validator] = ...) -> type[Validator]: ...
