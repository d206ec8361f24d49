"""The same for TypedDicts."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from cattrs import Converter
from cattrs.gen import AttributeOverride

_T = TypeVar("_T")

def make_dict_structure_fn(
    cl: type[_T], converter: Converter, **kwargs: AttributeOverride
) -> Callable[[Mapping[str, object], object], _T]: ...
