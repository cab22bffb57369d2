"""The values that ranks combine by a collective operation of MPI: results of reductions, and totals of prefix scans."""

from alphaz.c import tree as c
from alphaz.codegen.c.expressions import CValue, combine, identity
from alphaz.codegen.c.integers import bound, integer
from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.codegen.scheduled.copy_functions import MovedPoints
from alphaz.codegen.scheduled.memory.storage import Storage
from alphaz.codegen.scheduled.message_receivers import single_place
from alphaz.codegen.scheduled.ranks import RankMapping, union
from alphaz.codegen.targets.rank_program import CombinedValues
from alphaz.model.program import Kind, Variable
from alphaz.poly import Affine, Domain, less
from alphaz.poly.plain.integer_expression import Integer


def combined_values(ranks: RankMapping, name: str, storage: Storage, names: Identifiers) -> list[CombinedValues]:
    """Returns the values that ranks combine, by variable."""
    values, externals = [], {e.name: e for e in ranks.verified.design.program.externals}
    for variable in filter(ranks.is_combined, ranks.stored_variables(storage)):
        points = ranks.computed(variable, None, in_step=True).coalesced()
        moved = MovedPoints(variable, points, storage.places[variable.name])
        (statement,) = ranks.statements_of(variable)
        operator, type_, stem = statement.reduction.operator, c.scalar(variable.type), identifier(variable.name)
        sides = [names.copy().new(side) for side in ("left", "right")]
        one, other = (CValue(c.Name(side), variable.type) for side in sides)
        neutral, step = identity(operator, variable.type, externals), combine(operator, one, other, externals)
        parameters = tuple(c.Parameter(type_, side) for side in sides)
        place = _reader_place(ranks, variable)
        values.append(
            CombinedValues(
                name=stem,
                type=variable.type,
                moves=ranks.mover.moving(f"{name}_{stem}_values", [moved], names),
                neutral=c.Function(type_, f"{name}_{stem}_neutral", (), (c.Return(neutral.code),), "static"),
                step=c.Function(type_, f"{name}_{stem}_step", parameters, (c.Return(step.code),), "static"),
                prefixes=_prefixes(ranks, f"{name}_{stem}_prefixes", variable, storage, names),
                reader=None if place is None else integer(bound(place, ranks.c_parameters)),
            )
        )
    return values


def _reader_place(ranks: RankMapping, variable: Variable) -> Integer | None:
    """Returns the place of all operations that read the combined values of a step; None if they may have several. The
    caller reads outputs on all ranks.
    """
    if variable.kind is not Kind.LOCAL or ranks.distribution.width > 1:
        return None
    names, places = variable.domain.space.names, ranks.place_names(variable)
    whole = Domain.universe(ranks.system.space((*names, *places)))
    readers = union([ranks.readers_at(read, places) for read in ranks.reads_of(variable)], whole)
    in_step = ranks.computed(variable, None, in_step=True).embedded(whole.space)
    of_step = (readers & in_step).onto(places)
    return None if of_step.is_empty() else single_place(of_step)


def _prefixes(
    ranks: RankMapping, name: str, total: Variable, storage: Storage, names: Identifiers
) -> c.Function | None:
    """Returns the function that gives the values before the first place of the rank the totals of all places below;
    None if the variable has no totals of a scan.
    """
    one = next((scan for scan in ranks.scans if scan.total == total.name), None)
    if one is None:
        return None
    variable = ranks.system.variable(one.scan.variable)
    place = ranks.place_of(variable)
    assert place is not None
    read = union([ranks.read_at(r, ranks.names.own) for r in ranks.remote_reads_of(variable)], variable.domain)
    below = [less(place[0], Affine.name(ranks.names.own[0][0]))]
    points = read & ranks.computed(variable, None, in_step=True) & Domain.where(read.space, below)
    moved = MovedPoints(variable, points.coalesced(), storage.places[variable.name])
    return ranks.mover.copying(name, moved, storage.places[total.name], one.scan.index, names)
