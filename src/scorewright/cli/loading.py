"""From `module:name` to scorers."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Never, TypeAlias, final

import attrs
from typing_extensions import TypeIs

from scorewright.cli.table import complain
from scorewright.core import Analyzed, Draft, Preprocessed, Scorer, Scorers

AnyScorer: TypeAlias = Scorer[object, object, object, object]  # the command line structures rows into its own types
_HOUSE = str(Path(__file__).parent.parent)


class UsageError(Exception):
    """The command was called wrongly; the message says how to mend it."""


class BrokenModule(UsageError):
    """A user's module could not be imported: where in their code, and what was raised; a column if it is no Python."""

    def __init__(self, place: str, file: str, line: int, said: str, column: int = 0) -> None:
        super().__init__(f"importing {place} failed at {file}:{line}: {said}")
        self.file: str = file
        self.line: int = line
        self.said: str = said
        self.column: int = column


def from_here() -> None:
    """Let modules be imported from the current folder; once is enough."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)


def load_scorers(specs: Iterable[str], /) -> tuple[AnyScorer, ...]:
    """The scorers of every `module:name`, `file.py:name`, `module` or `file.py`, in order; their ids differ."""
    from_here()
    loaded: dict[str, ModuleType] = {}
    found: dict[str, tuple[AnyScorer, str]] = {}
    for spec in specs:
        place, name = _parts(spec)
        if place not in loaded:
            loaded[place] = _module(place)
        for scorer in _named(loaded[place], place, name) if name else _all(loaded[place], place):
            if scorer.id in found:
                raise UsageError(f"two scorers have the id {scorer.id!r}: one of {found[scorer.id][1]}, one of {spec}")
            found[scorer.id] = (scorer, spec)
    return tuple(scorer for scorer, _ in found.values())


def load_object(spec: str, what: str, /) -> object:
    """What `module:name` or `file.py:name` names, to be used as `what`, such as a target."""
    from_here()
    place, name = _parts(spec)
    if not name:
        raise UsageError(f"{what} is written module:name or file.py:name, not {spec!r}")
    module = _module(place)
    if not hasattr(module, name):
        raise UsageError(f"{place} has no {name!r}")
    found: object = getattr(module, name)
    return found


@final
@attrs.frozen
class Found:
    """What a module holds: its scorers, each once and under the first of its names, and its half-built ones."""

    scorers: tuple[tuple[str, AnyScorer], ...]
    halves: tuple[tuple[str, str], ...]  # by name, what each lacks; but for those that a scorer was built from


def scorers_in(place: str, /) -> Found:
    """All scorers of a module or a file, those in lists too; none is fine."""
    from_here()
    return _found(_module(place))


def _found(module: ModuleType) -> Found:
    public = _public(module).items()
    every = [(name, each) for name, given in public for each in (given if _is_series(given) else (given,))]
    scorers: dict[int, tuple[str, AnyScorer]] = {}
    for name, each in every:
        if _is_scorer(each):
            scorers.setdefault(id(each), (name, each))  # two names of one scorer are one scorer
    ids = {scorer.id for _, scorer in scorers.values()}
    halves = tuple((name, lack) for name, each in every if (lack := _lack(each)) and _id(each) not in ids)
    return Found(tuple(scorers.values()), halves)


def _id(given: object) -> str:
    return given.about.id if isinstance(given, (Draft, Preprocessed, Analyzed)) else ""


def _parts(spec: str) -> tuple[str, str]:
    if spec.endswith(".py"):
        return spec, ""
    place, colon, name = spec.rpartition(":")
    return (place, name) if colon else (spec, "")


def _module(place: str) -> ModuleType:
    if place.endswith(".py"):
        return _file(Path(place))
    if not all(part.isidentifier() for part in place.split(".")):
        raise UsageError(f"--scorers takes module:name or file.py:name, not {place!r}")
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as missing:
        if missing.name and f"{place}.".startswith(f"{missing.name}."):
            hint = f"; for the file write {place}.py" if Path(f"{place}.py").is_file() else ""
            raise UsageError(f"there is no module {place!r} here or among the installed packages{hint}") from missing
        _blame(place, missing)
    except (Exception, SystemExit) as raised:  # noqa: BLE001 - a user's module may raise anything, or end the process
        _blame(place, raised)


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"there is no file {path}")
    folder = str(path.parent.resolve())
    if folder not in sys.path:
        sys.path.insert(0, folder)  # as Python does for a script, so that it can import its neighbours
    stem = path.stem
    name = f"scorers_in_{stem}" if stem in sys.modules or stem in sys.stdlib_module_names else stem
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} cannot be imported")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as raised:  # noqa: BLE001 - as above
        del sys.modules[name]
        _blame(str(path), raised)
    return module


def _blame(place: str, raised: BaseException) -> Never:
    """Say what the user's module raised and on which line of theirs."""
    kind = type(raised).__name__
    if isinstance(raised, SyntaxError) and raised.filename:
        raise BrokenModule(
            place, raised.filename, raised.lineno or 1, f"{kind}: {raised.msg}", raised.offset or 1
        ) from raised
    frames = traceback.extract_tb(raised.__traceback__)
    theirs = [frame for frame in frames if not frame.filename.startswith(("<", _HOUSE))]
    last = (theirs or frames)[-1]
    raise BrokenModule(place, last.filename, last.lineno or 1, f"{kind}: {raised}") from raised


def _named(module: ModuleType, place: str, name: str) -> tuple[AnyScorer, ...]:
    if not hasattr(module, name):
        raise UsageError(f"{place} has no {name!r}; {_listed(module)}")
    given: object = getattr(module, name)
    if not _is_series(given):
        return (_scorer(given, f"{place}:{name}"),)
    if not given:
        raise UsageError(f"{place}:{name} is empty")
    return tuple(_scorer(each, f"{place}:{name}[{index}]") for index, each in enumerate(given))


def _all(module: ModuleType, place: str) -> tuple[AnyScorer, ...]:
    found = _found(module)
    if not found.scorers:
        raise UsageError("; ".join([f"{place} holds no scorer", *_halves(found)]))
    for half in _halves(found):
        complain(f"left out of {place}: {half}")
    return tuple(scorer for _, scorer in found.scorers)


def _scorer(given: object, at: str) -> AnyScorer:
    if _is_scorer(given):
        return given
    raise UsageError(f"{at} is not a scorer: {_lack(given) or _kind(given)}")


def _lack(given: object) -> str:
    """What a half-built scorer lacks."""
    match given:
        case Draft():
            return "it has no step yet: call .generate_score(…) on it, perhaps after .preprocess(…) and .analyze(…)"
        case Preprocessed():
            return "its score is missing: call .generate_score(…) on it, perhaps after .analyze(…)"
        case Analyzed():
            return "its score is missing: call .generate_score(…) on it"
        case _:
            return ""


def _listed(module: ModuleType) -> str:
    there = _public(module).items()
    whole = [name for name, given in there if _is_scorer(given) or (_is_series(given) and any(map(_is_scorer, given)))]
    return "; ".join([f"its scorers are {', '.join(whole)}" if whole else "it has no scorer", *_halves(_found(module))])


def _halves(found: Found) -> list[str]:
    return [f"{name} is half-built, {lack}" for name, lack in found.halves]


def _public(module: ModuleType) -> dict[str, object]:
    return {name: given for name, given in vars(module).items() if not name.startswith("_")}


def _kind(given: object) -> str:
    if callable(given) and not isinstance(given, type):
        return "it is a function: give a name to the scorer that it makes"
    from scorewright.suites.suite import Suite

    if isinstance(given, Suite):
        return "it is a Suite, which scorewright evaluate --suite takes"
    return f"it is {given.__name__ if isinstance(given, type) else f'of type {type(given).__name__}'}"


def _is_scorer(given: object) -> TypeIs[AnyScorer]:
    return isinstance(given, Scorer)


def _is_series(given: object) -> TypeIs[list[object] | tuple[object, ...] | Scorers]:
    return isinstance(given, (list, tuple, Scorers))
