"""Words and emoji with the sentiment that people gave them, read from the packages that carry the lists."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from math import floor

from scorewright.library.defining import needs


@cache
def afinn() -> Mapping[str, float]:
    """AFINN-165 (F. Å. Nielsen, 2011; ODbL), -5 to 5, and the Emoji Sentiment Ranking (Kralj Novak et al., 2015).

    The ranking (CC BY-SA) goes from -1 to 1 and is taken times five, rounded down. Only the lists of the two packages
    of the extra `tone` are read: no list is part of this package, none of their code runs.
    """
    for package in ("afinn", "emosent"):
        needs(package, "tone", "tone() without lexicon=")
    return {**dict(_emoji()), **dict(_words())}


def _words() -> Iterator[tuple[str, float]]:
    for line in files("afinn").joinpath("data", "AFINN-en-165.txt").read_text(encoding="utf-8").splitlines():
        word, _, value = line.rpartition("\t")
        yield word, int(value)


def _emoji() -> Iterator[tuple[str, float]]:
    table = files("emosent").joinpath("data", "Emoji_Sentiment_Data_v1.0.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(table.splitlines()):
        negative, neutral, positive = (float(row[column]) for column in ("Negative", "Neutral", "Positive"))
        yield row["Emoji"], floor(5 * (positive - negative) / (negative + neutral + positive))
