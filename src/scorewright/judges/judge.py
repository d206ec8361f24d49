"""Who is asked, as data: the model, its instructions, where it is served."""

from __future__ import annotations

from typing import final

import attrs

from scorewright.core.ask import Answerer, JudgeReply, JudgeRequest
from scorewright.core.bench import Bench
from scorewright.faults import DefinitionError, NoJudge
from scorewright.results import err


@final
@attrs.frozen
class Judge:
    """A model that judges.

    `model` is "openai/NAME", or any name at all where `base_url` leads to an OpenAI-compatible server. The key is read
    from the environment variable `api_key_env` when the first request is sent, and is kept in no value. `timeout` is
    in seconds and bounds one HTTP request. What is left out ("" or None) is taken from the scorer's judge.
    """

    model: str = ""
    instructions: str = ""
    base_url: str = ""
    api_key_env: str = ""
    timeout: float | None = None

    def __attrs_post_init__(self) -> None:
        if self.model and not self.base_url and not self.model.startswith("openai/"):
            raise DefinitionError(
                f'model={self.model!r}: write "openai/NAME", or give the base_url of an OpenAI-compatible server'
            )
        if self.timeout is not None and not self.timeout > 0:
            raise DefinitionError(f"timeout= is a number of seconds above 0, not {self.timeout!r}")

    @property
    def identity(self) -> str:
        """Everything that shapes the answers; no key is part of it."""
        return f"{self.model}\n{self.base_url}\n{self.instructions}"

    def filled(self, outer: Answerer, /) -> Answerer:
        """This judge, with what it leaves open taken from `outer`; a judge of another kind has nothing to give."""
        if not isinstance(outer, Judge):
            return self
        return Judge(
            self.model or outer.model,
            self.instructions or outer.instructions,
            self.base_url or outer.base_url,
            self.api_key_env or outer.api_key_env,
            outer.timeout if self.timeout is None else self.timeout,
        )

    async def answer(self, request: JudgeRequest, bench: Bench, /) -> JudgeReply:
        """Ask the model once."""
        if not self.model:
            return JudgeReply(err(NoJudge()))
        from scorewright.judges.chat import ask_chat

        return await ask_chat(self, request, bench)
