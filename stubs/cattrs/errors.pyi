"""What cattrs raises, and the notes that say where."""

from collections.abc import Sequence
from typing import Self

class CattrsError(Exception): ...

class ClassValidationError(CattrsError):
    cl: type
    def __new__(cls, message: str, excs: Sequence[Exception], cl: type) -> Self: ...
    @property
    def exceptions(self) -> tuple[Exception, ...]: ...

class AttributeValidationNote(str):
    name: str
    type: object
    def __new__(cls, string: str, name: str, type: object) -> Self: ...

class ForbiddenExtraKeysError(CattrsError):
    cl: type
    extra_fields: set[str]
    def __init__(self, message: str | None, cl: type, extra_fields: set[str]) -> None: ...
