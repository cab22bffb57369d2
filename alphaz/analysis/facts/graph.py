"""The reduced dependence graph of a system: a node for each variable, an edge for each read; and its text in DOT."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from alphaz.analysis.facts.dependences import Dependence, dependences, operation
from alphaz.analysis.texts.show import domain_shown
from alphaz.model.facts import Facts
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
