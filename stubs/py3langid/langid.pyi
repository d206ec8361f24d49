"""A fence around py3langid: the model and what it says of one text."""

from typing import Self

MODEL_FILE: str

class LanguageIdentifier:
    def __init__(
        self,
        nb_ptc: object,
        nb_pc: object,
        nb_classes: object,
        tk_nextmove: object,
        tk_output: object,
        norm_probs: bool = False,
        min_confidence: float | None = None,
        *,
        tk_row: object,
    ) -> None: ...
    @classmethod
    def from_model_file(cls, model_file: str, *args: object, **kwargs: object) -> Self: ...
    @property
    def labels(self) -> list[str]: ...
    def classify(self, text: str) -> tuple[str, float]: ...
