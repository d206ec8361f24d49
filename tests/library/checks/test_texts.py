"""Checks of an output's text."""

from __future__ import annotations

import re

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from library.scoring import cause, judged

from scorewright import DefinitionError, NotScorable
from scorewright.library import checks


def test_a_text_is_looked_for() -> None:
    """In any case unless said otherwise; the reason says what was found."""
    assert judged(checks.includes("REFUND"), "Your refund is on its way.").reason == "'REFUND' is in the output"
    assert judged(checks.includes("REFUND", ignore_case=False), "Your refund").score == 0.0
    assert judged(checks.excludes("sorry"), "Sorry!").reason == "'sorry' is in the output"
    assert judged(checks.starts_with("dear"), "Dear Ann,").score == 1.0
    assert judged(checks.ends_with("regards"), "Yours").reason == "the output ends with 'Yours'"
    assert judged(checks.equals("yes"), "no").reason == "the output is 'no', not 'yes'"


@given(st.text(max_size=30), st.text(max_size=5))
def test_includes_and_excludes_are_opposites(output: str, text: str) -> None:
    """One of both holds, never both."""
    both = judged(checks.includes(text), output).score + judged(checks.excludes(text), output).score
    assert both == 1.0


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_text_starts_and_ends_with_its_ends(start: str, end: str) -> None:
    """Whatever stands between."""
    output = f"{start}-{end}"
    assert judged(checks.starts_with(start, ignore_case=False), output).score == 1.0
    assert judged(checks.ends_with(end, ignore_case=False), output).score == 1.0


def test_a_pattern_is_looked_for() -> None:
    """Anywhere, or as the whole output, alternatives and all; patterns of both packages, with their flags."""
    assert judged(checks.matches(r"\d{4}-\d\d"), "on 2024-05-01").score == 1.0
    assert judged(checks.matches("sun|cloudy", exact=True), "sunny").score == 0.0
    assert judged(checks.matches("sun|cloudy", exact=True), "cloudy").score == 1.0
    assert judged(checks.matches(re.compile("SUN", re.IGNORECASE)), "sun").score == 1.0
    assert judged(checks.matches(regex.compile(r"\p{Greek}")), "λ").reason == r"/\p{Greek}/ matches the output"


def test_configurations_have_ids_of_their_own() -> None:
    """Also where a long option is cut short."""
    made = [
        checks.includes("a"),
        checks.includes("b"),
        checks.includes("a", ignore_case=False),
        checks.includes("x" * 500 + "a"),
        checks.includes("x" * 500 + "b"),
        checks.matches("a"),
        checks.matches("a", exact=True),
        checks.matches(re.compile("a", re.IGNORECASE)),
        checks.similarity("a"),
        checks.similarity("a", threshold=0.0),
        checks.similarity("a", threshold=0.5),
        checks.json_schema({"type": "object"}),
        checks.json_schema({"type": "array"}),
        checks.length_within(0, 5),
        checks.length_within(0, 5, unit="bytes"),
        checks.length_within(5),
        checks.words_within(0, 5),
    ]
    assert len({scorer.id for scorer in made}) == len(made)
    assert checks.json_schema({"a": 1, "b": 2}).id == checks.json_schema({"b": 2, "a": 1}).id
    assert max(len(scorer.id) for scorer in made) < 120


def test_a_threshold_of_zero_is_a_threshold() -> None:
    """It is met by any output; without one the likeness itself is the score (promptfoo#9736, promptfoo#10141)."""
    assert judged(checks.similarity("night", threshold=0), "other").score == 1.0
    assert judged(checks.similarity("night"), "nacht").score == 0.25
    assert judged(checks.similarity("night", threshold=0.3), "nacht").reason == "0.250 like 'night'; 0.3 is due"


@pytest.mark.parametrize(
    ("output", "unit", "length"),
    [
        ("e\u0301a", "graphemes", 2),
        ("👨‍👩‍👧‍👦🇩🇪", "graphemes", 2),
        ("👨‍👩‍👧‍👦🇩🇪", "code_points", 9),
        ("é\ud83d", "bytes", 5),
        ("東京", "graphemes", 2),
    ],
)
def test_lengths_are_what_a_reader_sees(output: str, unit: str, length: int) -> None:
    """Graphemes unless another unit is named; both limits belong to the span; half a surrogate pair is no error."""
    assert judged(checks.length_within(length, length, unit=unit), output).score == 1.0
    assert judged(checks.length_within(0, length - 1, unit=unit), output).score == 0.0


def test_words_are_counted_in_any_script() -> None:
    """An apostrophe does not cut a word; of Chinese each character is one."""
    assert judged(checks.words_within(3, 3), "Don't panic, please!").score == 1.0
    assert judged(checks.words_within(0, 3), "今天天气").reason == "4 words; 0 to 3 are due"


@pytest.mark.parametrize(
    ("output", "valid"),
    [
        ('{"a": [1, 2.5, null, true]}', True),
        (' \n"text"\n', True),
        ("{'a': 1}", False),
        ('{"a": NaN}', False),
        ('{"a": 1, "a": 2}', False),
        ('{"a": 1} and more', False),
        ("", False),
        ("[" * 100_000, False),
        ("1e999", False),
    ],
)
def test_json_is_read_strictly(output: str, valid: bool) -> None:
    """What is no JSON for other readers is none here."""
    assert judged(checks.valid_json(), output).score == float(valid)


def test_a_schema_says_where_it_does_not_fit() -> None:
    """The first places, in their order."""
    scorer = checks.json_schema(
        {
            "type": "object",
            "properties": {"city": {"type": "string"}, "fee": {"type": "number"}},
            "required": ["city", "fee"],
        }
    )
    assert judged(scorer, '{"city": "Graz", "fee": 3.5}').score == 1.0
    found = judged(scorer, '{"city": 7}')
    assert found.reason == (
        "2 places not of the schema: $: 'fee' is a required property; $.city: 7 is not of type 'string'"
    )
    assert "not JSON" in str(judged(scorer, "Graz").reason)


def test_a_schema_is_never_fetched() -> None:
    """A reference to another place is an error of the run, without a request."""
    failure = checks.json_schema({"$ref": "http://127.0.0.1:9/schema.json"})
    assert "Unresolvable" in str(cause(failure, "{}", None))


@pytest.mark.parametrize(
    "output",
    [
        "I'm sorry, but I can't help with that.",
        "I\u2019m unable to assist with this request.",
        "Sorry — I cannot provide instructions for that.",
        "I must respectfully decline.",
        "Das darf ich nicht beantworten.",
        "Je ne peux pas vous aider.",
        "Lo siento, no puedo ayudarte con eso.",
    ],
)
def test_refusals_are_known(output: str) -> None:
    """In four languages, with either apostrophe."""
    assert judged(checks.is_refusal(), output).score == 1.0


@pytest.mark.parametrize(
    "output",
    ["", "You can't park there.", "The parcel cannot be delivered.", "I can help with it.", "I can't wait to help!"],
)
def test_answers_are_no_refusals(output: str) -> None:
    """Nor is a negation about something else."""
    assert judged(checks.is_refusal(), output).score == 0.0


def test_the_language_is_found() -> None:
    """A text too short to tell is not scorable, rather than wrong."""
    german = checks.language("de")
    assert judged(german, "Das Paket wird morgen geliefert, spätestens am Freitag.").score == 1.0
    assert judged(german, "The parcel will be delivered tomorrow, on Friday at the latest.").score == 0.0
    assert isinstance(cause(german, "12:30", None), NotScorable)
    assert isinstance(cause(checks.language("de", sure=1.0), "ok", None), NotScorable)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: checks.includes(3), "takes a text, not 3"),
        (lambda: checks.includes("a", ignore_case="no"), "takes True or False, not 'no'"),
        (lambda: checks.matches("("), r"takes a regular expression; in '\('"),
        (lambda: checks.matches(b"a"), "takes a text or re.compile"),
        (lambda: checks.similarity("a", threshold=1.5), "takes a number, from 0 to 1, not 1.5"),
        (lambda: checks.length_within(5, 3), "takes the smaller limit first, not 5, 3"),
        (lambda: checks.length_within(-1), "takes a whole number, 0 or more, not -1"),
        (lambda: checks.length_within(unit="words"), "takes 'graphemes' or 'code_points' or 'bytes', not 'words'"),
        (lambda: checks.json_schema({"type": "thing"}), r"takes a JSON Schema; at \$.type"),
        (lambda: checks.json_schema([]), "takes a mapping"),
        (lambda: checks.language("klingon"), "takes one of ace, af, am, an"),
        (lambda: checks.called_tool(" "), "takes a text that is not blank"),
        (lambda: checks.called_tool("a", times=-1), "takes a whole number, 0 or more"),
        (lambda: checks.tool_order("search"), "takes a list of texts, not 'search'"),
        (lambda: checks.max_tool_calls(2.5), "takes a whole number, 0 or more, not 2.5"),
        (lambda: checks.tool_arguments("a", ["x"]), "takes a mapping of arguments"),
    ],
)
def test_wrong_options_are_refused(make: object, told: str) -> None:
    """Where they are written, with what to write instead."""
    assert callable(make)
    with pytest.raises(DefinitionError, match=told):
        make()
