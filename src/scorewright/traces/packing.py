"""What documents come packed in: lists of them, mappings of them by their names, envelopes of APIs and exports."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scorewright.traces.json_view import is_list, is_mapping, structured, value_at
from scorewright.traces.loading import Archive

_SIDES = {"input", "output", "request", "response", "expected"}  # of one run, not documents of their own
_ENVELOPES = (
    "conversation",
    "conversations",
    "data",
    "documents",
    "history",
    "items",
    "records",
    "result",
    "results",
    "rows",
    "runs",
    "session",
    "sessionSpans",
    "sessions",
    "trace",
    "traces",
    "trajectories",
    "trajectory",
    "transcript",
)
"""Keys under which APIs and exports hand out documents, beside counts, cursors and the like."""
_DEEPEST = 3
"""How often a document may be packed."""


def documents_in(document: object, claimed: Callable[[object], bool], /) -> Sequence[object] | None:
    """The documents that this one, which no dialect claims, is made of; None where it holds none that are known.

    A list holds documents where any is known, and so does an archive; a mapping where all are, an envelope where what
    it holds is.
    """
    return _held(document, claimed, _DEEPEST)


def _held(document: object, claimed: Callable[[object], bool], depth: int) -> Sequence[object] | None:
    def known(each: object) -> bool:
        inner = answered(each)
        packed = is_list(inner) or is_mapping(inner)
        return packed and (claimed(inner) or (depth > 1 and _held(inner, claimed, depth - 1) is not None))

    if is_list(document):
        return document if any(map(known, document)) else None
    if isinstance(document, Archive):
        return _held([*document.members.values()], claimed, depth)
    if not is_mapping(document):
        return None
    given = [document[key] for key in _ENVELOPES if is_list(document.get(key)) or is_mapping(document.get(key))]
    if len(given) == 1 and known(given[0]):
        return given
    values = [*document.values()]
    by_name = bool(values) and not _SIDES & document.keys() and all(map(is_mapping, values))
    return values if by_name and all(map(known, values)) else None


def answered(document: object, /) -> object:
    """Out of a line of a batch's results what the API answered; out of a text of JSON what it says."""
    document = structured(document)
    if "custom_id" not in (document if is_mapping(document) else ()):
        return document
    answers = (value_at(document, "response", "body"), value_at(document, "result", "message"))
    return next((each for each in answers if is_mapping(each)), document)
