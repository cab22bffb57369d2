"""Thread-private accumulation: proves a reduction for any assignment of iterations to threads.

A kernel is read as if each iteration had a thread of its own, whose array starts from the identity
(`PrivateAccumulation`). In fact an iteration finds the values that earlier iterations of its thread have left. So here
each iteration starts from an unknown value for each cell, and the merged sum must be that of the equations *plus all
those unknown values*, each combined once, where it is merged. A proof for unknown values holds for the values that
other iterations have left, and an iteration leaves the value that it has found, combined with its own part. In the sum
over the iterations of a thread, the value left by one iteration and found by the next cancels, and the identity is
left, which the first one finds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.equivalence.accumulation_chain import combined_terms
from alphaz.equivalence.annotations import annotated_taker
from alphaz.equivalence.claims import Claims, Contribution
from alphaz.equivalence.expression_matching import pulled
from alphaz.equivalence.operators import identity_tree
from alphaz.equivalence.partial_reductions import OF, PartialReduction
from alphaz.equivalence.value_graph import (
    Apply,
    EquationValue,
    Item,
    Position,
    ReductionValue,
    Ref,
    ValueDefinition,
    ValueRegion,
)
from alphaz.model.types import LONG
from alphaz.poly import Affine, AffineFunction
from alphaz.scop.c_model import ArrayAccess, CKernel, KernelLoop, KernelStatement, PrivateAccumulation
from alphaz.scop.value_tree import IndexLeaf, OperationValue, ReadValue

Values = Mapping[str, EquationValue]

_FOUND = "'found"


@dataclass(frozen=True, slots=True, eq=False)
class PrivatisedReduction:
    """Instances of a statement combine their read `number`, with a sign, into a sum of the equations: that of `key` at
    `point`, independent of the worksharing loops."""

    statement: KernelStatement
    number: int
    key: str
    operator: str
    point: tuple[Affine, ...]
    sign: int


def merged_reductions(
    kernel: CKernel, claims: Claims, parts: Sequence[PartialReduction], outputs: Mapping[str, str]
) -> list[PrivatisedReduction]:
    """Returns the claimed merges into sums: one for each statement and key. Several sums may be empty; a merge into the
    array of an output is one into its sum."""
    merges: dict[tuple[str, str], PrivatisedReduction] = {}
    for collected in kernel.collected:
        for contribution in claims.contributions:
            if any(contribution.statement is merge for merge in collected.merges):
                into = _into(collected, contribution, parts)
                if into is not None and _starts_empty(collected, into):
                    merges.setdefault((into.statement.name, into.key), into)
    return [
        merge
        for (name, key), merge in merges.items()
        if (output := outputs.get(merge.statement.target.array.name)) in (None, key) or (name, output) not in merges
    ]


def _into(
    collected: PrivateAccumulation, contribution: Contribution, parts: Sequence[PartialReduction]
) -> PrivatisedReduction | None:
    operator, statement = contribution.sum.operator, contribution.statement
    is_update, trees = combined_terms(statement, operator)
    (sign, tree) = trees[0] if trees else (1, statement.value)
    if (
        contribution.starts
        or not contribution.shares
        or not is_update
        or len(trees) != 1
        or not isinstance(tree, ReadValue)
    ):
        return None
    key, point = contribution.key, contribution.point
    parts_by_title = {part.title: part for part in parts}
    while (part := parts_by_title.get(key)) is not None:
        there = dict(zip(part.names, point, strict=True))
        key, point, sign = part.key, tuple(affine.substitute(there) for affine in part.point), sign * part.sign
    cell = statement.reads[tree.number]
    used = {name for affine in (*point, *_place(statement, cell)) for name in affine.names}
    if not used <= {*_loops(statement), *statement.space.parameters}:
        return None
    if {name for affine in point for name in affine.names} & {*collected.shared}:
        return None
    return PrivatisedReduction(
        statement=statement,
        number=tree.number,
        key=key,
        operator=operator,
        point=point,
        sign=sign,
    )


def _starts_empty(collected: PrivateAccumulation, into: PrivatisedReduction) -> bool:
    """Returns True if the merged accumulator starts from the identity."""
    return all(identity_tree(into.operator, start.value, start.target.array.type) for start in collected.starts)


def with_arbitrary_initial_values(kernel: CKernel) -> CKernel:
    """Returns the kernel whose threads find arbitrary values, not their initial ones."""
    changed = {
        id(start): _with_unknown_value(start, collected) for collected in kernel.collected for start in collected.starts
    }

    def new(statements: Sequence[KernelStatement]) -> tuple[KernelStatement, ...]:
        return tuple(changed.get(id(statement), statement) for statement in statements)

    collected = tuple(replace(reduction, starts=new(reduction.starts)) for reduction in kernel.collected)
    return replace(kernel, statements=new(kernel.statements), collected=collected)


def _with_unknown_value(start: KernelStatement, collected: PrivateAccumulation) -> KernelStatement:
    """Returns the initialisation that finds an unknown value, and adds it to the sum in the cell, at the instance that
    merges it."""
    operands = tuple(IndexLeaf(at, LONG) for at in _place(start, start.target))
    value = OperationValue(_function(start.target), operands, start.target.array.type)
    merges = (merge for merge in collected.merges if any(read.array is start.target.array for read in merge.reads))
    at = next((annotated_taker(merge, _loops(merge), start, ()) for merge in merges), None)
    annotation = start.annotation if start.annotation is None or at is None else replace(start.annotation, body=at)
    return replace(start, value=value, annotation=annotation)


def _place(statement: KernelStatement, cell: ArrayAccess) -> tuple[Affine, ...]:
    """Returns the iteration and the cell: quotients and the like, which are iterators too, are functions of the
    others."""
    loops = _loops(statement)
    prefix = tuple(Affine.name(name) for name in cell.array.prefix if name in loops)
    return (*prefix, *cell.subscripts[len(cell.array.prefix) :])


def _loops(statement: KernelStatement) -> list[str]:
    return list(dict.fromkeys(component.iterator for component in statement.date if isinstance(component, KernelLoop)))


def _function(cell: ArrayAccess) -> str:
    """Returns the name of the unknown function of cells for the values found in an array."""
    return f"call what is in {cell.array.name}"


def unknown_of(all_merged: Sequence[PrivatisedReduction]) -> dict[str, EquationValue]:
    """Returns the unknown values of all merged cells."""
    unknown_values = map(_unknown, all_merged)
    return {value.key: value for value in unknown_values}


def with_unknown(all_merged: Sequence[PrivatisedReduction], value: EquationValue) -> EquationValue:
    """Returns the value with the unknown values added, if it is a sum that they are merged into. A sum over such a sum
    has them already."""
    sums = [definition.sum for definition in value.definitions if definition.sum is not None]
    summed_keys = {item.term.key for sum_ in sums for item in sum_.items if isinstance(item.term, Ref)}
    for merge in all_merged:
        if merge.key == value.key and _unknown_key(merge) not in summed_keys:
            value = _with(value, merge, _unknown_key(merge))
    return value


def _unknown_key(merge: PrivatisedReduction) -> str:
    return f"{merge.statement.reads[merge.number].array.name}{_FOUND}"


def is_unknown(key: str) -> bool:
    """Returns True if it is the key of the values that threads find in an array."""
    return key.endswith(_FOUND)


def _unknown(merge: PrivatisedReduction) -> EquationValue:
    """Returns the value for the unknown contents of the merged cells, one for each cell."""
    statement, cell = merge.statement, merge.statement.reads[merge.number]
    place = _place(statement, cell)
    names = tuple(f"{cell.array.name}'{position}" for position in range(len(place)))
    domain = statement.domain.image(AffineFunction(statement.space, place), names)
    term = Apply(_function(cell), tuple(Position(Affine.name(name)) for name in names), cell.array.type)
    return EquationValue(
        key=_unknown_key(merge),
        indices=names,
        domain=domain,
        type=cell.array.type,
        definitions=(ValueDefinition(ValueRegion.of(domain), term),),
    )


def _with(value: EquationValue, merge: PrivatisedReduction, unknown: str) -> EquationValue:
    definitions = []
    for definition in value.definitions:
        if definition.sum is None or definition.sum.operator != merge.operator:
            definitions.append(definition)
        else:
            items = (*definition.sum.items, _item(value, definition, merge, unknown))
            definitions.append(ValueDefinition(definition.region, None, ReductionValue(definition.sum.operator, items)))
    return replace(value, definitions=tuple(definitions))


def _item(value: EquationValue, definition: ValueDefinition, merge: PrivatisedReduction, unknown: str) -> Item:
    statement, cell = merge.statement, merge.statement.reads[merge.number]
    own = _loops(statement)
    renaming = {name: f"{name}{OF}{cell.array.name}" for name in own}
    where = statement.domain & pulled(value.domain & definition.region.domain, statement.domain, merge.point)
    return Item(
        sign=merge.sign,
        names=tuple(renaming.values()),
        region=ValueRegion.of(where.onto(own).renamed(tuple(renaming.values()))),
        projection=tuple(affine.rename(renaming) for affine in merge.point),
        term=Ref(unknown, tuple(affine.rename(renaming) for affine in _place(statement, cell))),
    )


def agreed(
    kernel: CKernel, claims: Claims, parts: Sequence[PartialReduction], all_merged: Sequence[PrivatisedReduction]
) -> Claims:
    """Returns the claims without those of merging statements that differ from the expected ones."""
    expected = {(m.statement.name, m.key): m for m in all_merged}
    merging = {merge.name: reduction for reduction in kernel.collected for merge in reduction.merges}
    contributions = []
    for contribution in claims.contributions:
        collected = merging.get(contribution.statement.name)
        into = None if collected is None else _into(collected, contribution, parts)
        if collected is None or (into is not None and _same(expected.get((into.statement.name, into.key)), into)):
            contributions.append(contribution)
    return Claims([value for value in claims.values if value.statement.name not in merging], contributions)


def _same(expected: PrivatisedReduction | None, contribution_found: PrivatisedReduction) -> bool:
    merge_fields = (
        contribution_found.number,
        contribution_found.operator,
        contribution_found.point,
        contribution_found.sign,
    )
    return expected is not None and merge_fields == (expected.number, expected.operator, expected.point, expected.sign)
