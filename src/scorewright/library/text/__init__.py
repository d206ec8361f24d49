"""Scorers of texts: of an output against the input, against a reference, or by itself."""

from scorewright.library.text.closeness import Numbers, numeric_closeness
from scorewright.library.text.completeness import Completeness, Element, completeness
from scorewright.library.text.difference import Difference, textual_difference
from scorewright.library.text.edits import jaro_winkler, levenshtein
from scorewright.library.text.embedding import Cosine, Embed, embedding_similarity
from scorewright.library.text.json_difference import JsonValue, Paths, json_difference
from scorewright.library.text.keywords import Coverage, Keywords, keyword_coverage
from scorewright.library.text.lifting import against_expected, on_answer, on_texts
from scorewright.library.text.limits import TooLong
from scorewright.library.text.ngrams import bleu, chrf, rouge
from scorewright.library.text.overlap import Overlap, list_overlap, set_overlap
from scorewright.library.text.quantities import Quantity, quantities
from scorewright.library.text.references import BoundedScorer, Nearest, References, ReferenceScorer
from scorewright.library.text.similarity import Compared, content_similarity
from scorewright.library.text.squad import exact_match, f1
from scorewright.library.text.tone import Tone, tone
from scorewright.library.text.words import emoji, graphemes, sentences, words

__all__ = [
    "BoundedScorer",
    "Compared",
    "Completeness",
    "Cosine",
    "Coverage",
    "Difference",
    "Element",
    "Embed",
    "JsonValue",
    "Keywords",
    "Nearest",
    "Numbers",
    "Overlap",
    "Paths",
    "Quantity",
    "ReferenceScorer",
    "References",
    "Tone",
    "TooLong",
    "against_expected",
    "bleu",
    "chrf",
    "completeness",
    "content_similarity",
    "embedding_similarity",
    "emoji",
    "exact_match",
    "f1",
    "graphemes",
    "jaro_winkler",
    "json_difference",
    "keyword_coverage",
    "levenshtein",
    "list_overlap",
    "numeric_closeness",
    "on_answer",
    "on_texts",
    "quantities",
    "rouge",
    "sentences",
    "set_overlap",
    "textual_difference",
    "tone",
    "words",
]
