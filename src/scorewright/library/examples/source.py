"""An example as a person would write it: read from the source of its table."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import final

import attrs


@final
@attrs.frozen
class Written:
    """One example as source: the scorer, the run, what the judge answers, and the extra that is named."""

    scorer: str
    run: str
    said: tuple[str, ...]
    extra: str
    lines_before: tuple[str, ...]  # the imports and the definitions that it uses

    @property
    def call(self) -> str:
        """The call that scores the run."""
        answer = f", answer=answering([{', '.join(self.said)}])" if self.said else ""
        return f"{self.scorer}.run_sync({self.run}{answer})"

    @property
    def code(self) -> str:
        """The whole, as it runs by itself."""
        imports = ("from scorewright import answering",) if self.said else ()
        return "\n".join((*imports, *self.lines_before, "", f"evaluation = {self.call}.unwrap()"))


@cache
def written(module: ModuleType, /) -> Mapping[str, Written]:
    """The examples of a module, by the names of their makers."""
    source = inspect.getsource(module)
    tree = ast.parse(source)
    defined = _definitions(tree, source)
    [table] = (node for node in tree.body if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict))
    return dict(_examples(table, source, defined))


def _examples(table: ast.AnnAssign, source: str, defined: Mapping[str, _Defined]) -> Iterator[tuple[str, Written]]:
    for node in ast.walk(table):
        if isinstance(node, ast.Dict) and node is table.value:
            for key, made in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(made, ast.Lambda) and isinstance(made.body, ast.Call):
                    yield str(key.value), _one(made.body, source, defined)


def _one(call: ast.Call, source: str, defined: Mapping[str, _Defined]) -> Written:
    scorer, run, *said = call.args
    extra = "".join(str(each.value.value) for each in call.keywords if isinstance(each.value, ast.Constant))
    needed = dict.fromkeys(name for part in call.args for name in _needed(part, defined))
    before = sorted({defined[name] for name in needed}, key=lambda each: each.at)
    return Written(
        _text(scorer, source),
        _text(run, source),
        tuple(map(ast.unparse, said)),
        extra,
        (*_imports(before), *(each.text for each in before if not each.module)),
    )


@final
@attrs.frozen
class _Defined:
    """A name of the module: the line where it comes from, and its definition or the module that it is imported from."""

    at: int
    text: str
    module: str = ""
    uses: tuple[str, ...] = ()


def _imports(names: Iterable[_Defined]) -> Iterator[str]:
    grouped: dict[str, list[str]] = {}
    for each in names:
        if each.module:
            grouped.setdefault(each.module, []).append(each.text)
    return (f"from {module} import {', '.join(sorted(found))}" for module, found in grouped.items())


def _definitions(tree: ast.Module, source: str) -> Mapping[str, _Defined]:
    found: dict[str, _Defined] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module != "__future__":
            for alias in node.names:
                found[alias.name] = _Defined(node.lineno, alias.name, node.module or "")
        elif isinstance(node, ast.ClassDef):
            uses = tuple(each.id for each in ast.walk(node) if isinstance(each, ast.Name) and each.id != node.name)
            found[node.name] = _Defined(node.lineno, f"\n{_text(node, source)}\n", "", uses)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Name):
                uses = tuple(each.id for each in ast.walk(node.value) if isinstance(each, ast.Name))
                text = f"{target.id} = {_text(node.value, source)}"  # a type is for the checkers of this table
                found[target.id] = _Defined(node.lineno, text, "", uses)
    return found


def _needed(node: ast.AST, defined: Mapping[str, _Defined]) -> Iterator[str]:
    names = [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
    while names:
        name = names.pop()
        if name in defined:
            yield name
            names.extend(defined[name].uses)


def _text(node: ast.AST, source: str) -> str:
    return ast.get_source_segment(source, node) or ast.unparse(node)
