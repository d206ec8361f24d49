"""Nodes sorted into groups, one an agent: which model calls and tools are its own, and which agents it called.

The anchor of a group is an agent that no other agent or tool called; where none was recorded, the root above the model
calls. Model calls around model calls are one call, and so are tools inside a tool of the same name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from operator import attrgetter
from typing import final

import attrs
from msgspec import Struct
from msgspec.structs import replace

from scorewright.agents.run import Gap
from scorewright.traces.gaps import gap
from scorewright.traces.nodes import Node


@final
@attrs.define
class Group:
    """One agent's work while it is gathered: its anchor, its own model calls and tools, the agents that it called."""

    anchor: Node
    models: list[Node] = attrs.field(factory=list[Node])
    tools: list[Node] = attrs.field(factory=list[Node])
    subs: list[tuple[Group, Node | None]] = attrs.field(factory=list["tuple[Group, Node | None]"])
    gaps: list[Gap] = attrs.field(factory=list[Gap])

    @property
    def says_nothing(self) -> bool:
        """Is there neither a call, nor a word, nor a called agent?"""
        return not (self.models or self.tools or self.subs or self.anchor.speaks)


@final
class _Place(Struct, frozen=True, gc=False):
    """Where the walk is: the agent above, the tool above that it called, the model call around."""

    owner: Group | None = None
    tool: Node | None = None
    around: Node | None = None
    aside: bool = False


def grouped(nodes: Iterable[Node], /) -> list[Group]:
    """The groups of one trace, in the order in which they began."""
    notes: list[Gap] = []
    ordered = _in_order(nodes, notes)
    walk = _Walk()
    walk.through(ordered, notes)
    return walk.settled(notes)


def _in_order(nodes: Iterable[Node], notes: list[Gap]) -> dict[str, Node]:
    """By start, the longer first; of two with one id the first is kept."""
    known: dict[str, Node] = {}
    for node in nodes:
        if node.id in known:
            notes.append(gap("duplicate_span", node.id))
        else:
            known[node.id] = node
    ordered = [*known.values()]
    try:
        ordered.sort(key=_ENDED, reverse=True)
        ordered.sort(key=_BEGUN)
    except TypeError:  # a time that was not recorded
        ordered = sorted(known.values(), key=lambda node: (node.start or 0, -(node.end or 0)))
    return {node.id: node for node in ordered}


_BEGUN, _ENDED = attrgetter("start"), attrgetter("end")


@final
class _Walk:
    """One pass from the roots down, without recursion."""

    def __init__(self) -> None:
        self.groups: list[Group] = []
        self.by_root: dict[str, Group] = {}
        self.loose: list[Node] = []
        self.inner: dict[str, list[Node]] = {}
        self.seen: set[str] = set()
        self.roots: list[Node] = []

    def through(self, nodes: dict[str, Node], notes: list[Gap]) -> None:
        """Visit every node once, also those that hang in a circle or under a parent that is not there."""
        children: dict[str, list[Node]] = {}
        for id, node in nodes.items():
            parent = node.parent
            children.setdefault(parent if parent in nodes and parent != id else "", []).append(node)
        self.roots = children.get("", [])
        for root in self.roots:
            if root.parent and root.kind in {"model", "tool"}:
                notes.append(gap("orphan_span", root.id, f"its parent {root.parent} is not in the trace"))
            self._down(root, children)
        for node in nodes.values() if len(self.seen) < len(nodes) else ():
            if node.id not in self.seen:
                notes.append(gap("parent_cycle", node.id))
                self._down(node, children)

    def _down(self, root: Node, children: dict[str, list[Node]]) -> None:
        stack, seen = [(root, _Place())], self.seen
        while stack:
            node, place = stack.pop()
            id = node.id
            if id in seen:
                continue
            seen.add(id)
            below = self._visit(node, place, root)
            if id in children:
                stack += [(child, below) for child in reversed(children[id])]

    def _visit(self, node: Node, place: _Place, root: Node) -> _Place:
        kind = node.kind
        if place.aside or kind == "aside":
            return _Place(aside=True)
        if kind == "other":
            return place
        if kind == "agent":
            group = Group(node)
            if place.owner is None:
                self.groups.append(group)
            else:
                place.owner.subs.append((group, place.tool))
            return _Place(group)
        if kind == "tool":
            if place.tool is not None and _is_same_tool(place.tool, node):
                return place
            self._home(place, root, node)
            return _Place(place.owner, node)
        if place.around is not None:
            self.inner.setdefault(place.around.id, []).append(node)
        owner = place.owner
        if place.tool is not None and owner is not None:  # a model that a tool asked is not the agent speaking
            owner = _agent_of(owner, place.tool)
        below = _Place(owner, place.tool, node)
        self._home(below, root, node)
        return below

    def _home(self, place: _Place, root: Node, node: Node) -> None:
        """Put a model call or a tool to its agent; without one, to the root of its tree, or aside for later."""
        group = place.owner
        if group is None and root.kind == "other":
            group = self.by_root.get(root.id)
            if group is None:
                group = self.by_root[root.id] = Group(root)
                self.groups.append(group)
        if group is None:
            self.loose.append(node)
        else:
            (group.tools if node.kind == "tool" else group.models).append(node)

    def settled(self, notes: list[Gap]) -> list[Group]:
        """The groups with loose nodes, called agents and wrappers put where they belong."""
        agents = [group for group in self.groups if group.anchor.kind == "agent"]
        self._adopt_loose(agents or self.groups)
        groups = adopted(self.groups or [Group(root) for root in self.roots if _answers(root)])
        groups = [inner for group in groups for inner in unwrapped(group)]
        for group in groups if self.inner else ():
            self._one_a_call(group)
        speaking = [group for group in groups if not group.says_nothing]
        groups = speaking or groups[:1]
        if groups:
            groups[0].gaps.extend(notes)
        return sorted(groups, key=_began)

    def _adopt_loose(self, homes: Sequence[Group]) -> None:
        if not self.loose:
            return
        if len(homes) == 1:
            home = homes[0]
        else:
            first = self.loose[0]
            home = Group(replace(first, kind="other", id="", call=None, opening=None, output=(), usage=None))
            self.groups.append(home)
        for node in self.loose:
            (home.tools if node.kind == "tool" else home.models).append(node)
        home.models.sort(key=_start)
        home.tools.sort(key=_start)

    def _one_a_call(self, group: Group) -> None:
        """Of model calls around model calls, keep those that say something, the innermost ones first."""
        dropped: set[str] = set()
        speaking: set[str] = set()
        for outer in reversed(group.models):  # the walk met the inner ones later
            inner = self.inner.get(outer.id, [])
            if any(node.id in speaking for node in inner):
                speaking.add(outer.id)
                dropped.add(outer.id)
            elif outer.output:
                speaking.add(outer.id)
                dropped.update(self._below(outer))
            elif inner:
                dropped.add(outer.id)
        group.models[:] = [node for node in group.models if node.id not in dropped]
        for sub, _ in group.subs:
            self._one_a_call(sub)

    def _below(self, outer: Node) -> Iterator[str]:
        """The model calls inside a model call, however deep."""
        stack = [*self.inner.get(outer.id, ())]
        while stack:
            node = stack.pop()
            yield node.id
            stack.extend(self.inner.get(node.id, ()))


def _answers(root: Node) -> bool:
    """Is it a function that answered, or was asked and failed, though no model and no tool is seen in it?"""
    return root.kind == "other" and (bool(root.output) or (root.opening is not None and root.error is not None))


def _agent_of(owner: Group, tool: Node) -> Group:
    """The agent that a tool is, when it asks models without saying that it is one."""
    if owner.anchor.id == tool.id:
        return owner
    for sub, by in reversed(owner.subs):
        if by is tool and sub.anchor.id == tool.id:
            return sub
    sub = Group(replace(tool, call=None))
    owner.subs.append((sub, tool))
    return sub


def _is_same_tool(outer: Node, inner: Node) -> bool:
    one, other = outer.call, inner.call
    return one is not None and other is not None and (one.name == other.name or bool(one.id and one.id == other.id))


def unwrapped(group: Group, /) -> list[Group]:
    """The agents that an agent is which only runs agents: the one, or several where it says nothing itself."""
    while not (group.models or group.tools) and group.subs and all(tool is None for _, tool in group.subs):
        inner = [sub for sub, _ in group.subs]
        if len(inner) > 1:
            if group.anchor.speaks:
                break
            inner[0].gaps.extend(group.gaps)
            return [each for sub in inner for each in unwrapped(sub)]
        inner[0].gaps.extend(group.gaps)
        group = inner[0]
    return [group]


def adopted(groups: Sequence[Group], /) -> list[Group]:
    """The groups that no other called: an agent that ran while a tool of another ran was its doing."""
    if len(groups) < 2:  # noqa: PLR2004 - one calls no other
        return list(groups)
    waiting = sorted(groups, key=lambda group: _start(group.anchor))
    tools = sorted(((_start(tool), tool, group) for group in groups for tool in group.tools), key=lambda each: each[0])
    running: list[tuple[int, int, Node, Group]] = []
    kept: list[Group] = []
    at = 0
    for group in waiting:
        begun, ended = group.anchor.start, group.anchor.end
        while at < len(tools) and begun is not None and tools[at][0] <= begun:
            start, tool, owner = tools[at]
            heappush(running, (-start, at, tool, owner))
            at += 1
        while running and begun is not None and (running[0][2].end or 0) < begun:
            heappop(running)
        home = running[0] if running and begun is not None and ended is not None else None
        if home is None or home[3] is group or (home[2].end or 0) < (ended or 0) or group.anchor.kind != "agent":
            kept.append(group)
        else:
            home[3].subs.append((group, home[2]))
    return kept


def _start(node: Node) -> int:
    return node.start or 0


def _began(group: Group) -> int:
    start = group.anchor.start
    return start if start is not None else min(map(_start, (*group.models, *group.tools)), default=0)
