"""A fence around xllamacpp: a server of llama.cpp in this process, and the few settings that we give it."""

from typing import Self

from typing_extensions import disjoint_base

@disjoint_base
class CpuParams:
    n_threads: int
    def __init__(self, *args: object, **kwargs: object) -> None: ...

@disjoint_base
class CommonParamsModel:
    path: str
    def __init__(self, *args: object, **kwargs: object) -> None: ...

@disjoint_base
class CommonParams:
    model: CommonParamsModel
    model_alias: set[str]
    cpuparams: CpuParams
    cpuparams_batch: CpuParams
    n_ctx: int
    n_gpu_layers: int
    hostnames: list[str]
    port: int
    ui: bool
    endpoint_slots: bool
    verbosity: int

@disjoint_base
class Server:
    def __new__(cls, params: CommonParams, /) -> Self: ...
    @property
    def listening_address(self) -> str: ...
