"""A fence around jsonschema: one validator, and what it finds."""

from jsonschema.exceptions import SchemaError as SchemaError
from jsonschema.protocols import Validator

Draft202012Validator: type[Validator]
