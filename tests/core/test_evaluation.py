"""Evaluations and failures: what they keep, what makes them equal, and that they travel."""

from __future__ import annotations

import copy
import pickle

import attrs
import pytest
from core.canned import CANNED, Canned, Told

from scorewright import (
    Evaluation,
    NotScorable,
    Run,
    Scorer,
    ScoringFailure,
    Verdict,
    create_scorer,
    err,
    ok,
    prompt,
    pure,
    reason_prompt,
    score_from,
)
from scorewright.core import Calculated
from scorewright.faults import EmptyReply, SchemaMismatch
from scorewright.wording import describe

RUN = Run("Where is it?", "On its way.", run_id="r-1")


def by_four() -> Scorer[str, str]:
    return (
        create_scorer("four", input=str, output=str, judge=CANNED)
        .preprocess(pure(lambda step: step.run.output.split()))
        .analyze(prompt(list[str], lambda step: f"Claims of {step.pre}"))
        .generate_score(score_from(bool, lambda step: f"Right? {step.ana}", lambda _, said: 1 if said else 0))
        .generate_reason(reason_prompt(lambda step: f"Why {step.score}?"))
    )


ANSWERS = {"C": '["it comes"]', "R": "true", "W": "It says so."}


def answering(**other: object) -> Told:
    return Told(lambda asked: (ANSWERS | other)[asked[0]])


def whole() -> Evaluation:
    return by_four().run_sync(RUN, answer=answering()).unwrap()


def broken() -> ScoringFailure[object]:
    return by_four().run_sync(RUN, answer=answering(W=EmptyReply())).failure()


def test_an_evaluation_keeps_every_step() -> None:
    """Names, values, prompts, the judge's structured answers and exchanges, in order."""
    done = whole()
    assert (done.score, done.reason, done.run_id) == (1.0, "It says so.", "r-1")
    assert [record.step for record in done.steps] == ["preprocess", "analyze", "generate_score", "generate_reason"]
    assert [record.value for record in done.steps] == [
        ["On", "its", "way."],
        ["it comes"],
        Calculated(1, True),
        "It says so.",
    ]
    assert [record.prompts for record in done.steps] == [
        (),
        ("Claims of ['On', 'its', 'way.']",),
        ("Right? ['it comes']",),
        ("Why 1.0?",),
    ]
    assert [record.answer for record in done.steps] == [None, ["it comes"], True, "It says so."]
    assert [said.reply.answer for said in done.exchanges] == [ok('["it comes"]'), ok("true"), ok("It says so.")]
    assert all(len(said.reply.attempts) == 1 for said in done.exchanges)
    assert all(record.nanoseconds > 0 for record in done.steps)


def test_a_record_is_found_by_its_name() -> None:
    """A step that was not reached, or does not exist, is told apart by an error that says which there are."""
    done = whole()
    assert done.record("analyze").value == ["it comes"]
    assert done.find("analyze") == done.record("analyze")
    assert done.find("nothing") is None
    failure = by_four().run_sync(RUN, answer=answering(C="{}")).failure()
    assert failure.find("generate_score") is None
    with pytest.raises(KeyError, match="no record of 'generate_score'; there are 'preprocess', 'analyze'"):
        failure.record("generate_score")


def test_a_failed_reason_keeps_the_score() -> None:
    """The failure holds the score and everything before, and the failed step's prompt and exchange."""
    failure = broken()
    assert (failure.step, failure.cause, failure.score, failure.run_id) == ("generate_reason", EmptyReply(), 1.0, "r-1")
    assert [record.step for record in failure.steps] == ["preprocess", "analyze", "generate_score", "generate_reason"]
    assert failure.steps[:3] == whole().steps[:3]
    assert failure.steps[3].prompts == ("Why 1.0?",)
    assert failure.steps[3].value is None


def test_a_score_of_zero_is_kept_too() -> None:
    """Zero is a score, not the lack of one."""
    failure = by_four().run_sync(RUN, answer=answering(R="false", W=EmptyReply())).failure()
    assert failure.score == 0.0


def test_a_reply_of_another_shape_keeps_its_text() -> None:
    """The failed prompt, the raw reply and all before are in the failure; there is no score."""
    failure = by_four().run_sync(RUN, answer=answering(C='{"items": 5}')).failure()
    assert (failure.step, failure.score) == ("analyze", None)
    assert isinstance(failure.cause, SchemaMismatch)
    assert failure.cause.text == '{"items": 5}'
    assert [record.step for record in failure.steps] == ["preprocess", "analyze"]
    assert failure.steps[1].prompts == ("Claims of ['On', 'its', 'way.']",)


def test_equality_ignores_times_ids_and_attempts() -> None:
    """Two runs of the same exchange with the same answers are equal; other answers make others."""
    other = by_four().run_sync(Run("Where is it?", "On its way.", run_id="r-2"), answer=answering()).unwrap()
    assert other == whole()
    assert other.run_id != whole().run_id
    assert by_four().run_sync(RUN, answer=answering(W="Because.")).unwrap() != whole()
    assert by_four().run_sync(RUN, answer=answering(C='["other"]')).unwrap() != whole()
    assert broken() == broken()
    assert broken() != by_four().run_sync(RUN, answer=answering(R="false", W=EmptyReply())).failure()


def raised(kind: type[Exception], said: str) -> ScoringFailure[object]:
    def step(_: object) -> object:
        raise kind(said)

    return create_scorer("x", input=str, output=str).generate_score(step).run_sync(RUN).failure()


def test_equality_of_failures_ignores_the_exception_itself() -> None:
    """Type and message of what was raised count."""
    assert raised(ValueError, "a") == raised(ValueError, "a")
    assert raised(ValueError, "a") != raised(ValueError, "b")
    assert raised(ValueError, "a") != raised(TypeError, "a")


@pytest.mark.parametrize(
    "evidence", [whole, broken, lambda: raised(ValueError, "a")], ids=["whole", "broken", "raised"]
)
@pytest.mark.parametrize(
    "travel",
    [lambda given: pickle.loads(pickle.dumps(given)), copy.copy, copy.deepcopy],
    ids=["pickle", "copy", "deepcopy"],
)
def test_evidence_survives_pickling_and_copying(evidence: object, travel: object) -> None:
    """It arrives equal, with its id, times and attempts."""
    here = evidence()
    there = travel(here)
    assert there == here
    assert there.run_id == here.run_id
    assert [record.nanoseconds for record in there.steps] == [record.nanoseconds for record in here.steps]
    assert [said.reply.attempts for said in there.exchanges] == [said.reply.attempts for said in here.exchanges]
    assert repr(there) == repr(here)


@pytest.mark.parametrize("evidence", [whole, broken], ids=["whole", "broken"])
def test_no_field_can_be_rebound(evidence: object) -> None:
    """Neither a field nor a new attribute can be set."""
    for name in ("score", "reason", "cause", "step", "trail", "names", "run_id", "steps", "new"):
        with pytest.raises(AttributeError):
            setattr(evidence(), name, "x")


def test_a_repr_is_short() -> None:
    """What a person wants to see first, not the evidence."""
    assert repr(whole()) == "Evaluation(score=1.0, reason='It says so.')"
    assert repr(broken()) == "ScoringFailure(step='generate_reason', cause=EmptyReply(why=''), score=1.0)"


def test_values_are_data() -> None:
    """Verdicts and calculations are frozen and equal by their fields."""
    assert Verdict(1.0, "a") == Verdict(1.0, "a") != Verdict(1.0, "b")
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Verdict(1.0, "a").score = 0.0  # type: ignore[misc]  # it is frozen
    assert Calculated(1.0, ["a"]) == Calculated(1.0, ["a"])


def test_the_run_id_of_a_prepared_run_is_kept() -> None:
    """An evaluation belongs to the run that was scored."""
    scorer = create_scorer("p", input=str, output=str, prepare_run=lambda run: run.with_output("")).generate_score(
        pure(lambda _: 1)
    )
    run = Run("a", "b")
    assert scorer.run_sync(run).unwrap().run_id == run.run_id


def test_a_step_without_asks_has_no_answer() -> None:
    """`answer` is the judge's; a function's value is only its value."""
    done = (
        create_scorer("x", input=str, output=str)
        .preprocess(pure(lambda _: 5))
        .generate_score(pure(lambda _: 1))
        .run_sync(RUN)
    )
    assert [record.answer for record in done.unwrap().steps] == [None, None]
    assert [record.value for record in done.unwrap().steps] == [5, 1]


def test_what_is_not_scorable_keeps_what_was_finished() -> None:
    """A run that ends without a score still shows the steps before."""
    scorer = (
        create_scorer("x", input=str, output=str, judge=Canned("true"))
        .preprocess(prompt(bool, lambda _: "Is it?"))
        .analyze(lambda _: err(NotScorable("nothing to judge")))
        .generate_score(pure(lambda _: 1))
    )
    failure = scorer.run_sync(RUN).failure()
    assert (failure.step, failure.cause) == ("analyze", NotScorable("nothing to judge"))
    assert [record.value for record in failure.steps] == [True, None]


@attrs.frozen
class Holding:
    held: object
    by: object = attrs.field(default=None, repr=False, eq=False)


def test_values_without_a_plain_equality_can_be_compared() -> None:
    """Evaluations with arrays or NaN among their step values equal their repetition, and differ from others."""
    import numpy

    def scored(value: object) -> Evaluation:
        made = (
            create_scorer("s", input=str, output=str)
            .preprocess(pure(lambda _: value))
            .generate_score(pure(lambda _: 1))
        )
        return made.run_sync(Run("in", "out")).unwrap()

    assert scored(numpy.array([1.0, 2.0])) == scored(numpy.array([1.0, 2.0]))
    assert scored(numpy.array([1.0, 2.0])) != scored(numpy.array([1.0, 3.0]))
    many, other = numpy.zeros(5_000), numpy.zeros(5_000)
    other[2_500] = 1.0
    gone = numpy.full(5_000, numpy.nan)
    assert scored(many) == scored(many.copy())
    assert scored(many) != scored(other)
    assert scored(many) != scored(numpy.zeros((50, 100)))
    assert scored(many) != scored(numpy.zeros(1_000))
    assert scored(gone) == scored(gone.copy()) != scored(many)
    assert scored({"a": [many]}) == scored({"a": [many.copy()]})
    assert scored({"a": [many]}) != scored({"a": [other]})
    assert scored(Holding(many)) == scored(Holding(many.copy()))
    assert scored(Holding(many)) != scored(Holding(other))
    assert scored(Holding(many, lambda: None)) == scored(Holding(many.copy(), lambda: None))
    assert scored(float("nan")) == scored(float("nan"))
    assert scored(float("nan")) != scored(1.0)
    assert scored([1]) != scored((1,))


def shown(value: object) -> Evaluation:
    """The evaluation of a step with this value."""
    scored = create_scorer("s", input=str, output=str).preprocess(pure(lambda _: value))
    return scored.generate_score(pure(lambda _: 0.5)).run_sync(RUN).unwrap()


def arrays() -> list[tuple[object, object, bool]]:
    import numpy as np

    nan = float("nan")
    table = np.array([[1.0, nan], [2.0, 3.0]])
    return [
        (table, table.copy(), True),
        (table, np.asfortranarray(table), True),
        (table, np.array([[1.0, nan], [2.0, 4.0]]), False),
        (table, np.array([[1.0, 5.0], [2.0, 3.0]]), False),
        (np.array([[1.0, 5.0], [2.0, 3.0]]), table, False),
        (np.array([1.0, 1.0]), np.array([[1.0, 1.0]]), False),
        (np.array([1, 2]), np.array([1.0, 2.0]), True),
        ([table, "a"], [table.copy(), "a"], True),
        ([table, "a"], [table.copy(), "b"], False),
        ((table,), (table.copy(), 1), False),
        ({"t": table}, {"t": table.copy()}, True),
        ({"t": table}, {"u": table.copy()}, False),
        ([table], (table.copy(),), False),
    ]


@pytest.mark.parametrize(("one", "other", "same"), arrays())
def test_values_that_hold_arrays_are_compared_element_by_element(one: object, other: object, same: bool) -> None:
    """NaN equals NaN; memory layout does not count, shape does."""
    assert (shown(one) == shown(other)) is same


@attrs.frozen(eq=False)
class Pair:
    """Its comparison raises, and its parts may be one object."""

    parts: tuple[list[int], list[int]]

    def __eq__(self, other: object) -> bool:
        raise ValueError("cannot be compared")

    def __hash__(self) -> int:
        return 0


def test_whether_two_parts_are_one_object_does_not_count() -> None:
    """What has no comparison is compared by what it holds."""
    part = [1, 2]
    assert shown(Pair((part, part))) == shown(Pair(([1, 2], [1, 2])))
    assert shown(Pair((part, part))) != shown(Pair(([1, 2], [1, 3])))


def test_an_evaluation_is_hashed_by_what_it_holds() -> None:
    """Values tell evaluations apart in a set; most do not collide."""
    assert len({hash(shown(at)) for at in range(50)}) > 40


def test_a_failure_says_where_and_why() -> None:
    """In one sentence."""
    scorer = create_scorer("s", input=str, output=str).generate_score(lambda _: err(NotScorable("no claims")))
    assert scorer.run_sync(RUN).failure().described() == f"In generate_score: {describe(NotScorable('no claims'))}"


def test_a_part_took_its_own_time() -> None:
    """Not that of the parts beside it."""
    slow = shown(1)
    whole = Evaluation(("part",), (0, slow, (), 10**12), RUN.drawn_id, 0.5, None)
    assert whole.steps[0].nanoseconds == slow.nanoseconds < 10**12


def test_a_record_that_is_not_there_is_told_by_name() -> None:
    """And so are those that are, or that there is none."""
    with pytest.raises(KeyError, match="no record of 'x'; there are none"):
        Evaluation((), (), RUN.drawn_id, 0.5, None).record("x")
