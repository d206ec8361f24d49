"""What makes an evaluation the same one when it is begun again: its scorers, its rows, its target."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from math import isfinite
from os.path import normpath

from scorewright.algebra.fingerprint import fingerprint
from scorewright.suites.identity import RESCORED, target_hash, target_name
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
        "source": _spelled(source),
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
    name = f"{suite.name} (rescored)" if target_name(target) == RESCORED else suite.name
    return Experiment(id, name, json.dumps(spec, sort_keys=True), datetime.now(UTC).isoformat(timespec="milliseconds"))


def _spelled(source: str) -> str:
    """The name of the rows; "./rows.jsonl" and "rows.jsonl" are one."""
    return source if not source or "://" in source else normpath(source)


def _rule(rule: For) -> Mapping[str, object]:
    """What of a rule decides what is scored, and by whom."""
    which = rule.rows if isinstance(rule.rows, str) else target_hash(rule.rows)
    judge = None if rule.judge is None else rule.judge.identity
    return {"rows": which, "only": rule.only, "skip": rule.skip, "judge": judge}
