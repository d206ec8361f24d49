"""A judge as a value: what is written down wrongly, and what a step's judge takes from its scorer's."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable

import attrs
import pytest
from fakes.openai_server import FakeOpenAI, said
from hypothesis import given
from hypothesis import strategies as st
from judges.asking import GOOD, came, judge_at, scorer

from scorewright import DefinitionError, Run, create_scorer, reason_prompt, score_prompt
from scorewright.core.budget import Budget
from scorewright.faults import StepRaised
from scorewright.judges import (
    CapTokens,
    ErrorRetryProcessor,
    Judge,
    ModelSettings,
    Moderate,
    Redact,
    by_context,
    calling,
    using,
)
from scorewright.judges.settings import thawed


def test_settings_cannot_be_changed_from_outside() -> None:
    """However deep: neither by what they were made of nor by what they show, so an identity stays true."""
    stops = ["a"]
    given = {"chat_template_kwargs": {"enable": True, "stops": stops}}
    judge = Judge("m", model_settings=ModelSettings(extra=given))
    before = judge.identity
    given["chat_template_kwargs"]["enable"] = False
    stops.append("b")
    extra = judge.model_settings.extra
    for change in (
        lambda: extra.__setitem__("x", 1),  # type: ignore[attr-defined]  # it is not there, as the type says
        lambda: extra["chat_template_kwargs"].__setitem__("enable", False),  # type: ignore[index]  # as above
        lambda: extra["chat_template_kwargs"]["stops"].append("c"),  # type: ignore[index]  # as above
    ):
        with pytest.raises((TypeError, AttributeError)):
            change()
    with FakeOpenAI(lambda *_: said(GOOD)) as server:
        assert came("sync", scorer(judge_at(server, model_settings=judge.model_settings))).unwrap().score == 0.5
    assert server.requests[0].json["chat_template_kwargs"] == {"enable": True, "stops": ["a"]}
    assert Judge("m", model_settings=ModelSettings(extra=json.loads(json.dumps(thawed(extra))))).identity == before


def test_settings_travel_and_merge_as_values() -> None:
    """Pickled, copied, evolved and laid over others, they stay equal to what they were made of."""
    settings = ModelSettings(temperature=0.5, stop=["x"], extra={"a": {"b": [1, {"c": None}]}})
    for twin in (pickle.loads(pickle.dumps(settings)), copy.deepcopy(settings), copy.copy(settings)):
        assert twin == settings
        assert repr(twin) == repr(settings)
    assert attrs.evolve(settings, seed=1).extra == settings.extra
    assert ModelSettings(extra={"d": 1}).filled(settings).extra == {"d": 1, **settings.extra}
    assert thawed(settings.extra) == {"a": {"b": [1, {"c": None}]}}


async def answer(call: object) -> str:
    return GOOD


def maybe(*values: object) -> st.SearchStrategy[object]:
    return st.sampled_from([None, *values])


SETTINGS = st.builds(
    ModelSettings,
    temperature=maybe(0.0, 1.0),
    top_p=maybe(0.0, 0.5),
    seed=maybe(0, 7),
    max_tokens=maybe(1, 99),
    stop=maybe((), ("END",)),
    extra=st.dictionaries(st.sampled_from("abc"), st.sampled_from([None, 0, 1, "x"])),
)
JUDGES = st.builds(
    Judge,
    st.sampled_from(["", "a", "openai/b", calling(answer, identity="c")]),
    st.sampled_from(["", "Be strict.", "Be kind."]),
    base_url=st.sampled_from(["", "http://one", "http://two"]),
    api_key_env=st.sampled_from(["", "KEY"]),
    json_prompt_injection=maybe("auto", "system", "inline", True, False),
    input_processors=maybe((), (Redact(),), (CapTokens(9), Redact())),
    output_processors=maybe((), (Moderate(bool),)),
    error_processors=maybe((), (ErrorRetryProcessor(),), (ErrorRetryProcessor(5),)),
    max_processor_retries=maybe(0, 1),
    model_settings=SETTINGS,
    timeout=maybe(0.5, 9),
    deadline=maybe(1.5),
    concurrency=maybe(1, 2),
    requests_per_minute=maybe(60),
    tokens_per_minute=maybe(1000),
    budget=maybe(Budget(calls=0), Budget(calls=1)),
)


@given(JUDGES, JUDGES, JUDGES)
def test_merging_is_associative(a: Judge, b: Judge, c: Judge) -> None:
    """It does not matter which two levels are merged first."""
    assert a.filled(b).filled(c) == a.filled(b.filled(c))


@given(JUDGES)
def test_an_empty_judge_changes_nothing(judge: Judge) -> None:
    """On either side."""
    assert judge.filled(Judge()) == judge == Judge().filled(judge)


@given(JUDGES)
def test_merging_with_itself_changes_nothing(judge: Judge) -> None:
    """A scorer's judge given again to a step."""
    assert judge.filled(judge) == judge


@given(JUDGES, JUDGES)
def test_each_field_is_the_steps_where_it_has_one(inner: Judge, outer: Judge) -> None:
    """Else the scorer's; settings one by one; [] and 0 and False are values, not absent ones."""
    merged = inner.filled(outer)
    assert isinstance(merged, Judge)
    absent = {"model": "", "instructions": "", "base_url": "", "api_key_env": ""}
    for field in attrs.fields(Judge):
        mine, theirs = getattr(inner, field.name), getattr(outer, field.name)
        if field.name != "model_settings":
            assert getattr(merged, field.name) == (theirs if mine == absent.get(field.name) else mine), field.name
    for field in attrs.fields(ModelSettings):
        mine, theirs = getattr(inner.model_settings, field.name), getattr(outer.model_settings, field.name)
        wanted = {**theirs, **mine} if field.name == "extra" else theirs if mine is None else mine
        assert getattr(merged.model_settings, field.name) == wanted, field.name


def test_a_broken_merge_is_caught() -> None:
    """Taking the outer list where the inner one is empty, the laws above would not hold: [] must switch off."""
    inner, outer = Judge(input_processors=[]), Judge(input_processors=[Redact()])
    assert inner.filled(outer) == Judge(input_processors=[])
    assert outer.filled(inner) == outer


def test_the_merged_judge_is_what_the_server_sees() -> None:
    """Instructions and settings of the scorer, temperature of the step; the other step is left alone."""
    with FakeOpenAI([said(GOOD), said("because")]) as server:
        outer = judge_at(server, instructions="Be strict.", model_settings=ModelSettings(temperature=0.0, top_p=0.5))
        asked = (
            create_scorer("judged", input=str, output=str, judge=outer)
            .generate_score(
                score_prompt(
                    lambda _: "?",
                    judge=Judge("other", model_settings=ModelSettings(temperature=1.0, extra={"user": "me"})),
                )
            )
            .generate_reason(reason_prompt(lambda _: "why?"))
        )
        assert came("sync", asked).unwrap().reason == "because"
    first, second = (request.json for request in server.requests)
    assert (first["model"], first["temperature"], first["top_p"], first["user"]) == ("other", 1.0, 0.5, "me")
    assert first["messages"][0] == {"role": "system", "content": "Be strict."}  # type: ignore[index]  # JSON is untyped
    assert (second["model"], second["temperature"], "user" in second) == ("m", 0.0, False)


def test_a_setting_of_zero_is_sent() -> None:
    """And what is absent is not: no temperature of our own."""
    settings = ModelSettings(temperature=0.0, top_p=0.0, seed=0)
    with FakeOpenAI([said(GOOD), said(GOOD)]) as server:
        for given_settings in (settings, ModelSettings()):
            scorer_ = create_scorer("j", input=str, output=str, judge=judge_at(server, model_settings=given_settings))
            came("sync", scorer_.generate_score(score_prompt(lambda _: "?")))
    assert [server.requests[0].json[name] for name in ("temperature", "top_p", "seed")] == [0.0, 0.0, 0]
    assert set(server.requests[1].json) == {"model", "messages"}


def test_a_stop_text_is_one_text() -> None:
    """Not its letters."""
    assert ModelSettings(stop="END").stop == ("END",)
    assert ModelSettings(stop=["A", "B"]).stop == ("A", "B")


@pytest.mark.parametrize(
    "make",
    [
        lambda: Judge(answer),
        lambda: Judge(object()),
        lambda: Judge(None),
        lambda: using(object(), "m"),
        lambda: Judge("m", None),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Judge("m", base_url=None),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Judge("m", base_url="http://user:password@host/v1"),
        lambda: Judge("m", base_url="http://host/v1?api-version=1&key=secret"),
        lambda: Judge("m", base_url="user:password@host/v1"),
        lambda: Judge("m", base_url="http://host/v1?access_token=secret"),
        lambda: Judge("m", base_url="http://host/v1?subscription-key=secret"),
        lambda: Judge("m", base_url="http://host/v1#code=secret"),
        lambda: Judge("m", json_prompt_injection="native"),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Judge("m", json_prompt_injection=1),
        lambda: Judge("m", json_prompt_injection=[]),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Judge("m", max_processor_retries=-1),
        lambda: Judge("m", max_processor_retries=1.5),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Judge("m", max_processor_retries=float("nan")),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Judge("m", max_processor_retries=True),
        lambda: Judge("m", input_processors="abc"),
        lambda: Judge("m", input_processors=Redact()),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Judge("m", output_processors=Moderate(bool)),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Judge("m", error_processors=ErrorRetryProcessor()),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Judge("m", output_processors=[None]),
        lambda: Judge("m", error_processors=[3]),
        lambda: Judge("m", timeout=0),
        lambda: Judge("m", timeout=float("nan")),
        lambda: Judge("m", deadline=-1),
        lambda: Judge("m", deadline=float("inf")),
        lambda: Judge("m", concurrency=0),
        lambda: Judge("m", concurrency=1.5),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Judge("m", requests_per_minute=0),
        lambda: Judge("m", tokens_per_minute=-1),
        lambda: Judge("m", model_settings={"temperature": 0}),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Judge("m", budget=5),  # type: ignore[arg-type]  # wrong on purpose
        lambda: ModelSettings(temperature=float("nan")),
        lambda: ModelSettings(temperature=-1),
        lambda: ModelSettings(temperature="0"),  # type: ignore[arg-type]  # wrong on purpose
        lambda: ModelSettings(top_p=float("inf")),
        lambda: ModelSettings(max_tokens=0),
        lambda: ModelSettings(max_tokens=1.5),  # type: ignore[arg-type]  # wrong on purpose
        lambda: ModelSettings(seed="7"),  # type: ignore[arg-type]  # wrong on purpose
        lambda: ModelSettings(stop=3),  # type: ignore[arg-type]  # wrong on purpose
        lambda: ModelSettings(stop=["END", 3]),  # type: ignore[list-item]  # wrong on purpose
        lambda: ModelSettings(extra=3),  # type: ignore[arg-type]  # wrong on purpose
        lambda: ModelSettings(extra={"a": object()}),
        lambda: ModelSettings(extra={"a": float("nan")}),
        lambda: ModelSettings(extra={"stream": True}),
        lambda: ModelSettings(extra={"messages": []}),
        lambda: Budget(calls=2.5),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Budget(tokens=0.5),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Budget(calls=-1),
        lambda: Budget(dollars=float("nan")),
        lambda: Budget(tokens="many"),  # type: ignore[arg-type]  # wrong on purpose
        lambda: Budget(seconds=True),
        lambda: Redact(["("]),
        lambda: CapTokens(0),
        lambda: calling(3),  # type: ignore[arg-type]  # wrong on purpose
        lambda: calling(answer, identity=3),  # type: ignore[arg-type]  # wrong on purpose
        lambda: by_context("openai/gpt-4o"),  # type: ignore[arg-type]  # wrong on purpose
    ],
)
def test_what_is_written_down_wrongly_is_refused_there(make: Callable[[], object]) -> None:
    """Before anything is asked."""
    with pytest.raises(DefinitionError):
        make()


@pytest.mark.parametrize(
    "key", ["sk-0123456789abcdefghij", "hf_0123456789abcdefghijklmnopqrst", "my secret 1", "k3y/+="]
)
def test_a_key_in_the_place_of_its_variable_is_refused_and_not_repeated(key: str) -> None:
    """It would stand in the repr of the judge, and in the fault that names the variable."""
    with pytest.raises(DefinitionError, match="the name of an environment variable") as mistake:
        Judge("openai/gpt-4o", api_key_env=key)
    assert key not in str(mistake.value)


def test_a_key_among_the_settings_is_in_no_repr() -> None:
    """Some gateways take one in the body; the settings are sent as they are."""
    judge = Judge("m", model_settings=ModelSettings(extra={"api_key": "sk-0123456789abcdefghij", "top_k": 3}))
    assert "sk-0123456789" not in repr(judge)
    assert "'top_k': 3" in repr(judge)


def test_equal_judges_have_one_hash() -> None:
    """So they may be the keys of a dict, whatever their settings."""
    judges = [Judge("m", model_settings=ModelSettings(extra={"top_k": [3]})) for _ in range(2)]
    assert len(set(judges)) == 1


def test_identity_is_all_that_shapes_the_answers() -> None:
    """The order of extra keys is not; patience, limits and the key's variable are not."""
    plain = Judge("openai/gpt-4o", "Be strict.")
    assert plain.identity.startswith("openai/gpt-4o ")
    same = [
        attrs.evolve(plain, json_prompt_injection="auto"),
        attrs.evolve(plain, timeout=1, deadline=2, concurrency=3, api_key_env="KEY", error_processors=[]),
    ]
    assert {judge.identity for judge in same} == {plain.identity}
    other = [
        Judge("openai/gpt-4.1", "Be strict."),
        Judge("openai/gpt-4o", "Be kind."),
        attrs.evolve(plain, base_url="http://other"),
        attrs.evolve(plain, json_prompt_injection="inline"),
        attrs.evolve(plain, model_settings=ModelSettings(temperature=0)),
        attrs.evolve(plain, model_settings=ModelSettings(extra={"a": 1})),
    ]
    assert len({judge.identity for judge in [plain, *other]}) == len(other) + 1
    one, two = (ModelSettings(extra=dict(pairs)) for pairs in ([("a", 1), ("b", 2)], [("b", 2), ("a", 1)]))
    assert attrs.evolve(plain, model_settings=one).identity == attrs.evolve(plain, model_settings=two).identity


def test_a_function_without_a_name_has_no_identity() -> None:
    """So nothing that it said can be cached under a wrong one."""
    assert Judge(calling(answer)).identity == ""
    assert Judge(by_context(lambda _: "m")).identity == ""
    assert Judge(calling(answer, identity="mine")).identity.startswith("mine ")


def test_the_model_is_chosen_by_the_runs_context() -> None:
    """A function of the request context, at the step and at the scorer."""
    with FakeOpenAI(lambda *_: said(GOOD)) as server:
        judge = judge_at(server, model=by_context(lambda context: f"model-{context['tier']}"))
        asked = create_scorer("j", input=str, output=str).generate_score(score_prompt(lambda _: "?", judge=judge))
        asked.run_sync(Run("q", "a", request_context={"tier": "small"})).unwrap()
    assert server.requests[0].json["model"] == "model-small"


@pytest.mark.parametrize("chosen", [None, 3, Judge("openai/gpt-4o"), by_context(lambda _: "m")])
def test_a_model_that_is_none_is_told_where_it_was_chosen(chosen: object) -> None:
    """The message names the function that chose it."""
    judge = Judge(by_context(lambda _: chosen))  # type: ignore[arg-type,return-value]  # wrong on purpose
    asked = create_scorer("j", input=str, output=str, judge=judge).generate_score(score_prompt(lambda _: "?"))
    cause = asked.run_sync(Run("q", "a")).failure().cause
    assert isinstance(cause, StepRaised)
    assert "by_context" in cause.raised.message


def test_a_judge_travels_to_other_processes() -> None:
    """As data, with its settings and processors."""
    judge = Judge(
        "m", model_settings=ModelSettings(extra={"a": 1}), input_processors=[Redact()], budget=Budget(calls=1)
    )
    assert pickle.loads(pickle.dumps(judge)) == judge
    assert pickle.loads(pickle.dumps(Judge())) == Judge()


def test_run_and_run_sync_take_the_same() -> None:
    """pydantic-ai#3010: no option is missing in one of the two."""
    import inspect

    from scorewright import Scorer

    def options(f: Callable[..., object]) -> list[tuple[str, object]]:
        return [(name, one.default) for name, one in inspect.signature(f).parameters.items()]

    assert options(Scorer.run) == options(Scorer.run_sync)


def test_settings_reach_the_key_of_a_recorded_reply() -> None:
    """promptfoo-action#669: same prompt, other temperature or schema is another question; the same is the same."""
    from scorewright.core import JudgeRequest

    def content(temperature: float, schema: str) -> str:
        judge = Judge("m", model_settings=ModelSettings(temperature=temperature))
        return JudgeRequest("P", json.dumps({"title": schema}), "answer", judge).content

    assert len({content(0, "A"), content(1, "A"), content(0, "B"), content(0, "A")}) == 3
