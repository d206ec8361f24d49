"""The functions that cattrs generates for one class."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from cattrs import Converter

_T = TypeVar("_T")

class AttributeOverride:
    def __init__(
        self,
        omit_if_default: bool | None = None,
        rename: str | None = None,
        omit: bool | None = None,
        struct_hook: Callable[[object, object], object] | None = None,
        unstruct_hook: Callable[[object], object] | None = None,
    ) -> None: ...

def override(
    omit_if_default: bool | None = None,
    rename: str | None = None,
    omit: bool | None = None,
    struct_hook: Callable[[object, object], object] | None = None,
    unstruct_hook: Callable[[object], object] | None = None,
) -> AttributeOverride: ...
def make_dict_structure_fn(
    cl: type[_T], converter: Converter, **kwargs: AttributeOverride
) -> Callable[[Mapping[str, object], object], _T]: ...
