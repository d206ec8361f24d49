"""Examples of the text scorers."""

from __future__ import annotations

from scorewright.core import Run
from scorewright.library import text
from scorewright.library.examples.shown import Examples, shown

EXAMPLES: Examples = {
    "bleu": lambda: shown(
        text.bleu(), Run("", "The parcel is in the depot now.", "The parcel is in the depot."), extra="library"
    ),
    "chrf": lambda: shown(text.chrf(), Run("", "The parcel arrived.", "The parcels arrive."), extra="library"),
    "completeness": lambda: shown(
        text.completeness(), Run("When do parcels arrive?", "The parcel arrives today."), extra="library"
    ),
    "content_similarity": lambda: shown(text.content_similarity(), Run("night", "nacht")),
    "embedding_similarity": lambda: shown(
        text.embedding_similarity(lambda texts: [[1.0, len(each)] for each in texts], model="lengths"),
        Run("", "Lyon", "Paris"),
        extra="embedding",
    ),
    "exact_match": lambda: shown(text.exact_match(), Run("", "The Eiffel Tower!", "eiffel tower")),
    "f1": lambda: shown(text.f1(), Run("", "in the tower of Lyon", ["Lyon", "the city of Lyon"])),
    "jaro_winkler": lambda: shown(text.jaro_winkler(), Run("", "dwayne", "duane"), extra="library"),
    "json_difference": lambda: shown(
        text.json_difference(), Run("", '{"city": "Graz", "fee": 4}', {"city": "Graz", "fee": 3})
    ),
    "keyword_coverage": lambda: shown(
        text.keyword_coverage(), Run("Track parcel AT-1070 to Graz", "The parcel is in Graz."), extra="library"
    ),
    "levenshtein": lambda: shown(text.levenshtein(), Run("", "kitten", "sitting"), extra="library"),
    "list_overlap": lambda: shown(text.list_overlap(), Run("", ["pear", "pear", "fig"], ["pear", "fig"])),
    "numeric_closeness": lambda: shown(
        text.numeric_closeness(relative=0.01), Run("How far?", "About 1,500 m.", "1.5 km")
    ),
    "rouge": lambda: shown(text.rouge("rougeL"), Run("", "the parcel is here", "the parcel was here"), extra="library"),
    "set_overlap": lambda: shown(text.set_overlap("recall"), Run("", ["pear", "fig"], ["pear", "plum"])),
    "textual_difference": lambda: shown(text.textual_difference(), Run("kitten", "sitting"), extra="library"),
    "tone": lambda: shown(text.tone("I am happy."), Run("", "That is bad."), extra="tone"),
}
