"""What a judged scorer says of its questions before any of them is paid for."""

from __future__ import annotations

import pytest

from scorewright.core import plan
from scorewright.core.describing import describe
from scorewright.library.examples.judged import EXAMPLES

PROMPTS = {
    "helpfulness": "helpfulness-level",
    "noise_sensitivity": "noise_sensitivity-dimensions",
    "rubric": "rubric-criteria",
}


@pytest.mark.parametrize("name", PROMPTS)
def test_what_asks_once_says_so(name: str) -> None:
    """Its step is a prompt that names the file, so a plan counts it exactly."""
    example = EXAMPLES[name]()
    assert f"analyze: prompt ({PROMPTS[name]}.v1#" in describe(example.scorer)
    told = plan(example.scorer, example.run)
    assert (len(told.first), told.later_at_most) == (1, 0)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_plan_tells_the_first_question(name: str) -> None:
    """Exactly, with its schema; how many follow is unknown where it depends on the answer. Nothing is sent."""
    example = EXAMPLES[name]()
    told = plan(example.scorer, example.run)
    assert told.first
    assert all(request.schema for request in told.first)
    assert told.later_at_most in {None, 0}
