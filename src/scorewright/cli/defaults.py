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
    options = {name: _options(command) for name, command in commands.items()}
    anywhere = {option for several in options.values() for option in several}
    _refuse([key for key in shared if _dashed(key) not in anywhere], path, anywhere)
    given = dict(shared)
    if is_object(own):
        _refuse([key for key in own if _dashed(key) not in options[tokens[0]]], path, options[tokens[0]])
        given |= own
    added: list[str] = []
    for key, value in given.items():
        option = f"--{_dashed(key)}"
        if _dashed(key) in options[tokens[0]] and not any(_is(token, option) for token in tokens):
            added.extend(_written(option, value, path))
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


def _options(command: Callable[..., int]) -> frozenset[str]:
    return frozenset(_names(command))


def _names(command: Callable[..., int]) -> Iterator[str]:
    """Of options that several commands share, which stand in a class, those in it."""
    hints = get_type_hints(command, include_extras=True)
    for each in inspect.signature(command).parameters.values():
        if each.kind is not each.KEYWORD_ONLY:
            continue
        hint: object = hints[each.name]
        if isinstance(hint, type) and attrs.has(hint):
            yield from (_dashed(field.name) for field in attrs.fields(hint))
        else:
            yield _name(each.name, hint)


def _name(parameter: str, hint: object) -> str:
    """What the option of a parameter is called: its own name, unless it is given another."""
    for note in getattr(hint, "__metadata__", ()):
        if isinstance(note, Parameter):
            for name in note.name or ():
                return f"{name}".removeprefix("--")
    return _dashed(parameter)


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _is(token: str, option: str) -> bool:
    return token == option or token.startswith(f"{option}=")


def _refuse(unknown: Sequence[str], path: Path, known: frozenset[str] | set[str]) -> None:
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
