"""Replies in a file: what is recorded, what is repeated, what is asked again."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest
from core.canned import CANNED, Canned, Told
from fakes.openai_server import FakeOpenAI, said, status
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful

from scorewright import Judge, Outcome, Run, Scorer, Step, create_scorer, prompt, score_prompt, then, verdict_prompt
from scorewright.algebra import mean
from scorewright.core import Attempt, JudgeReply, JudgeRequest, Usage, gather
from scorewright.core.ask import Token
from scorewright.faults import (
    Aborted,
    DefinitionError,
    JudgeFault,
    NotRecorded,
    RateLimited,
    SchemaMismatch,
    ServerError,
    Unreachable,
)
from scorewright.judges import ErrorRetryProcessor, Redact, by_context, caching, calling, recording, replaying
from scorewright.judges.entries import Entry, Tried, entry_in, line_of
from scorewright.judges.shelf import Shelf
from scorewright.results import err, ok

RUN = Run("Where is my parcel?", "On its way.")
VERDICT = '{"score": 0.5, "reason": "It says where."}'


def judged(judge: Judge | Canned = CANNED, id: str = "judged") -> Scorer[str, str]:
    return create_scorer(id, input=str, output=str, judge=judge).generate_verdict(
        verdict_prompt(lambda s: f"Judge this.\n{s.run.output}")
    )


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "replies.jsonl"


def test_a_recorded_run_is_repeated_without_a_judge(path: Path) -> None:
    """A user's tests run offline: the same evaluation, and nobody is asked."""
    judge = Told(VERDICT)
    with recording(path, answer=judge) as tape:
        live = judged().run_sync(RUN, answer=tape)
    again = judged().run_sync(RUN, answer=replaying(path))
    assert again == live
    assert again.unwrap().reason == "It says where."
    assert len(judge.requests) == 1


def test_recording_again_asks_only_for_what_is_new(path: Path) -> None:
    """What the file holds is not paid for twice, and stays as it was."""
    for outputs in (["a"], ["a", "b"], ["b", "a", "c"]):
        judge = Told(VERDICT)
        with recording(path, answer=judge) as tape:
            for output in outputs:
                judged().run_sync(Run("in", output), answer=tape)
        assert len(judge.requests) == 1
    assert len(lines(path)) == 3


def test_the_repeated_attempts_are_those_of_then(path: Path) -> None:
    """Status, model, usage and failed attempts come back; times do not."""
    retrying = [ErrorRetryProcessor(delay=0)]
    with FakeOpenAI([status(429, "slow", {"Retry-After": "0"}), said(VERDICT, tokens=(7, 3))]) as server:
        scorer = judged(Judge("fake", base_url=server.base_url, error_processors=retrying))
        with recording(path) as tape:
            scorer.run_sync(RUN, answer=tape)
    failed, good = scorer.run_sync(RUN, answer=replaying(path)).unwrap().exchanges[0].reply.attempts
    assert (failed.status, failed.fault) == (429, RateLimited("slow"))
    assert (good.status, good.usage, good.model, good.finish_reason) == (200, Usage(7, 3), "fake", "stop")
    assert good.nanoseconds == 0


def test_every_count_of_tokens_comes_back(path: Path) -> None:
    """Those of caches and of reasoning too; a line from before a count was kept reads as none of it."""
    used = Usage(100, 20, 64, 8, cache_write_tokens=6)

    async def counting(_: JudgeRequest) -> JudgeReply:
        return JudgeReply(ok(VERDICT), (Attempt(status=200, usage=used),))

    with recording(path, answer=counting) as tape:
        judged().run_sync(RUN, answer=tape)
    assert judged().run_sync(RUN, answer=replaying(path)).unwrap().exchanges[0].reply.attempts[0].usage == used
    path.write_text(path.read_text().replace(', "cache_write_tokens": 6', ""))
    (attempt,) = judged().run_sync(RUN, answer=replaying(path)).unwrap().exchanges[0].reply.attempts
    assert attempt.usage == Usage(100, 20, 64, 8)


def test_a_question_that_was_not_recorded_is_a_fault(path: Path) -> None:
    """Nobody is asked in its place."""
    with recording(path, answer=Told(VERDICT)) as tape:
        judged().run_sync(RUN, answer=tape)
    for changed in (judged().run_sync(RUN.with_output("other"), answer=replaying(path)),
                    judged(Canned(name="other judge")).run_sync(RUN, answer=replaying(path))):  # fmt: skip
        assert isinstance(changed.failure().cause, NotRecorded)


def vote(step: Step[str, str, None, None]) -> Outcome[float, JudgeFault]:
    """Asks the same thing three times."""
    ask = prompt(float, lambda _: "Score it.")
    parts = gather(*[lambda: ask(step)] * 3)
    return then(parts, lambda votes: ok(sum(vote.unwrap() for vote in votes if is_successful(vote)) / 3))


VOTE = create_scorer("vote", input=str, output=str, judge=CANNED).generate_score(vote)


@pytest.mark.parametrize(("way", "asked", "score"), [(recording, 3, 0.1), (caching, 1, 0.0)])
def test_the_place_counts_in_a_transcript_and_not_in_a_cache(
    path: Path, way: Callable[..., object], asked: int, score: float
) -> None:
    """Three votes on one question are three entries of a transcript and one of a cache."""
    numbers = iter(range(9))
    judge = Told(lambda _: str(next(numbers) / 10))
    with way(path, answer=judge) as tape:  # type: ignore[attr-defined]  # either of the two
        assert VOTE.run_sync(RUN, answer=tape).unwrap().score == pytest.approx(score)
    assert len(judge.requests) == asked
    assert len(lines(path)) == asked
    assert VOTE.run_sync(RUN, answer=replaying(path)).unwrap().score == pytest.approx(score)


def test_a_cached_reply_took_no_attempts(path: Path) -> None:
    """A cache hit costs nothing, and says so."""
    for attempts in (1, 0):
        with caching(path, answer=Told(VERDICT)) as cache:
            done = judged().run_sync(RUN, answer=cache).unwrap()
        assert len(done.exchanges[0].reply.attempts) == attempts


def test_a_cache_serves_other_scorers(path: Path) -> None:
    """The same question of the same judge is one question, whoever asks it and at which step."""
    judge = Told("0.5")
    first = create_scorer("a", input=str, output=str, judge=CANNED).analyze(prompt(float, lambda _: "Score it."))
    second = create_scorer("b", input=str, output=str, judge=CANNED).generate_score(
        prompt(float, lambda _: "Score it.")
    )
    with caching(path, answer=judge) as cache:
        first.generate_score(lambda s: ok(s.ana)).run_sync(RUN, answer=cache)
        assert second.run_sync(RUN, answer=cache).unwrap().score == 0.5
    assert len(judge.requests) == 1


@pytest.mark.parametrize("way", [recording, caching])
def test_faults_are_not_kept(path: Path, way: Callable[..., object]) -> None:
    """What failed is asked again."""
    answers = iter([ServerError(503, "down"), VERDICT])
    judge = Told(lambda _: next(answers))
    with way(path, answer=judge) as tape:  # type: ignore[attr-defined]  # either of the two
        assert isinstance(judged().run_sync(RUN, answer=tape).failure().cause, ServerError)
        assert judged().run_sync(RUN, answer=tape).unwrap().score == 0.5
    assert len(lines(path)) == 1


@pytest.mark.parametrize("bad", ["no JSON", '{"score": "high"}', '{"score": 1}', ""])
def test_a_cache_keeps_no_answer_that_does_not_fit(path: Path, bad: str) -> None:
    """A malformed answer is no answer, so the question is asked again; a transcript repeats it."""
    with caching(path, answer=Told(bad)) as cache:
        assert not is_successful(judged().run_sync(RUN, answer=cache))
    assert not path.exists()
    with recording(path, answer=Told(bad)) as tape:
        failed = judged().run_sync(RUN, answer=tape)
    assert judged().run_sync(RUN, answer=replaying(path)) == failed


def test_a_bare_value_is_cached(path: Path) -> None:
    """What a step accepts without its wrapping fits."""
    scorer = create_scorer("s", input=str, output=str, judge=CANNED).generate_score(
        prompt(float, lambda _: "Score it.")
    )
    with caching(path, answer=Told("0.5")) as cache:
        scorer.run_sync(RUN, answer=cache)
        scorer.run_sync(RUN, answer=cache)
    assert len(lines(path)) == 1


def test_a_second_question_after_a_wrong_answer_is_repeated(path: Path) -> None:
    """The re-ask that tells the judge what was wrong is an entry of its own."""
    with FakeOpenAI([said('{"score": 2}'), said(VERDICT)]) as server:
        scorer = judged(Judge("fake", base_url=server.base_url))
        with recording(path) as tape:
            live = scorer.run_sync(RUN, answer=tape)
    again = scorer.run_sync(RUN, answer=replaying(path))
    assert again == live
    first, second = again.unwrap().exchanges
    assert isinstance(first.request.feedback, str)
    assert "reason" in second.request.feedback
    assert [line.get("feedback", "") for line in lines(path)] == ["", second.request.feedback]


def test_equal_questions_at_one_time_are_asked_once(path: Path) -> None:
    """The second waits for the first; when the first fails it asks for itself."""
    answers = iter([RateLimited("slow"), VERDICT])
    asked: list[str] = []

    async def slow(request: JudgeRequest) -> JudgeReply:
        asked.append(request.place)
        said = next(answers)
        await asyncio.sleep(0)
        return JudgeReply(ok(said) if isinstance(said, str) else err(said), (Attempt(),))

    async def main() -> list[bool]:
        async with caching(path, answer=slow) as cache:
            results = await asyncio.gather(*[judged().run(RUN, answer=cache) for _ in range(8)])
        return [is_successful(result) for result in results]

    assert asyncio.run(main()) == [False] + [True] * 7
    assert len(asked) == 2


def test_the_file_is_in_order_and_readable(path: Path) -> None:
    """One request a line, by place and prompt, whatever the order of arrival; text as it is; no times."""
    files = []
    for outputs in (["Zoë", "b\n\u2028c", "ä"], ["ä", "Zoë", "b\n\u2028c"]):
        path.unlink(missing_ok=True)
        with recording(path, answer=Told(VERDICT)) as tape:
            for output in outputs:
                judged().run_sync(Run("in", output), answer=tape)
        files.append(path.read_bytes())
    assert files[0] == files[1]
    assert files[0].count(b"\n") == 3
    assert '"prompt": "Judge this.\\nZoë", "answer": "{\\"score\\": 0.5' in files[0].decode()
    assert b"nanoseconds" not in files[0]


def test_what_was_answered_is_in_the_file_before_the_block_ends(path: Path) -> None:
    """A crash loses nothing that was paid for."""
    tape = recording(path, answer=Told(VERDICT))
    judged().run_sync(RUN, answer=tape)
    assert judged().run_sync(RUN, answer=replaying(path)).unwrap().score == 0.5


SECRETS = (
    "sk-" + "a1B2" * 6,
    "ghp_" + "a" * 36,
    "AKIA" + "A1" * 8,
    "Bearer " + "x" * 20,
    "AIza" + "b" * 35,
    "eyJhbGciOiJ.eyJzdWIiOiI.SflKxwRJSMeK",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----",
)


def test_the_file_holds_no_secret(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what looks like a key nor the judge's own key, in prompt, answer or feedback."""
    monkeypatch.setenv("OUR_OWN_KEY", "plain-looking")
    monkeypatch.setenv("OPENAI_API_KEY", "swordfish")
    told = " ".join((*SECRETS, "plain-looking", "swordfish", "https://ann:pw@host/"))
    with recording(path, answer=Told(json.dumps({"score": 1, "reason": told}))) as tape:
        judged(Judge("openai/gpt-4o-mini", api_key_env="OUR_OWN_KEY")).run_sync(Run("in", told), answer=tape)
    written = path.read_text()
    for secret in (*SECRETS, "plain-looking", "swordfish", "ann:pw"):
        assert secret.split("\n")[0] not in written
    assert "https://[secret]@host/" in written


@pytest.mark.parametrize(
    "variable",
    [
        *(f"{name}_API_KEY" for name in ("OPENAI", "AZURE_OPENAI", "ANTHROPIC", "GEMINI", "MISTRAL")),
        *(f"{name}_API_KEY" for name in ("DEEPSEEK", "GROQ", "OPENROUTER", "PERPLEXITY", "TOGETHER")),
        *("AWS_BEARER_TOKEN_BEDROCK", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"),
    ],
)
def test_the_key_of_no_provider_is_in_the_file(path: Path, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is asked, and whatever it looks like."""
    monkeypatch.setenv(variable, "swordfish")
    with recording(path, answer=Told(VERDICT)) as tape:
        judged().run_sync(Run("in", "is it swordfish?"), answer=tape)
    assert "is it [secret]?" in path.read_text()


def test_a_redacted_prompt_is_recorded_redacted(path: Path) -> None:
    """Input processors work in the program, before anything is recorded."""
    judge = Judge("openai/gpt-4o-mini", input_processors=[Redact()])
    with recording(path, answer=Told(VERDICT)) as tape:
        judged(judge).run_sync(Run("in", "write to ann@example.com"), answer=tape)
    assert lines(path)[0]["prompt"] == "Judge this.\nwrite to [redacted]"


async def nameless(_: object) -> str:
    return VERDICT


NAMELESS = Judge(calling(nameless))


@pytest.mark.parametrize("way", [recording, caching])
def test_a_judge_without_identity_is_refused(path: Path, way: Callable[..., object]) -> None:
    """Where it can be seen that is a mistake of the definition, else a fault, and nothing is asked."""
    with pytest.raises(DefinitionError, match=r"'judged': the judge has no identity.*calling"):
        way(path, scorers=[judged(NAMELESS)])
    step = create_scorer("s", input=str, output=str, judge=CANNED).generate_score(
        score_prompt(lambda _: "Score it.", judge=NAMELESS)
    )
    with pytest.raises(DefinitionError, match="no identity"):
        way(path, scorers=[step])
    judge = Told(VERDICT)
    failed = judged(NAMELESS).run_sync(RUN, answer=way(path, answer=judge))  # type: ignore[arg-type]  # either of the two
    assert isinstance(failed.failure().cause, Aborted)
    assert judge.requests == []


def test_judges_with_identity_are_accepted(path: Path) -> None:
    """A named function, a model by context and a step's judge that inherits its model all have one in time."""
    chosen = Judge(by_context(lambda context: f"openai/{context['model']}"))
    step = create_scorer("s", input=str, output=str, judge=CANNED).generate_score(
        score_prompt(lambda _: "Score it.", judge=Judge(instructions="Be strict.", model="openai/gpt-4o"))
    )
    scorers = [judged(Judge(calling(nameless, identity="mine 1"))), judged(chosen), step]
    with recording(path, answer=Told(VERDICT), scorers=scorers) as tape:
        run = Run("in", "out", request_context={"model": "gpt-4o"})
        assert judged(chosen).run_sync(run, answer=tape).unwrap().score == 0.5


def broken(path: Path, line: bytes) -> str:
    """What is said of a file whose second line is broken."""
    path.unlink(missing_ok=True)
    with recording(path, answer=Told(VERDICT)) as tape:
        judged().run_sync(RUN, answer=tape)
    path.write_bytes(path.read_bytes() + line)
    with pytest.raises(DefinitionError) as mistake:
        replaying(path)
    return str(mistake.value)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"content": "abc", "pro', "breaks off"),
        (b"nonsense\n", "is not JSON"),
        (b'{"content": 7}\n', r"is no recorded reply: \$.content expected a string"),
        (b'{"place": "x"}\n', "is no recorded reply"),
        (b"[" * 100_000 + b"\n", "is not JSON"),
        (b"\xff\xfe\n", "is not JSON"),
        (b"<<<<<<< HEAD\n", "merge conflict"),
    ],
)
def test_a_broken_line_is_told_with_file_and_line(path: Path, line: bytes, why: str) -> None:
    """A transcript is read whole or not at all."""
    told = broken(path, line)
    assert told.startswith(f"{path}:2 ")
    assert why.replace("\\", "") in told


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """To replay there must be something; to record there must be a folder."""
    with pytest.raises(DefinitionError, match=r"no transcript .*nothing\.jsonl: record one"):
        replaying(tmp_path / "nothing.jsonl")
    with pytest.raises(DefinitionError, match="no folder"):
        recording(tmp_path / "nowhere" / "a.jsonl")
    with pytest.raises(DefinitionError, match="directory"):
        caching(tmp_path)


def test_an_edited_file_is_mended(path: Path) -> None:
    """Blank lines and a missing line feed at the end do no harm; the next record stands on a line of its own."""
    with recording(path, answer=Told(VERDICT)) as tape:
        judged().run_sync(RUN, answer=tape)
    path.write_bytes(b"\n" + path.read_bytes().rstrip())
    with recording(path, answer=Told(VERDICT)) as tape:
        judged().run_sync(RUN.with_output("b"), answer=tape)
    assert len(lines(path)) == 2


def test_an_answer_that_cannot_be_written_reaches_its_step(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is paid for; what went wrong is raised at the end of the block, and the file is whole."""

    def full(file: int, line: bytes) -> int:
        real(file, line[:10])
        return 10

    real = os.write
    tape = recording(path, answer=Told(VERDICT))
    with monkeypatch.context() as patch:
        patch.setattr("scorewright.judges.shelf.os.write", full)
        assert judged().run_sync(RUN, answer=tape).unwrap().score == 0.5
    with pytest.raises(OSError, match="no room"):
        tape.close()
    assert path.read_bytes() == b""


def record_some(path: Path, name: str, count: int) -> None:
    with recording(path, answer=Told(VERDICT)) as tape:
        for number in range(count):
            judged().run_sync(Run("in", f"{name} {number}"), answer=tape)
            judged().run_sync(Run("in", f"both {number}"), answer=tape)
            if number % 10 == 0:
                tape.close()


def test_two_processes_record_into_one_file(path: Path) -> None:
    """Nothing is lost, nothing is there twice, no line is broken, and nothing is left beside the file."""
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=record_some, args=(path, name, 40)) for name in "ab"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    assert len(lines(path)) == 120
    assert len({line["content"] for line in lines(path)}) == 120
    assert list(path.parent.iterdir()) == [path]


WORDS = st.text() | st.sampled_from(["\ud800", "\u2028", "a\nb", "<<<<<<<", "\x00"])


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=5))
def test_entries_round_trip(told: list[tuple[str, str, str]]) -> None:
    """Whatever prompts and answers hold, the line reads back as the same entry."""
    for prompt_, answer, place in told:
        entry = Entry(content="0", place=place, prompt=prompt_, answer=answer)
        line = line_of(entry)
        assert line.count(b"\n") == 1
        assert entry_in(line).unwrap() == entry


def test_a_file_keeps_its_mode_and_its_first_answers(path: Path) -> None:
    """Sorting changes the order only; of two answers to one question the first counts."""
    first, second = Entry("1", prompt="b", answer="x"), Entry("1", prompt="b", answer="y")
    shelf = Shelf(path)
    for entry in (first, second, Entry("2", prompt="a")):
        shelf.add(entry)
    path.chmod(0o640)
    shelf.sort()
    assert [(line["content"], line["answer"]) for line in lines(path)] == [("2", ""), ("1", "x")]
    assert path.stat().st_mode & 0o777 == 0o640


def test_an_unknown_kind_of_fault_is_still_one() -> None:
    """A file from another version is read."""
    line = (
        b'{"content": "0", "attempts": [{"fault": "Strange", "why": "odd"}, {"fault": "SchemaMismatch", "why": "w"}]}\n'
    )
    odd, mismatch = entry_in(line).unwrap().reply(again=True).attempts
    assert odd.fault == Unreachable("odd")
    assert mismatch.fault == SchemaMismatch("", "", "w")


def test_a_tape_is_used_from_two_loops(path: Path) -> None:
    """`run_sync` has a loop of its own; a tape serves it and the user's loop."""

    async def main() -> float:
        async with recording(path, answer=Told(VERDICT)) as tape:
            inside = await judged().run(RUN, answer=tape)
            outside = await asyncio.to_thread(lambda: judged().run_sync(RUN, answer=tape))
        return inside.unwrap().score + outside.unwrap().score

    assert asyncio.run(main()) == 1.0
    assert len(replaying(path)) == 1


def test_a_verdict_by_hand_is_served(path: Path) -> None:
    """A file written by hand needs a content and an answer only."""
    with recording(path, answer=Told(VERDICT)) as tape:
        judged().run_sync(RUN, answer=tape)
    content = lines(path)[0]["content"]
    path.write_text(json.dumps({"content": content, "answer": '{"score": 1, "reason": "by hand"}'}) + "\n")
    done = judged().run_sync(RUN, answer=replaying(path)).unwrap()
    assert (done.score, done.reason) == (1, "by hand")


def test_which_part_asks_first_does_not_matter(path: Path) -> None:
    """Parts that ask alike ask once in a run; a replay finds that reply, whichever part comes first this time."""

    def part(id: str) -> Scorer[str, str, object, JudgeFault]:
        draft = create_scorer(id, input=str, output=str, judge=CANNED)
        return draft.analyze(prompt(str, lambda _: f"Begin with {id}.")).generate_score(
            score_prompt(lambda _: "Score it.")
        )

    async def live(request: JudgeRequest) -> JudgeReply:
        if request.prompt == "Begin with a.":
            for _ in range(20):
                await asyncio.sleep(0)
        text = '{"score": 0.25}' if request.prompt == "Score it." else '{"value": "begun"}'
        return JudgeReply(ok(text), (Attempt(),))

    whole = mean(part("a"), part("b"))

    async def main() -> None:
        async with recording(path, answer=live) as tape:
            before = await whole.run(RUN, answer=tape)
        again = await whole.run(RUN, answer=replaying(path))
        alone = await part("a").run(RUN, answer=replaying(path))
        assert before.unwrap().score == again.unwrap().score == alone.unwrap().score == 0.25

    asyncio.run(main())
    assert len(lines(path)) == 3


@given(
    st.builds(
        Entry,
        st.text(),
        st.text(),
        st.text(),
        st.text(),
        st.text() | st.just("\ud800"),
        sample=st.integers(0),
        attempts=st.lists(st.builds(Tried, st.none() | st.integers(), st.text(), input_tokens=st.integers(0))).map(
            tuple
        ),
        tokens=st.lists(
            st.builds(Token, st.text(), st.floats(), st.lists(st.tuples(st.text(), st.floats())).map(tuple))
        ).map(tuple),
    )
)
def test_a_line_is_the_json_of_its_fields(entry: Entry) -> None:
    """All that hold something, in their order, and the prompt and the answer always."""

    def form(value: Entry | Tried | Token) -> dict[str, object]:
        held = ((field, getattr(value, field.name)) for field in attrs.fields(type(value)))
        told = {
            field.name: [form(each) for each in given] if field.name in {"attempts", "tokens"} else given
            for field, given in held
            if given != field.default or field.name in {"prompt", "answer"}
        }
        last = {key: told.pop(key) for key in ("attempts", "tokens") if key in told}
        return {**told, **last}

    written = json.dumps(form(entry), ensure_ascii=False).encode("utf-8", "backslashreplace")
    assert line_of(entry) == written + b"\n"
