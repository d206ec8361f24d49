"""A fence around safetensors: arrays of a file, by name."""

from pathlib import Path

from numpy import float32
from numpy.typing import NDArray

def load_file(filename: Path, *, backend: str = "mmap") -> dict[str, NDArray[float32]]: ...
