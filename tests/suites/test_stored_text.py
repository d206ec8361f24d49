"""What a store holds of rows and results is the JSON of their forms, whatever they hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scorewright import Run, create_scorer, pure
from scorewright.core import Attempt, Evaluation, Exchange, JudgeReply, JudgeRequest, Usage, Verdict
from scorewright.faults import NotJson, ServerError
from scorewright.judges.usage import Spent, spent
from scorewright.results import err, ok
from scorewright.suites import Row
from scorewright.suites.stored_text import row_text, score_text
from scorewright.suites.written import as_json, row_form, score_form

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.sampled_from([object, "\ud800"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner),
    max_leaves=6,
)


@given(st.text(), VALUES, VALUES, VALUES, st.none() | st.text())
def test_a_row_is_written_as_its_form_is(
    id: str, input: object, output: object, expected: object, group: str | None
) -> None:
    """Texts, numbers, NaN, bytes and classes alike."""
    row = Row(id, input, output, expected, group=group)
    assert row_text(row) == as_json(row_form(row))


@given(VALUES, st.text())
def test_a_result_is_written_as_its_form_is(value: object, reason: str) -> None:
    """Every step with its value and its time."""
    scorer = (
        create_scorer("it", input=str, output=str)
        .preprocess(pure(lambda _: value))
        .generate_score(pure(lambda _: 0.5))
        .generate_reason(pure(lambda _: reason))
    )
    found = scorer.run_sync(Run("q", "a")).unwrap()
    assert score_text(found) == as_json(score_form(found))


COUNTS = st.integers(0, 10**12)
USAGES = st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS, cache_write_tokens=COUNTS) | st.just(Usage())
ATTEMPTS = st.builds(
    Attempt,
    st.none() | st.builds(ServerError, st.text(), st.integers(500, 599)),
    st.none() | st.integers(100, 599),
    st.none() | USAGES,
    st.text(),
    nanoseconds=COUNTS,
)
EXCHANGES = st.builds(
    Exchange,
    st.builds(JudgeRequest, st.text(), place=st.text()),
    st.builds(
        JudgeReply,
        st.text().map(ok) | st.builds(NotJson, st.text(), st.text()).map(err),
        st.lists(ATTEMPTS, max_size=3).map(tuple),
        avoided=USAGES,
    ),
)
ASKED = st.lists(EXCHANGES, max_size=2).map(tuple)
JUDGED = VALUES | st.builds(Verdict, st.floats(), st.text() | st.just("\ud800"))
DOLLARS = st.none() | st.floats(0)


STEP = st.tuples(JUDGED, ASKED)


@given(STEP, STEP, COUNTS, DOLLARS)
def test_what_was_asked_is_written_as_its_form_is(
    one: tuple[object, tuple[Exchange, ...]],
    other: tuple[object, tuple[Exchange, ...]],
    took: int,
    dollars: float | None,
) -> None:
    """Questions, answers, faults and tokens of every step, with what all of them took and cost."""
    found = Evaluation(("analyze", 'generate "score"'), (0, *one, took, *other, 2 * took), "id", 0.5, "why")
    counted = spent(found)
    both = Spent(counted.attempts, counted.usage, counted.uncounted, dollars, counted.avoided)
    for each in (None, counted, both):
        assert score_text(found, each) == as_json(score_form(found, each))
