"""A fence around jsonschema: what does not fit, and where."""

from collections.abc import Iterable

class _Error(Exception):
    message: str
    def __init__(
        self,
        message: str,
        validator: str = ...,
        path: Iterable[str | int] = (),
        cause: Exception | None = None,
        context: tuple[()] = (),
        validator_value: object = ...,
        instance: object = ...,
        schema: object = ...,
        schema_path: Iterable[str | int] = (),
        parent: _Error | None = None,
        type_checker: object = ...,
    ) -> None: ...
    @property
    def json_path(self) -> str: ...

class ValidationError(_Error): ...
class SchemaError(_Error): ...
