"""A fence around cattrs: what builds attrs classes, dataclasses and TypedDicts, without `Any`."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TypeVar

from cattrs.errors import AttributeValidationNote as AttributeValidationNote
from cattrs.errors import ClassValidationError as ClassValidationError
from cattrs.errors import ForbiddenExtraKeysError as ForbiddenExtraKeysError
from cattrs.gen import AttributeOverride
from cattrs.gen import override as override

_T = TypeVar("_T")

class UnstructureStrategy(Enum):
    AS_DICT = "asdict"
    AS_TUPLE = "astuple"

class Converter:
    def __init__(
        self,
        dict_factory: Callable[[], dict[str, object]] = ...,
        unstruct_strat: UnstructureStrategy = ...,
        omit_if_default: bool = False,
        forbid_extra_keys: bool = False,
        type_overrides: Mapping[type, AttributeOverride] = {},
        unstruct_collection_overrides: Mapping[type, Callable[[object], object]] = {},
        prefer_attrib_converters: bool = False,
        detailed_validation: bool = True,
        unstructure_fallback_factory: Callable[[object], Callable[[object], object]] = ...,
        structure_fallback_factory: Callable[[object], Callable[[object, object], object]] = ...,
        use_alias: bool = False,
    ) -> None: ...
    def structure(self, obj: object, cl: type[_T]) -> _T: ...
    def unstructure(self, obj: object, unstructure_as: object = None) -> object: ...
