"""What a judge is told when its answer could not be used."""

from __future__ import annotations

import re

from returns.result import Failure
from typing_extensions import TypeVar

from scorewright.core.ask import Outcome
from scorewright.faults import JudgeFault, NotJson, SchemaMismatch

T = TypeVar("T")


def misunderstood(done: Outcome[T, JudgeFault], /) -> NotJson | SchemaMismatch | None:
    """The format fault that a judge can mend when it is told."""
    if isinstance(done, Failure):
        fault: JudgeFault = done.failure()
        return fault if isinstance(fault, (NotJson, SchemaMismatch)) else None
    return None


_KEY = re.compile(r'\.(\w+)|\["((?:[^"\\]|\\.)*)"\]')
_GOT = re.compile(r",? got (?!an? [a-z ]+$|null$|\d+$).*", re.DOTALL)
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")


def feedback(fault: NotJson | SchemaMismatch, schema: str, /) -> str:
    """What was wrong, in our words and the schema's: nothing of the reply is repeated to the judge."""
    from scorewright.shapes.misfit import REFUSED

    def known(found: re.Match[str]) -> str:
        said = found.group(found.lastindex or 0)
        return found.group() if said.strip("'\"") in schema else "[…]"

    refused, validator, _ = fault.why.partition(REFUSED)  # what a user's validator says may quote the answer
    why = _QUOTED.sub(known, _GOT.sub("", refused)) + validator
    where = f"at {_KEY.sub(known, fault.path)}: {why}" if isinstance(fault, SchemaMismatch) else why
    return f"Your last answer could not be used ({where}). Answer again, with the JSON value alone."
