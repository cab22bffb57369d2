"""All operations and reads of a system under a mapping, with reads resolved through copies: the table of verifier.md
section 1.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from alphaz.analysis.facts.dependences import Dependence, dependences
from alphaz.mapping.aliases import Aliases
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.model.program import System, Variable
from alphaz.order.call_operations import ArrayLifetime, calls_of
from alphaz.order.mapped_read import Read
from alphaz.order.operations import Phase, StatementInstances
from alphaz.poly import Affine, AffineFunction, Domain


@dataclass(frozen=True, slots=True, eq=False)
class OperationTable:
    """Operations and reads. `writers[v]` are the families that write v; `firsts[v]` those that write each value first.

    `private` are the contributions across a reduction dimension; they write only private accumulators of their merge.
    """

    mapping: ResolvedMapping
    writers: Mapping[str, tuple[StatementInstances, ...]]
    firsts: Mapping[str, tuple[StatementInstances, ...]]
    private: Mapping[str, StatementInstances]
    reads: tuple[Read, ...]
    lifetimes: tuple[ArrayLifetime, ...] = ()
    _variables: Mapping[str, Variable] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_variables", {v.name: v for v in self.system.variables})

    @property
    def system(self) -> System:
        return self.mapping.system

    @property
    def families(self) -> tuple[StatementInstances, ...]:
        """Returns all families that write, in the order of the variables."""
        return tuple(f for families in self.writers.values() for f in families)

    @property
    def dated(self) -> tuple[StatementInstances, ...]:
        """Returns all families with dates of the mapping: contributions instead of their merges."""
        executed = (
            self.private[f.variable] if f.merge else f.operation for f in self.families if f.statement is not None
        )
        return tuple(dict.fromkeys(executed))

    def declared(self, variable: str) -> Variable | None:
        """Returns the variable of the system; None for the array of an argument of a call."""
        return self._variables.get(variable)


def operations(mapping: ResolvedMapping) -> OperationTable:
    """Returns the operations under this mapping."""
    system = mapping.system
    calls = calls_of(mapping)
    writers = {
        v.name: _writers(mapping, v.name) for v in system.variables if v.name not in mapping.aliases.whole_variables
    }
    writers |= calls.writers
    firsts = {name: _firsts(families) for name, families in writers.items()}
    private = {f.variable: _contributions(f) for families in writers.values() for f in families if f.merge}
    reads = (*_reads(mapping, writers, private), *calls.reads, *_ends(system, mapping.aliases))
    return OperationTable(
        mapping=mapping, writers=writers, firsts=firsts, private=private, reads=reads, lifetimes=calls.lifetimes
    )


def _writers(mapping: ResolvedMapping, variable: str) -> tuple[StatementInstances, ...]:
    dated = tuple(_family(s) for s in mapping.statements if s.variable == variable)
    if not dated:
        return (_start(mapping.system, variable, mapping.system.variable(variable).domain, partial=False),)
    if len(dated) == 1 and (dated[0].is_body or dated[0].merge):
        return (*dated, *_empty_sums(mapping.system, dated[0]))
    return dated


def _family(statement: Statement) -> StatementInstances:
    """Returns the operations that write: for contributions across a reduction dimension, their merge."""
    partial = statement.role is Role.BODY
    merge = statement.merged_at is not None
    name = f"{statement.variable}.merge" if merge else statement.name
    return StatementInstances(
        name=name,
        variable=statement.variable,
        moment=Phase.DATED,
        domain=statement.domain,
        target=statement.target,
        statement=statement,
        partial=partial,
        merge=merge,
    )


def _contributions(merge: StatementInstances) -> StatementInstances:
    """Returns the contributions that the merge collects."""
    assert merge.statement is not None
    return replace(merge, name=merge.statement.name, merge=False)


def _start(system: System, variable: str, points: Domain, partial: bool) -> StatementInstances:
    domain = points.in_context(system.context)
    identity = AffineFunction.identity(domain.space)
    return StatementInstances(
        name=variable,
        variable=variable,
        moment=Phase.START,
        domain=domain,
        target=identity,
        statement=None,
        partial=partial,
    )


def _empty_sums(system: System, body: StatementInstances) -> tuple[StatementInstances, ...]:
    """Returns the results to which no body operation contributes: START writes the neutral element there."""
    domain = system.variable(body.variable).domain
    names = domain.space.names
    rest = domain - body.domain.image(body.target, names)
    return () if rest.is_empty() else (_start(system, body.variable, rest, partial=True),)


def _firsts(writers: tuple[StatementInstances, ...]) -> tuple[StatementInstances, ...]:
    inits = tuple(f for f in writers if f.statement is not None and f.statement.role is Role.INIT)
    return inits or writers


def _reads(
    mapping: ResolvedMapping,
    writers: Mapping[str, tuple[StatementInstances, ...]],
    private: Mapping[str, StatementInstances],
) -> tuple[Read, ...]:
    collectors = {
        f.variable: f
        for families in writers.values()
        for f in families
        if f.statement is not None and f.statement.role in (Role.VALUE, Role.BODY)
    }
    readers = {**collectors, **private}
    reads = [
        read
        for d in dependences(mapping.system, mapping.facts)
        if d.consumer in readers and not mapping.aliases.drops(d.reference)
        for read in _read(readers[d.consumer], d, mapping.aliases)
    ]
    return (*reads, *(_running(f) for f in collectors.values() if f.is_body or f.merge))


def _read(reader: StatementInstances, dependence: Dependence, aliases: Aliases) -> Iterator[Read]:
    at = dependence.projection
    if reader.is_body:
        at = AffineFunction(dependence.domain.space, tuple(Affine.name(n) for n in reader.names))
    named, producer_function, reference = dependence.producer, dependence.function, dependence.reference
    for domain, (variable, function) in aliases.read(named, producer_function, dependence.domain):
        yield Read(
            reader=reader,
            at=at,
            domain=domain,
            variable=variable,
            function=function,
            named=named,
            written=producer_function,
            reference=reference,
            aliases=aliases,
        )


def _running(body: StatementInstances) -> Read:
    """Returns the read of the running value by a body operation; across a reduction dimension, by its merge."""
    at = AffineFunction.identity(body.domain.space)
    return Read(
        reader=body,
        at=at,
        domain=body.domain,
        variable=body.variable,
        function=body.target,
        named=body.variable,
        written=body.target,
        is_running=True,
    )


def _ends(system: System, aliases: Aliases) -> Iterable[Read]:
    """Returns the reads of END: every point of every output."""
    for output in system.outputs:
        domain = output.domain.in_context(system.context)
        own = AffineFunction.identity(domain.space)
        family = StatementInstances(name=output.name, variable=output.name, moment=Phase.END, domain=domain, target=own)
        for part, (variable, function) in aliases.read(output.name, own, domain):
            yield Read(
                reader=family,
                at=own,
                domain=part,
                variable=variable,
                function=function,
                named=output.name,
                written=own,
                aliases=aliases,
            )
