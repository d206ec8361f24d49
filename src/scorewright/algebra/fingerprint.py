"""A hash of the whole definition of a scorer: who is asked what, which functions make of it what, how parts combine.

Functions count by their bytecode, constants, defaults, the values that they close over and the globals that they name;
classes by the functions in them; functions and classes of installed packages by their name; other objects by their
class and what a pickle of them would hold. Where something has no stable form (a lock or an open file, a bare
`object()`, a judge without identity), the fingerprint says so: it holds in this process only.
"""

from __future__ import annotations

import copyreg
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from enum import Enum
from hashlib import sha256
from operator import itemgetter
from types import BuiltinFunctionType, CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Never, final

import attrs
from typing_extensions import TypeIs

from scorewright.core.scorer import Scorer, expect_scorer
from scorewright.shapes import Shape

_GENERATED = ("<attrs generated", "<string>")  # what attrs and dataclasses write follows from the fields
_INSTALLED = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})


@final
@attrs.frozen
class Fingerprint:
    """The digest, and why it is not the same in another process, if so."""

    digest: str
    unstable: tuple[str, ...]

    @property
    def is_stable(self) -> bool:
        """Whether the same definition has this digest in every process of this Python version."""
        return not self.unstable


def fingerprint(scorer: Scorer[Never, Never, Never, object], /) -> Fingerprint:
    """The fingerprint of a scorer; what the id, the description or any step changes, changes it."""
    expect_scorer(scorer, "fingerprint")
    walk = _Walk()
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    try:
        said = walk.said(scorer)
    except RecursionError:  # as a long chain of a user's objects can be
        said = f"{id(scorer)}"
        walk.unstable.append("it holds something that is nested too deeply to be read")
    return Fingerprint(sha256(f"{version} {said}".encode()).hexdigest(), tuple(dict.fromkeys(walk.unstable)))


class _Walk:
    """One reading of a definition, from the scorer down to the constants of its functions."""

    def __init__(self) -> None:
        self.unstable: list[str] = []
        self._seen: dict[int, tuple[int, object]] = {}

    def said(self, value: object) -> str:
        """The value as a text of fixed length."""
        if id(value) in self._seen and not isinstance(value, (str, int, float)):
            return f"seen {self._seen[id(value)][0]}"  # a cycle, or the same thing again
        plain = _plain(value)
        if plain is not None:
            return _digest("plain", plain)
        self._seen[id(value)] = (len(self._seen), value)  # the value too: its id must not be given away meanwhile
        cls = type(value)
        return _digest(
            cls.__qualname__, *(() if _is_installed(cls.__module__) else self._of_class(cls)), *self._parts(value)
        )

    def _parts(self, value: object) -> Iterator[str]:
        cls = type(value)
        if _is_series(value):
            yield from map(self.said, value)
        elif _is_mapping(value):
            items = sorted(zip(self._alone(value), value.values(), strict=True), key=itemgetter(0))
            yield from (key + self.said(held) for key, held in items)
        elif _is_set(value):
            yield from sorted(self._alone(value))
        elif isinstance(value, type):
            yield from self._of_class(value)
        elif isinstance(value, (FunctionType, MethodType, CodeType)):
            yield from self._of_function(value)
        elif _is_shape(value):
            yield self.said(value.schema)  # how it is read follows from it
        elif isinstance(identity := getattr(value, "identity", None), str):
            yield self._of_judge(value, identity)
        elif attrs.has(cls):
            yield from (f"{field.name} {self.said(getattr(value, field.name))}" for field in attrs.fields(cls))
        else:
            yield from self._of_other(value)

    def _alone(self, values: Iterable[object]) -> Iterator[str]:
        """Each as if it were the only one: in what order a process goes through a set, nobody knows."""
        for value in values:
            known = len(self._seen)
            yield self.said(value)
            while len(self._seen) > known:
                self._seen.popitem()

    def _of_function(self, value: FunctionType | MethodType | CodeType) -> Iterator[str]:
        if isinstance(value, MethodType):
            yield from (self.said(value.__func__), self.said(value.__self__))
        elif isinstance(value, CodeType):
            yield value.co_code.hex()
            yield from map(self.said, (value.co_consts, value.co_names, value.co_varnames, value.co_freevars))
        elif _is_installed(value.__module__ or ""):
            yield from (value.__module__, value.__qualname__)
            yield from self._closed_over(value)
        else:
            yield self.said(value.__code__)
            yield from map(self.said, (value.__defaults__, value.__kwdefaults__))
            yield from self._closed_over(value)
            names = sorted(set(_names(value.__code__)) & value.__globals__.keys())
            yield from (f"{name} {self.said(value.__globals__[name])}" for name in names)

    def _of_class(self, cls: type) -> Iterator[str]:
        """A class of the user's: its functions, and those of the classes that it is made from."""
        yield f"{cls.__module__}.{cls.__qualname__}"
        for name, held in sorted(vars(cls).items()):
            function = _unwrapped(held)
            if function is not None and not function.__code__.co_filename.startswith(_GENERATED):
                yield f"{name} {self.said(function)}"
        yield from (self.said(base) for base in cls.__bases__)

    def _closed_over(self, function: FunctionType) -> Iterator[str]:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            yield f"{name} {self.said(cell.cell_contents)}"

    def _of_judge(self, judge: object, identity: str) -> str:
        if not identity:
            self.unstable.append(f"a {type(judge).__name__} without identity")
        return identity

    def _of_other(self, value: object) -> Iterator[str]:
        reduced = _reduced(value)
        if reduced is None:
            self.unstable.append(f"a {type(value).__qualname__} is no data, and nothing else is known of it")
            yield repr(value)
        elif isinstance(reduced, str):  # the name of a global, perhaps of a function in a cache of its answers
            yield from (value.__module__, reduced, self.said(getattr(value, "__wrapped__", None)))
        else:
            yield from map(self.said, reduced[:3])
            yield from (self.said(list(held)) for held in reduced[3:5] if _is_iterator(held))


def _reduced(value: object) -> str | tuple[object, ...] | None:
    """What `pickle` would write of it; None where it would refuse, and of a bare `object()`, which is only itself."""
    if type(value) is object:
        return None
    reduce: Callable[[object], str | tuple[object, ...]] | None = copyreg.dispatch_table.get(type(value))
    try:
        return reduce(value) if reduce else value.__reduce_ex__(4)
    except Exception:  # noqa: BLE001 - what is no data refuses in its own way
        return None


def _plain(value: object) -> str | None:
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, Enum):
        return f"{type(value).__module__}.{type(value).__qualname__}.{value.name}"
    if isinstance(value, BuiltinFunctionType) or (isinstance(value, type) and _is_installed(value.__module__)):
        return f"{value.__module__}.{value.__qualname__}"
    return value.__name__ if isinstance(value, ModuleType) else None


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_installed(module: str) -> bool:
    """Whether it came with a package or with Python, whose versions are pinned elsewhere."""
    if module.partition(".")[0] == "scorewright" or module in sys.builtin_module_names:
        return True
    file: object = getattr(sys.modules.get(module), "__file__", None)
    return isinstance(file, str) and file.startswith(_INSTALLED)


def _unwrapped(held: object) -> FunctionType | None:
    """The function of a method, whatever kind of method it is."""
    inside: object = getattr(held, _INSIDE.get(type(held), ""), held)
    return inside if isinstance(inside, FunctionType) else None


_INSIDE: Mapping[type, str] = {property: "fget", classmethod: "__func__", staticmethod: "__func__"}


def _digest(*parts: str) -> str:
    return sha256("".join(f"{len(part)}:{part}" for part in parts).encode("utf-8", "surrogatepass")).hexdigest()


def _is_shape(value: object) -> TypeIs[Shape[object]]:
    return isinstance(value, Shape)


def _is_series(value: object) -> TypeIs[list[object] | tuple[object, ...]]:
    return isinstance(value, (list, tuple))


def _is_iterator(value: object) -> TypeIs[Iterator[object]]:
    return isinstance(value, Iterator)


def _is_mapping(value: object) -> TypeIs[Mapping[object, object]]:
    return isinstance(value, (dict, MappingProxyType))


def _is_set(value: object) -> TypeIs[Set[object]]:
    return isinstance(value, (set, frozenset))
