"""Which store, and which experiment in it: `STORE`, `STORE#ID`, `ID --store STORE`, `STORE --experiment ID`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, final

import attrs
from cyclopts import Parameter

from scorewright.cli.loading import UsageError
from scorewright.cli.table import complain
from scorewright.cli.usage import Misused

if TYPE_CHECKING:
    from scorewright.suites.journal import Experiment, Store

Named: TypeAlias = Annotated[str | None, Parameter(show=False)]


@final
@attrs.frozen
class At:
    """A store, and an experiment by its id or how that begins; the latest where none is named."""

    store: str
    id: str | None = None


def is_place(given: str, /) -> bool:
    """Whether it is an address, a path, or a file that is there."""
    return "://" in given or "#" in given or os.sep in given or Path(given).is_file()


def is_store(given: str, /) -> bool:
    """Whether it names a store rather than an experiment; a name with a suffix does so too."""
    return is_place(given) or bool(Path(given).suffix)


def at(*named: str | None, store: str | None, experiment: str | None = None) -> At:
    """What a command line names, in whichever of the forms. A store that stands first counts more than `--store`,
    which may come from `pyproject.toml`. None, two of them, or two experiments are a usage error.
    """
    given = [each for each in named if each is not None]
    first = [each for each in given if is_store(each)]
    if len(first) > 1:
        raise UsageError(f"one store at a time, not {first[0]} and {first[1]} too")
    if not first and store is None:
        raise Misused("no store is named, here, by --store or in pyproject.toml")
    where, _, own = (first[0] if first else store or "").partition("#")
    ids = dict.fromkeys(each for each in (own, experiment, *given) if each and each not in first)
    if len(ids) > 1:
        raise UsageError(f"one experiment at a time, not {' and '.join(ids)}")
    return At(where, next(iter(ids), None))


def experiment_in(store: Store, id: str | None, /) -> Experiment:
    """The experiment of this id, or the latest; none is a usage error."""
    from scorewright.suites.journal import StoreError

    try:
        return store.experiment(id)
    except StoreError as missing:
        raise UsageError(str(missing)) from missing


def taken_in(store: Store, id: str | None, /) -> Experiment:
    """The same; where none was named and there are several, it is told which one it is."""
    found = experiment_in(store, id)
    several = len(store.experiments()) if id is None else 1
    if several > 1:
        complain(f"experiment {found.id}, {found.name}, the latest of {several}; --experiment ID takes another")
    return found
