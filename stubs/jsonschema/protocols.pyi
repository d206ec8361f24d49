"""A fence around jsonschema: what every validator can do."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from jsonschema.exceptions import ValidationError
from referencing import Registry

class Validator(Protocol):
    def __init__(
        self,
        schema: Mapping[str, object],
        resolver: object = None,
        format_checker: object = None,
        *,
        registry: Registry[object] = ...,
    ) -> None: ...
    @classmethod
    def check_schema(cls, schema: Mapping[str, object]) -> None: ...
    def iter_errors(self, instance: object) -> Iterable[ValidationError]: ...
