"""The formulas once more, slow and obvious, on the golden rows as they are written: none of our code is used."""

from __future__ import annotations

import re

from golden_rows import Json, Row, items, mapping


def texts_of(message: Json) -> list[str]:
    """All text parts of a compact message."""
    if "text" in message:
        return [str(message["text"])]
    if "texts" in message:
        return [str(text) for text in items(message["texts"])]
    content = mapping(message.get("raw")).get("content", "")
    parts = items(content) or items(mapping(content).get("parts"))
    if parts:
        return [str(mapping(part)["text"]) for part in parts]
    whole = content if isinstance(content, str) else mapping(content).get("text", "")
    return [str(whole)] if "raw" in message else []


def said(row: Row, side: str, joined_by: str, roles: tuple[str, ...] = ("assistant", "user")) -> str:
    """The texts of one side of a row."""
    told = [mapping(message) for message in items(row[side])]
    return joined_by.join(text for message in told if message.get("role") in roles for text in texts_of(message))


def dice(one: str, other: str) -> float:
    """Pairs crossed out one by one."""
    first, second = re.sub(r"\s", "", one), re.sub(r"\s", "", other)
    if first == second:
        return 1.0
    if min(len(first), len(second)) < 2:
        return 0.0
    left = [first[at : at + 2] for at in range(len(first) - 1)]
    right = [second[at : at + 2] for at in range(len(second) - 1)]
    total, shared = len(left) + len(right), 0
    for pair in left:
        if pair in right:
            right.remove(pair)
            shared += 1
    return 2 * shared / total


def lcs(one: str, other: str) -> int:
    """The length of the longest common subsequence, by the table of the textbook."""
    row = [0] * (len(other) + 1)
    for letter in one:
        before = row[:]
        for at, against in enumerate(other, 1):
            row[at] = before[at - 1] + 1 if letter == against else max(before[at], row[at - 1])
    return row[-1]


def lcs_ratio(one: str, other: str) -> float:
    return 1.0 if one == other else 2 * lcs(one, other) / (len(one) + len(other))


def checked(row: Row) -> float:
    """What a check of the row's text should say."""
    kind = row.factory.removeprefix("checks.")
    options = mapping(row.args[1]) if len(row.args) > 1 else {}
    output = said(row, "output", "" if kind in {"equals", "matches"} else " ", ("assistant",))
    if kind == "matches":
        given = mapping(row.args[0])
        letters = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}
        source = str(given["regex"]).replace(r"\p{Emoji_Presentation}", "[\U0001f300-\U0001faff]")
        pattern = re.compile(source, sum(letters.get(flag, 0) for flag in str(given["flags"])))
        return float(bool(pattern.fullmatch(output) if options.get("exact") else pattern.search(output)))
    target = str(row.args[0])
    if options.get("ignoreCase", True):
        output, target = output.lower(), target.lower()
    if kind == "similarity":
        found, due = dice(output, target), options.get("threshold")
        return found if due is None else float(found >= float(str(due)))
    return float({"includes": target in output, "excludes": target not in output, "equals": output == target}[kind])


def calls(row: Row) -> list[Json]:
    """The calls of the assistant, as the row lists them."""
    told = [mapping(message) for message in items(row["output"])]
    listed = [
        mapping(tool) for message in told if message.get("role") == "assistant" for tool in items(message.get("tools"))
    ]
    return [tool for tool in listed if tool["toolName"] and tool.get("state") != "partial-call"]


def called(row: Row) -> float:
    """What a check of the row's tool calls should say."""
    kind = row.factory.removeprefix("checks.")
    names = [str(tool["toolName"]) for tool in calls(row)]
    if kind == "usedNoTools":
        return float(not names)
    if kind == "noToolErrors":
        return float(not any(tool.get("state") == "call" or tool.get("isError") for tool in calls(row)))
    target = row.args[0]
    if kind == "toolOrder":
        left = iter(names)
        return float(all(name in left for name in items(target)))
    if kind == "maxToolCalls":
        return float(len(names) <= float(str(target)))
    times = mapping(row.args[1]).get("times", 1) if len(row.args) > 1 else 1
    return float(names.count(str(target)) >= int(str(times)) if kind == "calledTool" else str(target) not in names)
