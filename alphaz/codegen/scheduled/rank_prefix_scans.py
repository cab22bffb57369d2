"""Prefix scans on a rank: the total of each scan as a reduction over the places of the rank, in the order of its
dates.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from alphaz.mapping.prefix_scans import PrefixScan
from alphaz.mapping.statement import Statement
from alphaz.mapping.target_mapping import KindSetting, MappingEntry, SpaceTimeMap, TargetMapping
from alphaz.model.expression import Case, Reduce, Restrict
from alphaz.model.program import Equation, Kind, Program, System, Variable
from alphaz.model.walk import copy
from alphaz.poly import AffineFunction, Space, unlike


@dataclass(frozen=True, slots=True, eq=False)
class RankScan:
    """A scan, the statement of its values, and the name of the variable that has the totals of its lines."""

    scan: PrefixScan
    statement: Statement
    total: str

    def line(self, names: Sequence[str]) -> tuple[str, ...]:
        """Returns the names without that of the index along the lines."""
        return tuple(name for position, name in enumerate(names) if position != self.scan.index)


def rank_scans(
    scans: Sequence[PrefixScan], statements: Iterable[Statement], taken: Iterable[str]
) -> tuple[RankScan, ...]:
    """Returns the scans with names for their totals."""
    of = {statement.variable: statement for statement in statements}
    totals = unlike(tuple(f"{scan.variable}_total" for scan in scans), tuple(taken))
    return tuple(RankScan(scan, of[scan.variable], total) for scan, total in zip(scans, totals, strict=True))


def with_totals(program: Program, name: str, scans: Sequence[RankScan]) -> Program:
    """Returns the program with the totals as variables of the system."""
    if not scans:
        return program
    return replace(program, systems=tuple(_extended(s, scans) if s.name == name else s for s in program.systems))


def _extended(system: System, scans: Sequence[RankScan]) -> System:
    variables, equations = [], []
    for scan in scans:
        variable, equation = system.variable(scan.scan.variable), scan.statement.equation
        assert equation is not None
        indices = equation.indices
        space, line = Space(system.parameters, indices), scan.line(indices)
        projection = AffineFunction.identity(space)
        outputs = tuple(x for position, x in enumerate(projection.outputs) if position != scan.scan.index)
        body = Case(tuple(Restrict(term.domain, copy(term.expression)) for term in scan.scan.terms))
        reduce_ = Reduce(scan.scan.operator, AffineFunction(space, outputs), body, span=equation.span)
        domain = variable.domain.onto(scan.line(variable.domain.space.names))
        variables.append(
            Variable(name=scan.total, kind=Kind.LOCAL, type=variable.type, domain=domain, span=variable.span)
        )
        equations.append(Equation(scan.total, line, reduce_, span=equation.span))
    return replace(system, variables=(*system.variables, *variables), equations=(*system.equations, *equations))


def dated_totals(stated: TargetMapping, scans: Sequence[RankScan]) -> TargetMapping:
    """Returns the mapping in which totals have the dates, and the kinds of dimensions, of the values of the scan."""

    def kinds(entry: MappingEntry) -> Iterator[MappingEntry]:
        yield entry
        for one in scans if isinstance(entry, KindSetting) else ():
            yield from entry.copied(one.scan.variable, one.total)

    mapping = stated.rebuilt(kinds)
    for scan in scans:
        mapping = mapping.with_space_time(SpaceTimeMap(scan.total, scan.statement.date, span=scan.statement.span))
    return mapping
