"""The scheduling problem: the statements of a system, and the dependences between their operations.

A statement is an equation (of an accumulation, its body: one operation for each contribution) or a use equation (one
operation for each call). The edges are
- flow: from the writer of a value to its reader. A reader of an accumulation depends on *all* its contributions;
- order: from a contribution to the next one to the same result. They need distinct dates in any order: these edges
count for parallelism and for locality, and not for legality.

The operations and reads are those of the verifier, so that both share one semantics of the program.
Source: Reddy, "Polyhedral compilation for domain specific languages" (2019), 3.3 (isolation edges)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from alphaz.analysis.facts.dependence_graph import cyclic_components
from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Cell, Role, Statement
from alphaz.mapping.target_mapping import SpaceTimeMap, TargetMapping
from alphaz.model.expression import Reduce
from alphaz.model.program import Equation, System
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable, operations
from alphaz.order.operations import Phase
from alphaz.poly import AffineFunction, Domain
from alphaz.poly.plain.affine import Affine
from alphaz.poly.relation import Relation
from alphaz.poly.scheduling.band_schedules import DependenceEdge


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """The statements of a system by name (a variable, or the label of a use equation), and their edges."""

    system: System
    statements: Mapping[str, Statement]
    reads: tuple[Read, ...]
    flow: tuple[DependenceEdge, ...]
    order: tuple[DependenceEdge, ...]
    cells: Mapping[str, Cell] = field(default_factory=dict)
    """Cells of the variables with a given memory map."""

    def is_isolation(self, edge: DependenceEdge) -> bool:
        """Returns True if it leads from the contributions of a result to a reader of that result."""
        return self.statements[edge.source].role is Role.BODY and edge.source != edge.target

    @property
    def effort(self) -> int:
        """Returns the size of the hardest strongly connected component: statements times loops squared."""
        graph: dict[str, list[str]] = {name: [] for name in self.statements}
        for edge in self.flow:
            graph[edge.source].append(edge.target)
        deep = {name: statement.domain.space.dimensions for name, statement in self.statements.items()}
        return max((len(c) * max(deep[name] for name in c) ** 2 for c in cyclic_components(graph)), default=0)

    @property
    def domains(self) -> dict[str, Domain]:
        return {name: statement.domain for name, statement in self.statements.items()}


def problem_of(design: Design, system: str) -> Problem:
    """Returns the scheduling problem of a system; of its mapping, memory maps count as they make copies unnecessary."""
    resolved = resolve(design.with_mapping(system, _undated_mapping(design, system)), system)
    statements = {s.variable: s for s in resolved.statements}
    happening = operations(resolved)
    cells = {m.variable: resolved.cells[m.variable] for m in design.mapping(system).memory}
    return Problem(
        system=resolved.system,
        statements=statements,
        reads=happening.reads,
        flow=tuple(_flow(happening)),
        order=tuple(_order(resolved)),
        cells=cells,
    )


def _undated_mapping(design: Design, system: str) -> TargetMapping:
    """The memory of the mapping, with dates that only make bodies of reductions statements."""
    the_system = design.system(system)
    bodies = {
        equation.variable: equation.expression.projection.domain
        for equation in the_system.equations
        if isinstance(equation, Equation) and isinstance(equation.expression, Reduce)
    }
    length = max((space.dimensions for space in bodies.values()), default=0)
    length = max((length, *(v.domain.space.dimensions for v in the_system.variables)))
    length = max((length, *_extensions(the_system)))
    dates = tuple(SpaceTimeMap(name, _padded(AffineFunction.identity(space), length)) for name, space in bodies.items())
    stated = design.mapping(system)
    return TargetMapping(
        space_time=dates,
        memory=stated.memory,
        formats=stated.formats,
        overwritable=stated.overwritable,
        target=stated.target,
    )


def _extensions(system: System) -> Iterator[int]:
    for equation in system.equations:
        if not isinstance(equation, Equation):
            yield equation.extension.space.dimensions


def _padded(function: AffineFunction, length: int) -> AffineFunction:
    return replace(function, outputs=(*function.outputs, *((Affine(),) * (length - len(function.outputs)))))


def _flow(happening: OperationTable) -> Iterator[DependenceEdge]:
    for read in happening.reads:
        if read.reader.moment is not Phase.DATED or read.is_running:
            continue
        for writer in happening.writers[read.variable]:
            if writer.moment is Phase.DATED:
                violation_space = ViolationSpace(happening.system).having("reader", read.domain)
                violation_space, producer = violation_space.with_writer_of("producer", writer, read.function.outputs)
                pairs = violation_space.counterexamples()
                first, then = (
                    AffineFunction(pairs.space, producer.own),
                    AffineFunction(pairs.space, read.occurrence.own),
                )
                source, target = writer.operation, read.reader.operation
                relation = Relation.of(pairs, first, then, source.domain.space, target.domain.space)
                relation = relation.with_sources_in(source.domain).with_targets_in(target.domain)
                if not relation.is_empty():
                    yield DependenceEdge(_name(source.statement), _name(target.statement), relation)


def _name(statement: Statement | None) -> str:
    assert statement is not None
    return statement.variable


def _order(mapping: ResolvedMapping) -> Iterator[DependenceEdge]:
    for statement in mapping.statements:
        if statement.role is Role.BODY:
            relation = Relation.to_the_next(statement.domain, statement.target)
            if not relation.is_empty():
                yield DependenceEdge(statement.variable, statement.variable, relation)
