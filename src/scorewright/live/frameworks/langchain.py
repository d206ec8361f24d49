"""`ScoringCallback`: every outermost run of LangChain's runnables and LangGraph's graphs, scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import RLock
from typing import TYPE_CHECKING, final

from typing_extensions import override

from scorewright.core import Scorers
from scorewright.core.collection import SomeScorer
from scorewright.core.definition import expect_count
from scorewright.live.agent_runs import WhichRuns, agent_watch
from scorewright.live.forking import anew_in_children
from scorewright.live.frameworks.nodes import Node, Tree, run_of
from scorewright.live.frameworks.sight import interrupted, sighted
from scorewright.live.live import Live
from scorewright.live.sampling import ALWAYS
from scorewright.live.scored import Samples
from scorewright.traces.json_view import text_at

try:
    from langchain_core.callbacks import BaseCallbackHandler
except ImportError as _missing:
    raise ImportError(
        "runnables and graphs are scored by LangChain's callbacks: pip install 'langchain-core>=1'"
    ) from _missing

if TYPE_CHECKING:
    from uuid import UUID

    from langchain_core.messages import BaseMessage
    from langchain_core.outputs import LLMResult


@final
class ScoringCallback(BaseCallbackHandler):
    """Scores what is run with it: `app.invoke(state, {"callbacks": [ScoringCallback(polite, live=live)]})`.

    The outermost runnable is the run, with the models and tools inside; of the chains and nodes between nothing is
    kept. It is handed over when it ends, awaited or not, streamed or not. At most `runs` that have not ended are held,
    each with `steps` steps at most; what is beyond is dropped and counted.
    """

    run_inline: bool = True  # it is called where it happens, in no executor: each call keeps a reference and no more

    def __init__(
        self,
        *scorers: SomeScorer | str,
        live: Live,
        among: Scorers | None = None,
        sample: Samples = ALWAYS,
        where: WhichRuns | None = None,
        nested: bool = False,
        runs: int = 1000,
        steps: int = 5000,
    ) -> None:
        expect_count(runs, "ScoringCallback(runs=…)", 1)
        expect_count(steps, "ScoringCallback(steps=…)", 1)
        self._watch = agent_watch(*scorers, live=live, among=among, sample=sample, where=where, nested=nested)
        self._most = runs
        self._most_steps = steps
        self.forked()
        anew_in_children(self)

    def forked(self) -> None:
        """Begin anew in a child: what goes on belongs to the parent."""
        self._lock = RLock()
        self._open: dict[UUID, Tree] = {}  # by the ids of all steps that have not ended
        self._roots: dict[UUID, Tree] = {}

    def __deepcopy__(self, memo: dict[int, object]) -> ScoringCallback:
        """Itself, since configurations that hold it are copied."""
        return self

    @override
    def on_chain_start(
        self,
        serialized: Mapping[str, object] | None,
        inputs: object,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: object,
    ) -> None:
        """A chain or a node begins, or the whole."""
        self._begin("chain", inputs, run_id, parent_run_id, _told(serialized, kwargs))

    @override
    def on_chat_model_start(
        self,
        serialized: Mapping[str, object] | None,
        messages: Sequence[Sequence[BaseMessage]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: object,
    ) -> None:
        """A chat model is asked."""
        given = {"messages": [list(each) for each in messages[:1]]}
        self._begin("llm", given, run_id, parent_run_id, _told(serialized, kwargs))

    @override
    def on_llm_start(
        self,
        serialized: Mapping[str, object] | None,
        prompts: Sequence[str],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: object,
    ) -> None:
        """A model of plain text is asked."""
        self._begin("llm", {"prompt": next(iter(prompts), "")}, run_id, parent_run_id, _told(serialized, kwargs))

    @override
    def on_tool_start(
        self,
        serialized: Mapping[str, object] | None,
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: object,
    ) -> None:
        """A tool is called."""
        given = kwargs.get("inputs")
        inputs = {"input": input_str} if given is None else given
        self._begin("tool", inputs, run_id, parent_run_id, _told(serialized, kwargs))

    @override
    def on_chain_end(
        self, outputs: object, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: object
    ) -> None:
        """A chain has ended; of one that is fed by a stream the input is known now."""
        self._end(run_id, outputs, kwargs.get("inputs"))

    @override
    def on_llm_end(
        self, response: LLMResult, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: object
    ) -> None:
        """A model has answered."""
        self._end(run_id, {"generations": response.generations, "llm_output": response.llm_output})

    @override
    def on_tool_end(self, output: object, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: object) -> None:
        """A tool gave something back."""
        self._end(run_id, output)

    @override
    def on_chain_error(
        self, error: BaseException, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: object
    ) -> None:
        """A chain raised, or was cancelled."""
        self._end(run_id, None, kwargs.get("inputs"), error)

    @override
    def on_llm_error(
        self, error: BaseException, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: object
    ) -> None:
        """A model raised."""
        self._end(run_id, None, None, error)

    @override
    def on_tool_error(
        self, error: BaseException, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: object
    ) -> None:
        """A tool raised."""
        self._end(run_id, None, None, error)

    def _begin(
        self, kind: str, inputs: object, run_id: UUID, parent_id: UUID | None, told: Mapping[str, object]
    ) -> None:
        with self._lock:
            if run_id in self._open:
                return
            above = None if parent_id is None else self._open.get(parent_id)
            tree = Tree(run_id, sighted(self._watch, str(run_id))) if above is None else above
            self._open[run_id] = tree
            tree.open.add(run_id)
            if above is None:
                self._roots[run_id] = tree
            if tree.sight.kept:
                content = inputs if above is None or kind != "chain" else None
                tree.add(Node(kind, str(run_id), "" if above is None else str(parent_id), content, told))
            forgotten = next(iter(self._roots.values())) if len(self._roots) > self._most else None
        if above is None:
            tree.sight.pass_by()
        if forgotten is not None:
            self._lose(forgotten, "too many runs had not ended")
        if len(tree.nodes) > self._most_steps:
            self._lose(tree, f"it had more than {self._most_steps} steps")

    def _end(self, run_id: UUID, outputs: object, inputs: object = None, error: BaseException | None = None) -> None:
        with self._lock:
            tree = self._open.pop(run_id, None)
            if tree is None:
                return
            tree.open.discard(run_id)
            is_root = run_id == tree.root
            tree.ended(str(run_id), outputs, inputs, error, whole=is_root)
            if is_root:
                self._forget(tree)
        if is_root and tree.sight.kept:
            why = "" if error is None else interrupted(error)
            if why:
                tree.sight.watch.filtered(why)
                return
            run = tree.sight.read(lambda: run_of(tree))
            if run is not None:
                tree.sight.take(run)

    def _forget(self, tree: Tree) -> None:
        self._roots.pop(tree.root, None)
        for each in tree.open:
            self._open.pop(each, None)
        tree.open.clear()

    def _lose(self, tree: Tree, reason: str) -> None:
        with self._lock:
            known = self._roots.get(tree.root) is tree
            self._forget(tree)
        if known and tree.sight.kept:
            tree.sight.lost(reason)


def _told(serialized: Mapping[str, object] | None, told: Mapping[str, object]) -> Mapping[str, object]:
    """What is known of a step besides its content."""
    return {
        "name": told.get("name") or text_at(serialized, "name"),
        "model": text_at(told.get("metadata"), "ls_model_name"),
        "call": told.get("tool_call_id"),
    }
