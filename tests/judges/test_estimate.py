"""What a batch will take, before anything is sent."""

from __future__ import annotations

import pytest
from core.canned import CANNED
from hypothesis import given
from hypothesis import strategies as st

from scorewright import Judge, Run, Scorer, create_scorer, ok, plan, prompt, pure, reason_prompt, score_prompt
from scorewright.core import Plan
from scorewright.judges import Bounds, ErrorRetryProcessor, Estimate, Match, ModelSettings, estimate
from scorewright.judges.estimate import NOTHING, most_requests

RUN = Run("in", "out " * 100)
CAPPED = ModelSettings(max_tokens=100)


def scored(judge: Judge) -> Scorer[str, str]:
    return create_scorer("s", input=str, output=str, judge=judge).generate_score(
        score_prompt(lambda s: f"Score it.\n{s.run.output}")
    )


def of(scorer: Scorer[str, str], runs: int = 1) -> Estimate:
    return estimate(plan(scorer, RUN) for _ in range(runs))


def test_a_scorer_that_asks_nothing_costs_nothing() -> None:
    """Everything is known, and is 0."""
    assert of(create_scorer("s", input=str, output=str).generate_score(pure(lambda _: 1))) == NOTHING
    assert estimate([]) == NOTHING


def test_a_price_that_is_known_is_estimated() -> None:
    """Between each question answered at once with one token, and every retry with the longest reply."""
    found = of(scored(Judge("openai/gpt-4o-mini", model_settings=CAPPED)), 10)
    assert (found.asks, found.calls, found.output_tokens) == (Bounds(10, 10), Bounds(10, 30), Bounds(10, 3000))
    assert found.input_tokens.low is not None
    assert found.input_tokens.low > 1_000
    assert found.input_tokens.high == 3 * found.input_tokens.low
    assert found.dollars.low is not None
    assert found.dollars.high is not None
    assert 0 < found.dollars.low < found.dollars.high < 0.01


@pytest.mark.parametrize(
    "judge",
    [Judge("mine", base_url="http://127.0.0.1:1/v1"), Judge("openai/of-mine", base_url="http://127.0.0.1:1/v1")],
)
def test_an_unknown_price_is_unknown(judge: Judge) -> None:
    """A server of one's own has no prices; what can be counted is counted."""
    found = of(scored(judge))
    assert found.dollars == Bounds(None, None)
    assert found.calls == Bounds(1, 3)
    assert str(found).endswith("US dollars: unknown")


def test_without_a_limit_the_reply_has_no_bound() -> None:
    """So the price has a lower bound only."""
    found = of(scored(Judge("openai/gpt-4o-mini")))
    assert found.output_tokens == Bounds(1, None)
    assert found.dollars.low is not None
    assert found.dollars.high is None


def test_later_questions_are_counted_and_not_priced() -> None:
    """Their prompts are made from answers."""
    whole = (
        create_scorer("s", input=str, output=str, judge=Judge("openai/gpt-4o-mini", model_settings=CAPPED))
        .analyze(prompt(str, lambda s: s.run.output))
        .generate_score(score_prompt(lambda s: s.ana))
        .generate_reason(reason_prompt(lambda s: f"Why {s.score}?"))
    )
    found = of(whole)
    assert found.asks == Bounds(1, 3)
    assert (found.calls.low, found.calls.high, found.dollars.high) == (1, None, None)


def test_a_function_step_may_ask_as_often_as_it_likes() -> None:
    """Then even the number of questions is unknown."""
    ask = prompt(float, lambda _: "Score it.")
    unknown = create_scorer("s", input=str, output=str, judge=Judge("openai/gpt-4o-mini")).generate_score(
        lambda s: ask(s) if s.run.output else ok(0.0)
    )
    assert of(unknown).asks == Bounds(1, None)


def test_a_judge_of_another_kind_is_unknown() -> None:
    """What it does for one question only it knows."""
    other = create_scorer("s", input=str, output=str, judge=CANNED).generate_score(score_prompt(lambda _: "Score it."))
    found = of(other)
    assert (found.asks, found.calls, found.dollars) == (Bounds(1, 1), Bounds(1, None), Bounds(None, None))


@pytest.mark.parametrize(
    ("judge", "most"),
    [
        (Judge("m"), 3),
        (Judge("m", error_processors=[]), 1),
        (Judge("m", max_processor_retries=1), 2),
        (Judge("m", max_processor_retries=0), 1),
        (Judge("m", error_processors=[ErrorRetryProcessor(max_retries=5)]), 6),
        (Judge("m", error_processors=[ErrorRetryProcessor(matchers=[Match(lambda _: True, max_retries=4)])]), 5),
        (Judge("m", error_processors=[lambda _: None]), 11),
    ],
)
def test_the_most_requests_of_one_ask(judge: Judge, most: int) -> None:
    """One, and the retries that its processors want, as far as the cap allows."""
    assert most_requests(judge) == most


bounds = st.builds(Bounds, st.none() | st.integers(0, 9), st.none() | st.integers(0, 9))
estimates = st.builds(Estimate, bounds, bounds, bounds, bounds, bounds)


@given(estimates, estimates, estimates)
def test_estimates_add_up(one: Estimate, two: Estimate, three: Estimate) -> None:
    """A monoid: the order of the sums does not matter, and nothing adds nothing."""
    assert (one + two) + three == one + (two + three)
    assert one + NOTHING == one == NOTHING + one


def test_plans_of_several_scorers_add_up() -> None:
    """A batch is the sum of its parts."""
    plans = [plan(scored(Judge("openai/gpt-4o-mini")), RUN), Plan((), 0), plan(scored(Judge("openai/gpt-4o")), RUN)]
    assert estimate(plans) == estimate(plans[:1]) + estimate(plans[1:])
