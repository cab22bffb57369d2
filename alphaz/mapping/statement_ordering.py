"""The statement ordering: its transitive closure, and the check that it has no cycles (M0).

Source: verifier.md section 2; thesis 3.1.3.2 (it decides between operations of equal dates).
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.rules import MAPPING, UNKNOWN_TARGET
from alphaz.mapping.statement import Role, Statement, statement_names
from alphaz.mapping.target_mapping import StatementOrder
from alphaz.model.program import System

Edges = Mapping[str, Mapping[str, Span]]


def closed_ordering(
    system: System,
    statements: Sequence[Statement],
    stated: Sequence[StatementOrder],
    pairs_: Sequence[tuple[str, str]] = (),
) -> frozenset[tuple[str, str]]:
    """Returns pairs (earlier, later) of statement names. An initialisation precedes its body; `pairs_` are further such
    pairs.

    A variable that is not executed (an alias) still passes order on. Raises Rejected: AZ403 for a name that is no
    variable, AZ411 for a cycle.
    """
    names = {n: tuple(s.name for s in statements if s.variable == n) or (n,) for n in statement_names(system)}
    edges = _edges(names, statements, stated)
    spans = {s.name: s.span for s in statements}
    for before, after in pairs_:
        edges.setdefault(before, {})[after] = spans[after]
    executed = {s.name for s in statements}
    pairs: set[tuple[str, str]] = set()
    for name in sorted(executed):
        reached = _reachable(edges, name)
        if name in reached:
            raise _cycle(edges, name)
        pairs.update((name, later) for later in reached if later in executed)
    return frozenset(pairs)


def _edges(
    names: Mapping[str, tuple[str, ...]], statements: Sequence[Statement], stated: Sequence[StatementOrder]
) -> dict[str, dict[str, Span]]:
    edges: dict[str, dict[str, Span]] = {}
    for order in stated:
        for variable in (order.before, order.after):
            if variable not in names:
                message = f"the statement ordering names {variable}, which is no variable or use equation of the system"
                raise Rejected(Diagnostic(UNKNOWN_TARGET, message, Label(order.span)))
        for before in names[order.before]:
            edges.setdefault(before, {}).update((after, order.span) for after in names[order.after])
    bodies = {s.variable: s for s in statements if s.role is Role.BODY}
    for statement in statements:
        if statement.role is Role.INIT:
            edges.setdefault(statement.name, {})[bodies[statement.variable].name] = statement.span
    return edges


def _reachable(edges: Edges, start: str) -> set[str]:
    names: set[str] = set()
    waiting = list(edges.get(start, ()))
    while waiting:
        here = waiting.pop()
        if here not in names:
            names.add(here)
            waiting.extend(edges.get(here, ()))
    return names


def _cycle(edges: Edges, start: str) -> Rejected:
    path = _shortest_cycle(edges, start)
    span = edges[path[-2]][path[-1]]
    others = tuple(Label(edges[a][b], f"{a} before {b}") for a, b in pairwise(path[:-1]))
    message = f"the statement ordering has a cycle: {' before '.join(path)}"
    primary = Label(span, f"{path[-2]} before {path[-1]}")
    return Rejected(Diagnostic(MAPPING, message, primary, others, help="remove one of these commands"))


def _shortest_cycle(edges: Edges, start: str) -> list[str]:
    """Returns a shortest way from `start` back to itself."""
    predecessors: dict[str, str] = {}
    waiting = [start]
    while start not in predecessors:
        here = waiting.pop(0)
        for after in edges.get(here, ()):
            if after not in predecessors:
                predecessors[after] = here
                waiting.append(after)
    path = [start, predecessors[start]]
    while path[-1] != start:
        path.append(predecessors[path[-1]])
    return path[::-1]
