"""Options that `pyproject.toml` gives: `[tool.scorewright]` for all commands, `[tool.scorewright.NAME]` for one."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast, get_type_hints

import attrs
from cyclopts import Parameter

from scorewright.cli.loading import UsageError
from scorewright.shapes.values import is_list, is_object


def with_defaults(
    tokens: Sequence[str], commands: Mapping[str, Callable[..., int]], folder: Path | None = None, /
) -> list[str]:
    """The command line, with the options of the nearest `pyproject.toml` that it does not give itself.

    A key that no command takes as an option is a usage error; one that this command does not take is another's.
    """
    if not tokens or tokens[0] not in commands or {"--help", "-h"} & {*tokens}:
        return [*tokens]
    table, path = _table(folder or Path.cwd())
    own = table.get(tokens[0])
    shared = {key: value for key, value in table.items() if not is_object(value)}
    options = {name: dict(_names(command)) for name, command in commands.items()}
    anywhere = {option for several in options.values() for option in several}
    _refuse([key for key in shared if _dashed(key) not in anywhere], path, anywhere)
    given = dict(shared)
    if is_object(own):
        _refuse([key for key in own if _dashed(key) not in options[tokens[0]]], path, {*options[tokens[0]]})
        given |= own
    added: list[str] = []
    for key, value in given.items():
        names = options[tokens[0]].get(_dashed(key), ())
        if names and not any(_is(token, name) for token in tokens for name in names):
            added.extend(_written(f"--{_dashed(key)}", value, path))
    return [*tokens, *added]


def _table(folder: Path) -> tuple[dict[str, object], Path]:
    for each in (folder, *folder.parents):
        path = each / "pyproject.toml"
        if not path.is_file():
            continue
        try:
            held = cast("dict[str, object]", tomllib.loads(path.read_text("utf-8")))
        except (OSError, ValueError) as broken:
            raise UsageError(f"{path} cannot be read: {broken}") from broken
        tool = held.get("tool")
        table: object = tool.get("scorewright") if is_object(tool) else None
        return (table if is_object(table) else {}), path
    return {}, folder


def _names(command: Callable[..., int]) -> Iterator[tuple[str, Sequence[str]]]:
    """The options of a command, without dashes, each with all the names of the same one."""
    for parameter, hint in options_of(command):
        names = _called(hint) or [f"--{_dashed(parameter)}"]
        yield from ((name.removeprefix("--"), names) for name in names)


def options_of(command: Callable[..., int], /) -> Iterator[tuple[str, object]]:
    """The parameters of a command that are options, each with its annotation; of a class of them those in it."""
    hints = get_type_hints(command, include_extras=True)
    for each in inspect.signature(command).parameters.values():
        if each.kind is not each.KEYWORD_ONLY:
            continue
        hint: object = hints[each.name]
        if isinstance(hint, type) and attrs.has(hint):
            yield from get_type_hints(hint, include_extras=True).items()
        else:
            yield each.name, hint


def _called(hint: object) -> list[str]:
    """What the option of a parameter is called where that is not its own name."""
    notes = (note for note in getattr(hint, "__metadata__", ()) if isinstance(note, Parameter))
    return [f"{name}" for note in notes for name in note.name or ()]


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _is(token: str, option: str) -> bool:
    return token == option or token.startswith(f"{option}=")


def _refuse(unknown: Sequence[str], path: Path, known: set[str]) -> None:
    if unknown:
        raise UsageError(f"{path}: [tool.scorewright] has {unknown[0]!r}; its keys are {', '.join(sorted(known))}")


def _written(option: str, value: object, path: Path) -> Iterator[str]:
    if value is True:
        yield option
    elif is_list(value):
        for each in value:
            yield from _written(option, each, path)
    elif isinstance(value, (str, int, float)) and value is not False:
        yield f"{option}={value}"
    elif value is not False:
        raise UsageError(f"{path}: {option[2:]} in [tool.scorewright] is a text, a number, true, false or a list")
