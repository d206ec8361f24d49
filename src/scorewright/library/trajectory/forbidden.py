"""`forbidden_tools`: what must not be called, by whomever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorewright.agents import AgentInput
from scorewright.core import Scorer, pure
from scorewright.faults import DefinitionError, NotScorable
from scorewright.library.defining import expect_flag, expect_sequence, expect_texts, spelled
from scorewright.library.trajectory.path import Path, Told, inside, path_scorer, walked
from scorewright.results import ok


def forbidden_tools(
    names: Sequence[str] = (), /, *, sequences: Sequence[Sequence[str]] = (), nested: bool = True
) -> Scorer[AgentInput, Told, object, NotScorable]:
    """0 where one of these was called, or these one right after another, at any depth; else 1.

    A sequence without names is never called. Calls of agents are calls too. Without `nested` the calls of called agents
    are not looked at.
    """
    expect_texts(names, "forbidden_tools(names)")
    expect_sequence(sequences, "forbidden_tools(sequences=…)")
    for sequence in sequences:
        expect_texts(sequence, "forbidden_tools(sequences=[…]), each of which")
    if not names and not sequences:
        raise DefinitionError('forbidden_tools(…) forbids something: forbidden_tools(["delete_account"])')
    expect_flag(nested, "forbidden_tools(nested=…)")
    banned, chains = frozenset(names), tuple(map(tuple, sequences))

    id = spelled("forbidden_tools", sorted(banned), sequences=(list(chains), []), nested=(nested, True))
    return (
        path_scorer(id, "Nothing forbidden was called.")
        .analyze(pure(lambda s: tuple(_violations(s.pre, banned, chains, nested=nested))))
        .generate_score(pure(lambda s: not s.ana))
        .generate_reason(lambda s: ok("; ".join(s.ana) or "nothing forbidden was called"))
    )


def _violations(
    path: Path, banned: frozenset[str], chains: tuple[tuple[str, ...], ...], *, nested: bool
) -> Iterator[str]:
    for place, step in walked(path):
        if step.name in banned and (nested or "." not in place):
            yield f"step {place} calls {step.name}, which is forbidden"
    for chain in filter(None, chains):
        yield from _chained(path, chain, "")
        if nested:
            for place, step in walked(path):
                yield from _chained(inside(step), chain, f"{place}.")


def _chained(path: Path, chain: tuple[str, ...], prefix: str) -> Iterator[str]:
    names = path.names
    for at in range(len(names) - len(chain) + 1):
        if names[at : at + len(chain)] == chain:
            yield f"from step {prefix}{at + 1} on {' → '.join(chain)}, which is forbidden"
