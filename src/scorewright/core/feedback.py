"""What a judge is told when its answer could not be used."""

from __future__ import annotations

from returns.result import Failure
from typing_extensions import TypeVar

from scorewright.core.ask import Outcome
from scorewright.faults import JudgeFault, Misfit, NotJson, SchemaMismatch

T = TypeVar("T")

_TWICE = " stands twice in one object"
UNKNOWN = "[…]"  # stands for a key that the reply made up


def misunderstood(done: Outcome[T, JudgeFault], /) -> NotJson | SchemaMismatch | None:
    """The format fault that a judge can mend when it is told."""
    if isinstance(done, Failure):
        fault: JudgeFault = done.failure()
        return fault if isinstance(fault, (NotJson, SchemaMismatch)) else None
    return None


def feedback(fault: NotJson | SchemaMismatch, schema: str, /) -> str:
    """What was wrong, in our words and the schema's: nothing of the reply is repeated to the judge."""
    if isinstance(fault, NotJson):
        told = _not_json(fault, schema)
    else:
        told = "; ".join(_told(misfit, schema) for misfit in fault.misfits)
    return f"Your last answer could not be used ({told}). Answer again, with the JSON value alone."


def _told(misfit: Misfit, schema: str) -> str:
    """One misfit as the judge may hear it: no text of the reply, no key that the schema does not know."""
    from scorewright.shapes.misfit import written_step

    steps = [written_step(step) if _is_known(step, schema) else f".{UNKNOWN}" for step in misfit.steps]
    where = f"${''.join(steps)}" if steps else misfit.path
    found = f", got {misfit.got}" if misfit.got and not misfit.quotes else ""
    return f"at {where}: {misfit.expected}{found}"


def _is_known(step: str | int, schema: str) -> bool:
    """Whether a key stands in the schema, as JSON spells it there."""
    from json import dumps

    return isinstance(step, int) or dumps(step, ensure_ascii=False)[1:-1] in schema


def _not_json(fault: NotJson, schema: str) -> str:
    """Why it is no JSON; only a key that stands twice is repeated there, and it is told where the schema has it."""
    key = fault.why.removeprefix("the key ").removesuffix(_TWICE)
    if len(key) == len(fault.why) or key[1:-1] in schema:
        return fault.why
    return f"a key{_TWICE}"
