"""Budgets and limits: set aside before a request, settled after it, never overshot by asks that run at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from decimal import Decimal
from time import monotonic
from typing import ClassVar

import attrs
import pytest
from fakes.openai_server import Answer, FakeOpenAI, no_choices, reset, said, status
from genai_prices.data_snapshot import DataSnapshot, set_custom_snapshot
from genai_prices.types import AbstractUsage, CalcPrice, ClauseEquals, ModelInfo, ModelPrice, Provider
from judges.asking import GOOD, MODES, Came, Mode, came, fault_of, faults, gathered, judge_at, scorer, together
from returns.pipeline import is_successful

from scorewright import Bench, Run, create_scorer, score_prompt
from scorewright.core.budget import Budget
from scorewright.faults import BudgetExhausted, TimedOut
from scorewright.judges import Judge, ModelSettings
from scorewright.judges.ledger import ledgers
from scorewright.judges.limits import Pace

PRICED = "mistral/mistral-large-latest"
BOUNDED = ModelSettings(max_tokens=10)
modes = pytest.mark.parametrize("mode", MODES)


def slowly(body: object, number: int) -> Answer:
    return said(GOOD, tokens=(20, 10), delay=0.02)


def counts(results: list[Came]) -> tuple[int, int]:
    """How many were scored, and how many the budget stopped; nothing else may happen."""
    stopped = [result for result in results if not is_successful(result)]
    assert all(isinstance(fault_of(result), BudgetExhausted) for result in stopped)
    return len(results) - len(stopped), len(stopped)


def test_so_many_calls_are_made_and_no_more() -> None:
    """Sixty-four asks at once, ten requests."""
    with FakeOpenAI(slowly) as server:
        results = together(scorer(judge_at(server, budget=Budget(calls=10))), 64)
    assert counts(results) == (10, 54)
    assert len(server.requests) == 10


def test_a_benchs_budget_is_for_all_that_is_asked_there() -> None:
    """Two scorers with different judges, seven requests together."""

    async def both(server: FakeOpenAI) -> list[Came]:
        async with Bench(budget=Budget(calls=7)) as bench:
            asked = (scorer(judge_at(server)), scorer(judge_at(server, model="other")))
            one, other = await asyncio.gather(*(gathered(each, 32, bench) for each in asked))
            return one + other

    with FakeOpenAI(slowly) as server:
        assert counts(asyncio.run(both(server))) == (7, 57)
    assert len(server.requests) == 7


def test_judges_with_the_same_budget_share_it_and_others_do_not() -> None:
    """By name and bounds, within one bench."""

    async def three(server: FakeOpenAI) -> list[Came]:
        async with Bench() as bench:
            budgets = (Budget(calls=2), Budget(calls=2), Budget(calls=2, name="apart"))
            every = [await gathered(scorer(judge_at(server, budget=budget)), 4, bench) for budget in budgets]
            return [result for results in every for result in results]

    with FakeOpenAI(slowly) as server:
        assert counts(asyncio.run(three(server))) == (4, 8)
    assert len(server.requests) == 4


def test_a_request_is_booked_once_where_bench_and_judge_have_one_budget() -> None:
    """The same value given twice is one ledger."""
    budget = Budget(calls=4)
    with FakeOpenAI(slowly) as server:
        assert counts(together(scorer(judge_at(server, budget=budget)), 8, Bench(budget=budget))) == (4, 4)


class Breaking(ModelPrice):
    """A price of a user's own, which breaks on some counts."""

    def calc_price(self, usage: AbstractUsage) -> CalcPrice:
        total = Decimal(1) / Decimal(0 if usage.output_tokens in self.breaks_on else 1)
        return {"input_price": total, "output_price": Decimal(0), "total_price": total}

    breaks_on: ClassVar[tuple[int, ...]] = ()


@pytest.mark.parametrize(("breaks_on", "scored"), [((), 4), ((5,), 4), ((10,), 0)], ids=["never", "after", "before"])
def test_a_price_that_raises_leaves_nothing_set_aside(
    breaks_on: tuple[int, ...], scored: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a request the price is not known; after it, what was set aside is booked, in every ledger."""
    monkeypatch.setattr(Breaking, "breaks_on", breaks_on)
    model = ModelInfo("m", ClauseEquals("m"), prices=Breaking())
    set_custom_snapshot(
        DataSnapshot([Provider("mistral", "Mistral", "https://mistral", models=[model])], from_auto_update=False)
    )
    own, whole = Budget(dollars=4, name="own"), Budget(dollars=100, tokens=10_000, name="whole")

    async def all_of_them(server: FakeOpenAI) -> tuple[list[Came], list[int]]:
        async with Bench(budget=whole) as bench:
            judge = judge_at(server, model="mistral/m", budget=own, model_settings=BOUNDED)
            results = await gathered(scorer(judge), 8, bench)
            return results, [book._tokens_aside + book._under_way for book in ledgers(bench, own)]

    try:
        with FakeOpenAI(lambda *_: said(GOOD, tokens=(20, 5))) as server:
            results, aside = asyncio.run(all_of_them(server))
    finally:
        set_custom_snapshot(None)
    assert counts(results) == (scored, 8 - scored)
    assert len(server.requests) == scored
    assert aside == [0, 0]


@pytest.mark.parametrize("limit", [500, 1000, 1500])
def test_tokens_are_never_overshot(limit: int) -> None:
    """The reply is bounded by max_tokens, the prompt is estimated: 64 at once stay below."""
    with FakeOpenAI(slowly) as server:
        judge = judge_at(server, budget=Budget(tokens=limit), model_settings=BOUNDED, error_processors=[])
        scored, stopped = counts(together(scorer(judge), 64))
    assert scored == len(server.requests)
    assert 0 < scored * 30 <= limit
    assert stopped > 0


ROOMY = ModelSettings(max_tokens=1000)


def test_an_ask_waits_for_those_under_way_to_give_back_what_they_did_not_take() -> None:
    """Two at a time fit what is set aside for them; all fit what they take, and the sum stays within the budget."""
    budget = Budget(tokens=3000)

    async def all_of_them(server: FakeOpenAI) -> tuple[list[Came], int, int]:
        async with Bench() as bench:
            judge = judge_at(server, budget=budget, model_settings=ROOMY, error_processors=[], deadline=60)
            results = await gathered(scorer(judge), 24, bench)
            (book,) = ledgers(bench, budget)
            return results, book.tokens, book._tokens_aside

    with FakeOpenAI(slowly) as server:
        results, booked, aside = asyncio.run(all_of_them(server))
    assert counts(results) == (24, 0)
    assert server.peak == 2
    assert (booked, aside) == (24 * 30, 0)


def test_who_waits_is_refused_as_soon_as_settling_can_make_no_room() -> None:
    """The sum is never more than the budget: three replies of 990 tokens fit, and nothing after them."""
    with FakeOpenAI(lambda *_: said(GOOD, tokens=(20, 970), delay=0.02)) as server:
        judge = judge_at(server, budget=Budget(tokens=3100), model_settings=ROOMY, error_processors=[])
        assert counts(together(scorer(judge), 16)) == (3, 13)
    assert len(server.requests) == 3


def test_a_wait_for_room_ends_with_the_deadline() -> None:
    """As what it is: nothing was sent, since the budget did not cover it."""
    budget = Budget(tokens=1500)

    async def one_then_two(server: FakeOpenAI) -> Sequence[Came]:
        patient, hasty = (
            scorer(judge_at(server, budget=budget, model_settings=ROOMY, error_processors=[], deadline=deadline))
            for deadline in (2.0, 0.2)
        )
        async with Bench() as bench:
            first = asyncio.create_task(patient.run(Run("q", "0"), answer=bench.answer))
            while not server.requests:  # noqa: ASYNC110 - the server is in another thread
                await asyncio.sleep(0.005)
            waited = await asyncio.gather(*(hasty.run(Run("q", each), answer=bench.answer) for each in "12"))
            return [*waited, await first]

    with FakeOpenAI(lambda *_: said(GOOD, delay=30)) as server:
        results = asyncio.run(one_then_two(server))
    assert [type(fault_of(result)).__name__ for result in results] == ["BudgetExhausted", "BudgetExhausted", "TimedOut"]
    assert len(server.requests) == 1


def test_who_is_cancelled_while_it_waits_for_room_leaves_nothing_behind() -> None:
    """The next that waits goes on."""
    budget = Budget(tokens=1500)

    async def three(server: FakeOpenAI) -> tuple[Came, Came, int]:
        async with Bench() as bench:
            asked = scorer(judge_at(server, budget=budget, model_settings=ROOMY, error_processors=[]))
            tasks = [asyncio.create_task(asked.run(Run("q", str(n)), answer=bench.answer)) for n in range(3)]
            while not server.requests:  # noqa: ASYNC110 - the server is in another thread
                await asyncio.sleep(0.005)
            tasks[1].cancel()
            await asyncio.wait([tasks[1]])
            (book,) = ledgers(bench, budget)
            return await tasks[0], await tasks[2], book._tokens_aside

    with FakeOpenAI(slowly) as server:
        first, last, aside = asyncio.run(three(server))
    assert (first.unwrap().score, last.unwrap().score, aside) == (0.5, 0.5, 0)
    assert len(server.requests) == 2


@pytest.mark.parametrize("order", ["bench first", "judge first"])
def test_two_budgets_that_wait_for_each_other_do_not_stand_still(order: str) -> None:
    """Whoever waits for one holds nothing of the other."""
    tight, wide = Budget(tokens=2500, name="tight"), Budget(tokens=2600, name="wide")
    whole, own = (tight, wide) if order == "bench first" else (wide, tight)

    async def both(server: FakeOpenAI) -> list[Came]:
        judges = [
            judge_at(server, budget=each, model_settings=ROOMY, error_processors=[], deadline=60)
            for each in (own, None)
        ]
        async with Bench(budget=whole) as bench:
            one, other = await asyncio.gather(*(gathered(scorer(judge), 8, bench) for judge in judges))
            return one + other

    with FakeOpenAI(slowly) as server:
        assert counts(asyncio.run(both(server))) == (16, 0)


def test_the_estimate_learns_from_what_was_counted() -> None:
    """A provider that counts ten times as many tokens as we thought: after the first reply enough is set aside."""

    async def in_turn(server: FakeOpenAI) -> list[Came]:
        judge = judge_at(server, budget=Budget(tokens=5000), error_processors=[])
        async with Bench() as bench:
            return [await scorer(judge).run(Run("q", str(n)), answer=bench.answer) for n in range(10)]

    with FakeOpenAI(lambda *_: said(GOOD, tokens=(1000, 400))) as server:
        scored, _ = counts(asyncio.run(in_turn(server)))
    assert scored == len(server.requests) == 3
    assert scored * 1400 <= 5000


def test_dollars_are_never_overshot() -> None:
    """Priced before the request is sent, at what it may take."""
    from scorewright.core.ask import Usage
    from scorewright.judges.prices import dollars_of

    each = dollars_of(Usage(20, 10), "fake", PRICED)
    assert each is not None
    with FakeOpenAI(slowly) as server:
        judge = judge_at(
            server, model=PRICED, budget=Budget(dollars=each * 40), model_settings=BOUNDED, error_processors=[]
        )
        scored, stopped = counts(together(scorer(judge), 64))
    assert scored == len(server.requests)
    assert 30 < scored <= 40
    assert stopped > 0


@modes
def test_a_model_without_a_price_cannot_be_asked_on_a_money_budget(mode: Mode) -> None:
    """opik#7312: said before the first request, not after a silent run."""
    with FakeOpenAI(slowly) as server:
        result = came(mode, scorer(judge_at(server, budget=Budget(dollars=1.0))))
    fault = fault_of(result)
    assert fault == BudgetExhausted(
        "the price of compatible/m is not known, so no money budget can be held: "
        "bound its requests or tokens, with Budget(calls=…, tokens=…) or --budget-calls, or give it a price"
    )
    assert server.requests == []


def test_a_model_of_ones_own_has_the_price_that_is_given_to_it() -> None:
    """Then a money budget holds for it: of dollars for two requests, two are made."""
    mine = ModelInfo(
        "fake", ClauseEquals("fake"), prices=ModelPrice(input_mtok=Decimal(0), output_mtok=Decimal(100_000))
    )
    set_custom_snapshot(DataSnapshot([Provider("compatible", "mine", "", models=[mine])], from_auto_update=False))
    try:
        with FakeOpenAI(slowly) as server:
            asked = scorer(judge_at(server, model="fake", budget=Budget(dollars=2.5), model_settings=BOUNDED))
            results = [came("sync", asked, "x") for _ in range(4)]
    finally:
        set_custom_snapshot(None)
    assert counts(results)[0] == len(server.requests) == 2


def test_time_is_a_budget_too() -> None:
    """It runs from the first request; a request that is under way is ended with it."""
    began = monotonic()
    with FakeOpenAI(lambda _, number: said(GOOD, delay=30 if number else 0)) as server:

        async def three() -> list[Came]:
            asked = scorer(judge_at(server, budget=Budget(seconds=0.3), error_processors=[]))
            async with Bench() as bench:
                return [await asked.run(Run("q", str(n)), answer=bench.answer) for n in range(3)]

        first, second, third = asyncio.run(three())
    assert monotonic() - began < 3
    assert first.unwrap().score == 0.5
    assert isinstance(fault_of(second), TimedOut)
    assert isinstance(fault_of(third), BudgetExhausted)
    assert len(server.requests) == 2


@modes
def test_every_attempt_is_a_call(mode: Mode) -> None:
    """A budget of two calls ends an ask that would be retried once more; what was tried stays visible."""
    with FakeOpenAI(lambda *_: status(500)) as server:
        result = came(mode, scorer(judge_at(server, budget=Budget(calls=2, name=f"two {mode}"))))
    assert isinstance(fault_of(result), BudgetExhausted)
    assert faults(result) == ["ServerError", "ServerError"]
    assert len(server.requests) == 2


@modes
def test_a_second_question_needs_a_place_in_the_budget(mode: Mode) -> None:
    """The unreadable answer is kept."""
    with FakeOpenAI([said("no idea")]) as server:
        result = came(mode, scorer(judge_at(server, budget=Budget(calls=1, name=f"one {mode}"))))
    assert isinstance(fault_of(result), BudgetExhausted)
    assert result.failure().exchanges[0].reply.answer.unwrap() == "no idea"


def test_a_budget_of_nothing_asks_nothing() -> None:
    """Zero is a bound."""
    for budget in (Budget(calls=0), Budget(tokens=0), Budget(seconds=0)):
        with FakeOpenAI([]) as server:
            assert counts(together(scorer(judge_at(server, budget=budget)), 1)) == (0, 1)
        assert server.requests == []


@pytest.mark.parametrize(
    ("answer", "tokens"),
    [
        (said(GOOD, tokens=(20, 10)), 30),
        (no_choices(), 10),
        (status(500), 0),
        (status(400), 0),
        (said(GOOD, tokens=None), None),
        (reset(), None),
        (said(GOOD, delay=30), None),
    ],
    ids=["counted", "failed and counted", "broken", "refused", "not counted", "lost", "late"],
)
def test_a_request_is_settled_by_what_came_of_it(answer: Answer, tokens: int | None) -> None:
    """What was refused costs nothing; what may have been charged for costs what was set aside."""
    budget = Budget(tokens=10_000)

    async def one(server: FakeOpenAI) -> tuple[int, int, int]:
        async with Bench() as bench:
            judge = judge_at(server, budget=budget, timeout=0.3, error_processors=[], model_settings=BOUNDED)
            await gathered(scorer(judge), 1, bench)
            (book,) = ledgers(bench, budget)
            return book.calls, book.tokens, book._tokens_aside

    with FakeOpenAI([answer]) as server:
        calls, booked, aside = asyncio.run(one(server))
    assert (calls, aside) == (1, 0)
    assert booked == tokens if tokens is not None else booked > 10


def test_a_cancelled_request_is_settled() -> None:
    """Nothing stays set aside; its tokens count, for they may be charged for."""
    budget = Budget(tokens=10_000)

    async def cancelled(server: FakeOpenAI) -> tuple[int, int]:
        async with Bench() as bench:
            task = asyncio.create_task(gathered(scorer(judge_at(server, budget=budget)), 3, bench))
            while len(server.requests) < 3:  # noqa: ASYNC110 - the server is in another thread
                await asyncio.sleep(0.005)
            (book,) = ledgers(bench, budget)
            assert book._tokens_aside > 0
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            return book.tokens, book._tokens_aside

    with FakeOpenAI(lambda *_: said(GOOD, delay=30)) as server:
        booked, aside = asyncio.run(cancelled(server))
    assert booked > 0
    assert aside == 0


# How many at once, and how many a minute


@pytest.mark.parametrize("at_once", [1, 3, 8])
def test_no_more_requests_run_at_once_than_were_allowed(at_once: int) -> None:
    """Shared by two scorers that ask the same judge; the server counts."""

    async def both(server: FakeOpenAI) -> list[Came]:
        judge = judge_at(server, concurrency=at_once)
        async with Bench() as bench:
            one, other = await asyncio.gather(gathered(scorer(judge), 12, bench), gathered(scorer(judge), 12, bench))
            return one + other

    with FakeOpenAI(slowly) as server:
        results = asyncio.run(both(server))
    assert all(map(is_successful, results))
    assert server.peak == at_once


def test_a_place_is_given_back_whatever_happens() -> None:
    """Failures, timeouts and cancelled asks leave none behind."""
    answers = [status(500), reset(), said(GOOD, delay=9), said("no idea"), *[said(GOOD)] * 4]

    async def in_turn(server: FakeOpenAI) -> Came:
        asked = scorer(judge_at(server, concurrency=1, timeout=0.2, error_processors=[]))
        async with Bench() as bench:
            for number in range(4):
                await asked.run(Run("q", str(number)), answer=bench.answer)
            task = asyncio.create_task(asked.run(Run("q", "cancelled"), answer=bench.answer))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            return await asked.run(Run("q", "last"), answer=bench.answer)

    with FakeOpenAI(answers) as server:
        assert asyncio.run(in_turn(server)).unwrap().score == 0.5


def test_a_wait_between_attempts_holds_no_place() -> None:
    """Another ask goes first meanwhile."""
    from scorewright.judges import ErrorRetryProcessor

    def once(body: dict[str, object], number: int) -> Answer:
        return status(500) if number == 0 else said(GOOD)

    async def two(server: FakeOpenAI) -> list[str]:
        asked = scorer(judge_at(server, concurrency=1, error_processors=[ErrorRetryProcessor(delay=0.3)]))
        async with Bench() as bench:
            await gathered(asked, 2, bench)
        return [prompt.partition("\n")[0] for prompt in server.prompts]

    with FakeOpenAI(once) as server:
        assert asyncio.run(two(server)) == ["answer 0", "answer 1", "answer 0"]


def test_requests_are_spread_over_the_minute() -> None:
    """1,200 a minute are 50 ms apart, for all scorers together."""
    began: list[float] = []

    def noted(body: object, number: int) -> Answer:
        began.append(monotonic())
        return said(GOOD)

    with FakeOpenAI(noted) as server:
        results = together(scorer(judge_at(server, requests_per_minute=1200)), 8)
    assert all(map(is_successful, results))
    assert began[-1] - began[0] >= 7 * 0.05 - 0.03


class Clock(asyncio.SelectorEventLoop):
    """A loop whose time goes as fast as nothing happens."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def time(self) -> float:
        return self.now

    def _run_once(self) -> None:  # the one place where a loop waits
        scheduled = self._scheduled  # type: ignore[attr-defined]  # of the base class
        if not self._ready and scheduled:  # type: ignore[attr-defined]  # as above
            self.now = max(self.now, scheduled[0].when())
        super()._run_once()  # type: ignore[misc]  # as above


def test_tokens_are_spread_over_the_minute() -> None:
    """No window of a minute lets more through than the limit and one request; who came first goes first."""

    async def spread() -> list[tuple[float, int, int]]:
        pace, went = Pace(1000), []
        clock = asyncio.get_running_loop().time

        async def one(number: int, tokens: int) -> None:
            await pace.wait(tokens)
            went.append((clock(), number, tokens))

        await asyncio.gather(*(one(number, 100 + 50 * (number % 5)) for number in range(100)))
        return went

    loop = Clock()
    try:
        went = loop.run_until_complete(spread())
    finally:
        loop.close()
    assert [number for _, number, _ in went] == list(range(100))
    for at, _, _ in went:
        assert sum(tokens for when, _, tokens in went if at <= when < at + 60) <= 1000 + 300


def test_who_is_cancelled_while_waiting_takes_nothing() -> None:
    """The next goes at the time that was kept for it."""

    async def waits() -> float:
        pace = Pace(60)
        await pace.wait(1)
        waiting = [asyncio.create_task(pace.wait(1)) for _ in range(5)]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await pace.wait(1)
        return asyncio.get_running_loop().time()

    loop = Clock()
    try:
        assert loop.run_until_complete(waits()) == pytest.approx(1.0)
    finally:
        loop.close()


def test_a_step_of_the_same_judge_shares_the_limit() -> None:
    """Overriding the instructions does not open a second lane."""
    with FakeOpenAI(slowly) as server:
        judge = judge_at(server, concurrency=2)

        async def both() -> None:
            own = create_scorer("j", input=str, output=str, judge=judge).generate_score(
                score_prompt(lambda _: "?", judge=Judge(instructions="Be kind."))
            )
            async with Bench() as bench:
                await asyncio.gather(gathered(scorer(judge), 8, bench), gathered(own, 8, bench))

        asyncio.run(both())
    assert server.peak == 2
    assert attrs.evolve(judge, instructions="x").concurrency == 2
