"""The core keeps its laws, and each law catches an implementation that does not."""

from __future__ import annotations

import pytest
from hypothesis import Phase, settings
from laws import broken

from scorewright.laws import (
    MAPPING_LAWS,
    PIPELINE_LAWS,
    PROGRAM_LAWS,
    VALUE_LAWS,
    Builder,
    Interpreters,
    Law,
    LawBroken,
    Mappings,
    Operations,
    Trial,
    Values,
    check_law,
    mappings,
    pipelines,
    programs,
    scorer_laws,
    steps,
    strategies,
    values,
)

SCORER_LAWS: tuple[Law[Interpreters[str, str, None], Trial[str, str, None]], ...] = scorer_laws()
REAL = Interpreters[str, str, None]()
CASES = {
    PROGRAM_LAWS: strategies.program_cases(),
    VALUE_LAWS: strategies.value_cases(),
    PIPELINE_LAWS: strategies.pipeline_cases(),
    MAPPING_LAWS: strategies.mapping_cases(),
    SCORER_LAWS: strategies.trials(strategies.scorers(), strategies.text_runs(), strategies.scripts()),
}
KEPT = [
    (law, implementation, CASES[laws])
    for laws, implementation in (
        (PROGRAM_LAWS, Operations()),
        (VALUE_LAWS, Values()),
        (PIPELINE_LAWS, Builder()),
        (MAPPING_LAWS, Mappings()),
        (SCORER_LAWS, REAL),
    )
    for law in laws
]
BROKEN = [
    (programs.left_identity, Operations(then=broken.then_that_runs_twice)),
    (programs.left_identity, Operations(then=broken.then_that_adds_one)),
    (programs.right_identity, Operations(then=broken.then_that_adds_one)),
    (programs.right_identity, Operations(then=broken.then_that_goes_on)),
    (programs.associativity, Operations(then=broken.then_that_runs_twice)),
    (programs.associativity, Operations(then=broken.then_that_adds_one)),
    (programs.failure_stops, Operations(then=broken.then_that_goes_on)),
    (programs.settle_identity, Operations(settle=broken.settle_that_drops_faults)),
    (programs.settle_composition, Operations(settle=broken.settle_that_maps_twice)),
    (programs.gather_keeps_order, Operations(gather=broken.gather_as_they_end)),
    (programs.both_is_gather_of_two, Operations(both=broken.both_where_the_second_counts)),
    (programs.pace_does_not_matter, Operations(gather=broken.gather_as_they_end)),
    (programs.interpreting_twice_gives_the_same, Operations(gather=broken.gather_as_they_end)),
    (programs.iterate_is_recursion, Operations(iterate=broken.iterate_once)),
    (values.pure_lifts_the_function, Values(pure=broken.pure_that_adds_one)),
    (values.mapping_keeps_identity, Values(pure=broken.pure_that_adds_one)),
    (values.mapping_keeps_identity, Values(then=broken.then_that_goes_on)),
    (values.mapping_keeps_composition, Values(pure=broken.pure_that_maps_twice)),
    (values.checking_twice_is_checking_once, Values(check=broken.check_that_halves)),
    (values.what_is_accepted_is_on_the_scale, Values(check=broken.check_that_takes_all)),
    (values.filling_is_associative, Values(filled=broken.filling_that_averages)),
    (values.the_empty_judge_fills_nothing, Values(filled=broken.filling_from_outside)),
    (steps.a_failing_step_stops_later_ones, Builder(broken.pipeline_that_goes_on)),
    (steps.a_failing_step_loses_nothing_before_it, Builder(broken.pipeline_that_forgets)),
    (steps.every_step_that_ran_has_its_record, Builder(broken.pipeline_that_forgets)),
    (steps.a_reason_never_changes_the_score, Builder(broken.pipeline_whose_reason_flatters)),
    (steps.not_scorable_is_no_number, Builder(broken.pipeline_where_not_scorable_is_zero)),
    (steps.not_scorable_in_the_reason_keeps_the_score, Builder(broken.pipeline_that_needs_a_reason)),
    (steps.steps_run_in_order, Builder(broken.pipeline_that_starts_in_the_middle)),
    (mappings.map_score_keeps_identity, Mappings(map_score=broken.map_score_that_halves)),
    (mappings.map_score_keeps_composition, Mappings(map_score=broken.map_score_that_halves)),
    (mappings.map_reason_keeps_identity, Mappings(map_reason=broken.map_reason_that_adds)),
    (mappings.map_reason_keeps_composition, Mappings(map_reason=broken.map_reason_that_adds)),
    (mappings.map_fault_keeps_identity, Mappings(map_fault=broken.map_fault_that_forgets)),
    (mappings.contramap_keeps_identity, Mappings(contramap_input=broken.contramap_input_that_adds)),
    (mappings.contramap_keeps_identity, Mappings(contramap_output=broken.contramap_output_as_a_part)),
    (mappings.contramap_keeps_composition, Mappings(contramap_input=broken.contramap_input_that_adds)),
    (mappings.contramap_run_is_both, Mappings(contramap_run=broken.contramap_run_of_the_input)),
    (mappings.inverting_twice_changes_nothing, Mappings(invert=broken.invert_that_halves)),
    (mappings.inverting_twice_changes_nothing, Mappings(invert=broken.invert_that_does_nothing)),
    (mappings.rescaling_there_and_back_changes_nothing, Mappings(rescale=broken.rescale_that_shifts)),
    (mappings.or_else_is_associative, Mappings(or_else=broken.or_else_by_length)),
    (mappings.or_else_takes_the_first_that_scores, Mappings(or_else=broken.or_else_backwards)),
    (mappings.or_else_takes_the_first_that_scores, Mappings(or_else=broken.or_else_never)),
    (pipelines.sync_is_async, Interpreters(sync=broken.failing_is_zero)),
    (pipelines.sync_is_async, Interpreters(later=broken.failing_is_zero_later)),
    (pipelines.replay_is_the_run, Interpreters(replay=broken.replay_in_order_of_arrival)),
    (pipelines.order_of_runs_does_not_matter, Interpreters(sync=broken.drifting())),
    (pipelines.pace_does_not_matter, Interpreters(sync=broken.first_reply_for_all)),
    (pipelines.one_record_a_step, Interpreters(sync=broken.told_backwards)),
    (pipelines.every_ask_is_kept, Interpreters(sync=broken.asking_twice)),
    (pipelines.asks_are_bounded, Interpreters(sync=broken.told_twice)),
    (pipelines.a_score_is_on_the_scale, Interpreters(sync=broken.beyond_the_scale)),
    (pipelines.a_failure_is_no_number, Interpreters(sync=broken.failing_keeps_zero)),
]


def parts_of(given: object) -> str:
    """What a case of these tables is called: the law, and what was put in the place of the real thing."""
    if callable(given):
        return getattr(given, "__name__", "")
    ours = [value.__name__ for value in vars_of(given) if getattr(value, "__module__", "").endswith("broken")]
    return ",".join(ours).removesuffix(".<locals>.sync")


def vars_of(given: object) -> list[object]:
    return [getattr(given, field.name) for field in getattr(type(given), "__attrs_attrs__", ())]


@pytest.mark.parametrize(("law", "implementation", "cases"), KEPT, ids=[law.__name__ for law, _, _ in KEPT])
def test_the_core_keeps_the_law(law, implementation, cases) -> None:
    """Hypothesis finds no case on which the two sides differ."""
    check_law(law, implementation, cases)


@pytest.mark.parametrize(("law", "implementation"), BROKEN, ids=parts_of)
def test_a_broken_implementation_is_caught(law, implementation) -> None:
    """Hypothesis finds a case on which the two sides differ."""
    cases = next(cases for laws, cases in CASES.items() if law in laws)
    thorough = settings(max_examples=1_000, phases=[Phase.generate], database=None, derandomize=True)
    with pytest.raises(LawBroken, match=law.__name__):
        check_law(law, implementation, cases, under=thorough)


def test_every_law_is_shown_to_bite() -> None:
    """No law is without an implementation that breaks it."""
    assert {law for law, _, _ in KEPT} == {law for law, _ in BROKEN}


@pytest.mark.parametrize("law", [law for law, _, _ in KEPT], ids=lambda law: law.__name__)
def test_a_law_says_what_it_states(law) -> None:
    """Its docstring is one sentence."""
    assert law.__doc__.count("\n") == 0
    assert law.__doc__.endswith(".")
