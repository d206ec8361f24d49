"""What makes an evaluation the same one when it is begun again: its scorers, its rows, its target."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from math import isfinite
from types import CodeType

from typing_extensions import TypeIs

from scorewright.algebra.fingerprint import fingerprint
from scorewright.suites.journal import Experiment
from scorewright.suites.settings import For
from scorewright.suites.suite import Suite

UNSTABLE = "unstable"  # the hash of a scorer that has no form that another process would find again


def hashes_of(suite: Suite, /) -> dict[str, str]:
    """The fingerprint of every scorer; one of turns is another than the same one of whole runs."""
    hashes: dict[str, str] = {}
    for each in suite.assigned:
        found = fingerprint(each.scorer)
        own = f"{found.digest}-turn" if each.level == "turn" else found.digest
        hashes[each.id] = own if found.is_stable else UNSTABLE
    return hashes


def experiment_of(suite: Suite, source: str, target: object, call: Mapping[str, object], /) -> Experiment:
    """The experiment of a suite on a source: the same scorers, rows and target are the same experiment."""
    same: dict[str, object] = {
        "suite": suite.name,
        "scorers": hashes_of(suite),
        "source": source,
        "target": target_hash(target),
    }
    if suite.settings:
        same["settings"] = [_rule(each) for each in suite.settings]
    spec = {
        **same,
        "target_name": target_name(target),
        "thresholds": [str(each) for each in suite.thresholds],
        "gates": [str(each) for each in suite.gates],
        "about": {
            each.id: {
                "scale": [end if isfinite(end) else None for end in (each.scorer.scale.low, each.scorer.scale.high)],
                "better": each.scorer.better,
            }
            for each in suite.assigned
        },
        "call": dict(call),
    }
    id = sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()[:12]
    return Experiment(id, suite.name, json.dumps(spec, sort_keys=True), datetime.now(UTC).isoformat(timespec="seconds"))


def _rule(rule: For) -> Mapping[str, object]:
    """What of a rule decides what is scored, and by whom."""
    which = rule.rows if isinstance(rule.rows, str) else target_hash(rule.rows)
    judge = None if rule.judge is None else rule.judge.identity
    return {"rows": which, "only": rule.only, "skip": rule.skip, "judge": judge}


def target_name(target: object, /) -> str | None:
    """What a target is called in a store."""
    if target is None:
        return None
    named = target if hasattr(target, "__qualname__") else type(target)
    return f"{getattr(named, '__module__', '?')}:{getattr(named, '__qualname__', '?')}"


def target_hash(target: object, /) -> str | None:
    """The name of a target, and the code of one that is a function: what it closes over may change as it is called."""
    code: object = getattr(target, "__code__", None)
    if not isinstance(code, CodeType):
        return target_name(target)
    said = "\n".join(_said(code))
    return f"{target_name(target)} {sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def _said(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _said(constant)
        else:
            yield repr(sorted(map(repr, constant)) if _is_set(constant) else constant)


def _is_set(given: object) -> TypeIs[frozenset[object]]:
    return isinstance(given, frozenset)
