"""Calls as operations: the reads and writes of a use equation, and their dates.

The operation `call[e]` reads, of each input that it takes in place or fills itself, { f(e,x) : x in the callee's
footprint }, and writes every output that it leaves in place or empties itself. An argument with a copy of its own adds
the operation `copy[e]`, which does this instead of the call; the array of the argument connects the two. Its elements
(e,x) are ordinary values: one of the two writes them and the other reads them, each at cell (instance(e), x).

A family represents the writes: one point (e,y) each, for the operation e (`StatementInstances.whole`). Source:
verifier.md, Calls.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from alphaz.analysis.facts.dependences import dependences_of
from alphaz.mapping.input_footprint import only_input
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.use_equations import Argument, Use
from alphaz.order.mapped_read import Read
from alphaz.order.operations import Phase, StatementInstances
from alphaz.poly import Affine, AffineFunction, Domain


@dataclass(frozen=True, slots=True, eq=False)
class ArrayLifetime:
    """The operations that allocate and free the array of an argument, and all its users.

    Allocation or release is None where the first user, the last user or the end of the run does it.
    """

    argument: Argument
    allocation: StatementInstances | None
    users: tuple[StatementInstances, ...]
    free: StatementInstances | None


@dataclass(frozen=True, slots=True, eq=False)
class Calls:
    """The operations of calls; `writers` are those of the outputs of use equations and of argument arrays,
    by variable.
    """

    writers: Mapping[str, tuple[StatementInstances, ...]]
    reads: tuple[Read, ...]
    lifetimes: tuple[ArrayLifetime, ...]


def calls_of(mapping: ResolvedMapping) -> Calls:
    """Returns the operations of all use equations of a system."""
    writers: dict[str, tuple[StatementInstances, ...]] = {}
    reads: list[Read] = []
    lifetimes: list[ArrayLifetime] = []
    for use in mapping.uses:
        call = _operation(mapping, use.label, use.outputs[0].name)
        for argument in use.arguments:
            copy = call if argument.copy is None else _operation(mapping, argument.copy, argument.name)
            writers |= {f.variable: (f,) for f in _writes(argument, call, copy)}
            reads += _reads(mapping, use, argument, call, copy)
            if argument.has_array:
                lifetimes.append(_lifetime(mapping, argument, call, copy))
    return Calls(writers, tuple(reads), tuple(lifetimes))


def _operation(mapping: ResolvedMapping, name: str, variable: str) -> StatementInstances:
    """Returns one operation for each point of the extension domain."""
    statement = mapping.statement(name)
    return StatementInstances(
        name=name,
        variable=variable,
        moment=Phase.DATED,
        domain=statement.domain,
        target=statement.target,
        statement=statement,
    )


def _writing(
    operation: StatementInstances, variable: str, domain: Domain, in_place: bool = False
) -> StatementInstances:
    """Returns the points of a variable that an operation writes; the operation's own indices lead the names of the
    domain.
    """
    statement = operation.statement
    assert statement is not None
    own = domain.space.names[: operation.domain.space.dimensions]
    date = AffineFunction(domain.space, statement.date.renamed(own).outputs)
    identity = AffineFunction.identity(domain.space)
    lifted = replace(statement, domain=domain, target=identity, date=date)
    return replace(
        operation, variable=variable, domain=domain, target=identity, statement=lifted, whole=operation, direct=in_place
    )


def _writes(argument: Argument, call: StatementInstances, copy: StatementInstances) -> Iterator[StatementInstances]:
    if argument.is_output:
        assert argument.variable is not None
        yield _writing(copy, argument.variable, argument.used_domain, argument.in_place)
        if argument.has_array:
            yield _writing(call, argument.name, argument.domain)
    elif argument.has_array:
        yield _writing(copy, argument.name, argument.used_domain)


def _reads(
    mapping: ResolvedMapping, use: Use, argument: Argument, call: StatementInstances, copy: StatementInstances
) -> Iterator[Read]:
    if not argument.is_output:
        yield from _of_the_caller(mapping, use, argument, copy)
    if argument.has_array and argument.copy is not None:
        yield _of_the_array(argument, copy if argument.is_output else call)


def _of_the_caller(
    mapping: ResolvedMapping, use: Use, argument: Argument, reader: StatementInstances
) -> Iterator[Read]:
    for dependence in dependences_of(only_input(use.equation, argument.number), mapping.facts):
        whole = dependence.domain & argument.used_domain.embedded(dependence.domain.space)
        for domain, (variable, function) in mapping.aliases.read(dependence.producer, dependence.function, whole):
            yield Read(
                reader=reader,
                at=dependence.projection,
                domain=domain,
                variable=variable,
                function=function,
                named=dependence.producer,
                written=dependence.function,
                reference=dependence.reference,
                aliases=mapping.aliases,
                root=argument.body,
                within=argument.used_domain,
                direct=argument.in_place,
            )


def _of_the_array(argument: Argument, reader: StatementInstances) -> Read:
    domain = argument.used_domain
    identity = AffineFunction.identity(domain.space)
    point = AffineFunction(domain.space, tuple(map(Affine.name, domain.space.names[: reader.domain.space.dimensions])))
    return Read(
        reader=reader,
        at=point,
        domain=domain,
        variable=argument.name,
        function=identity,
        named=argument.name,
        written=identity,
        within=domain,
    )


def _lifetime(
    mapping: ResolvedMapping, argument: Argument, call: StatementInstances, copy: StatementInstances
) -> ArrayLifetime:
    made, freed = (
        None if name is None else _operation(mapping, name, argument.name)
        for name in (argument.allocation, argument.free)
    )
    return ArrayLifetime(argument, made, tuple(dict.fromkeys((copy, call))), freed)
