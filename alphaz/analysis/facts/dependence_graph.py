"""The reduced dependence graph of a system, its cyclic components, and its text in DOT."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from alphaz.analysis.facts.dependences import Dependence, dependences, operation
from alphaz.analysis.texts.show import domain_shown
from alphaz.model.expression import Facts
from alphaz.model.program import Equation, Kind, System, UseEquation
from alphaz.poly import Domain


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DependenceGraph:
    """A reduced dependence graph. Edges lead from the consumer to the producer; `reversed_` reverses them, to the flow
    of values. `domains` are the points of each computed variable, and of each call. `calls` has the call that
    computes each output of a use equation."""

    noun: ClassVar[str] = "a dependence graph"

    system: str
    nodes: tuple[str, ...]
    edges: tuple[Dependence, ...]
    domains: Mapping[str, Domain]
    calls: Mapping[str, str]
    reversed_: bool = False

    def __repr__(self) -> str:
        """`DependenceGraph(s: 3 nodes, 4 edges)`."""
        return f"DependenceGraph({self.system}: {len(self.nodes)} nodes, {len(self.edges)} edges)"

    def __str__(self) -> str:
        """The graph in the language of Graphviz."""
        return "\n".join([f"digraph {_quote(self.system)} {{", *self._lines(), "}"]) + "\n"

    def _lines(self) -> Iterator[str]:
        for node in self.nodes:
            yield f"  {_quote(node)};"
        for edge in self.edges:
            ends = (edge.producer, edge.consumer) if self.reversed_ else (edge.consumer, edge.producer)
            arrow = " -> ".join(map(_quote, ends))
            yield f"  {arrow} [label={_quote(f'{edge.function} on {domain_shown(edge.domain)}')}];"


def dependence_graph(system: System, facts: Facts, with_inputs: bool) -> DependenceGraph:
    """Returns the graph of one system, with or without inputs."""
    accesses = dependences(system, facts)
    inputs = {v.name for v in system.variables if v.kind is Kind.INPUT}
    edges = tuple(e for e in accesses if with_inputs or e.producer not in inputs)
    names = [v.name for v in system.variables if with_inputs or v.name not in inputs]
    nodes = dict.fromkeys((*names, *(end for e in edges for end in (e.consumer, e.producer))))
    calls = {
        output: operation(equation)
        for equation in system.equations
        if isinstance(equation, UseEquation)
        for output in equation.outputs
    }
    return DependenceGraph(system=system.name, nodes=tuple(nodes), edges=edges, domains=_domains(system), calls=calls)


def _domains(system: System) -> dict[str, Domain]:
    domains: dict[str, Domain] = {}
    for equation in system.equations:
        if isinstance(equation, Equation):
            domain = system.variable(equation.variable).domain.renamed(equation.indices)
        else:
            domain = equation.extension
        domains[operation(equation)] = domain.in_context(system.context)
    return domains


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


N = TypeVar("N", bound=Hashable)


def cyclic_components(graph: Mapping[N, Sequence[N]]) -> list[frozenset[N]]:
    """Returns the components that contain a cycle (a loop at one node included), in the order of the graph's first
    nodes."""
    order: dict[N, int] = {}
    low: dict[N, int] = {}
    stack: list[N] = []
    waiting: set[N] = set()
    components: list[frozenset[N]] = []
    for root in graph:
        if root not in order:
            _visit(root, graph, order, low, stack, waiting, components)
    cyclic = [c for c in components if len(c) > 1 or any(n in graph.get(n, ()) for n in c)]
    rank = {node: position for position, node in enumerate(graph)}
    return sorted(cyclic, key=lambda c: min(rank[n] for n in c if n in rank))


def _visit(
    root: N,
    graph: Mapping[N, Sequence[N]],
    order: dict[N, int],
    low: dict[N, int],
    stack: list[N],
    waiting: set[N],
    components: list[frozenset[N]],
) -> None:
    path: list[tuple[N, Iterator[N]]] = []

    def enter(node: N) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        waiting.add(node)
        path.append((node, iter(graph.get(node, ()))))

    enter(root)
    while path:
        node, successors = path[-1]
        following = next((s for s in successors if s not in order or s in waiting), None)
        if following is None:
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[node])
            if low[node] == order[node]:
                components.append(_close(node, stack, waiting))
        elif following in order:
            low[node] = min(low[node], order[following])
        else:
            enter(following)


def _close(node: N, stack: list[N], waiting: set[N]) -> frozenset[N]:
    members: list[N] = []
    while not members or members[-1] != node:
        members.append(stack.pop())
    waiting.difference_update(members)
    return frozenset(members)
