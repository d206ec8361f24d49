"""Logs of inspect_ai, `.json` and `.eval`: a row a sample, and its record as the trace."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from scorewright.shapes.values import is_list, is_object
from scorewright.suites.rows.record import Record, RecordItem, RowsRefused
from scorewright.suites.rows.row import NOTHING, BrokenRow, Place

_SAMPLES = "samples/"
_HEADERS = ("header.json", "_journal/start.json")


def is_inspect_log(document: Mapping[str, object], /) -> bool:
    """Whether a document is one of its logs."""
    about = document.get("eval")
    return is_list(document.get("samples")) and is_object(about) and "task" in about


def inspect_rows(log: Mapping[str, object], /) -> Iterator[RecordItem]:
    """The samples of a log that is held whole."""
    samples = log.get("samples")
    for at, sample in enumerate(samples if is_list(samples) else ()):
        if is_object(sample):
            yield Record(_row(sample, log), None, f"$.samples[{at}]")


def archive_rows(path: Path, /) -> Iterator[RecordItem]:
    """The samples of an `.eval` archive, one after the other; one that cannot be read is broken, the others go on."""
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as wrong:
        raise RowsRefused(f"{path} is no .eval archive: {wrong}") from wrong
    with archive:
        names = archive.namelist()
        head = next((name for name in _HEADERS if name in names), None)
        start = _member(archive, head) if head else None
        log: Mapping[str, object] = start if is_object(start) else NOTHING
        for name in names:
            if not (name.startswith(_SAMPLES) and name.endswith(".json")):
                continue
            sample = _member(archive, name)
            if is_object(sample):
                yield Record(_row(sample, log), None, name)
            else:
                why = sample if isinstance(sample, str) else "not an object"
                yield BrokenRow(Place(str(path), path=name), why)


def _member(archive: zipfile.ZipFile, name: str) -> object:
    """What a member of the archive holds; why it cannot be read as a text."""
    try:
        value: object = json.loads(archive.read(name))
    except (ValueError, RecursionError, NotImplementedError, zipfile.BadZipFile) as wrong:
        return f"not readable: {wrong}"
    return value


def _row(sample: Mapping[str, object], log: Mapping[str, object]) -> Mapping[str, object]:
    id, epoch = sample.get("id"), sample.get("epoch")
    later = isinstance(epoch, int) and epoch > 1
    failed = sample.get("error")
    completion = _completion(sample.get("output")) if failed is None else None  # what is there was cut short
    metadata = sample.get("metadata")
    choices = sample.get("choices")
    why = failed.get("message", failed) if is_object(failed) else failed
    about = {
        "epoch": epoch,
        **({"choices": choices} if choices else {}),
        **({} if failed is None else {"error": why}),
    }
    return {
        **({} if id is None else {"id": f"{id}-epoch-{epoch}" if later else id, "group": str(id)}),
        "input": sample.get("input"),
        **({} if completion is None else {"output": completion}),
        "expected": sample.get("target"),
        "metadata": {**about, **(metadata if is_object(metadata) else {})},
        "trace": {**{key: log[key] for key in ("version", "eval") if key in log}, "samples": [sample]},
    }


def _completion(output: object) -> object:
    """What the model answered: told as one text, or in the parts of its first choice."""
    if not is_object(output):
        return None
    if output.get("completion") is not None:
        return output["completion"]
    choices = output.get("choices")
    first = choices[0] if is_list(choices) and choices else None
    message = first.get("message") if is_object(first) else None
    content = message.get("content") if is_object(message) else None
    if not is_list(content):
        return content
    texts = [part.get("text") for part in content if is_object(part) and part.get("type") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str))
