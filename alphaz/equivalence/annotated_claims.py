"""Claims for statements that no sample run executed, such as those of whole register tiles; these come from annotations
only.

The annotated terms become contributions, and annotated local arrays become partial sums, like observed ones.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

from alphaz.equivalence.accumulation_chain import combined_terms, ways
from alphaz.equivalence.annotations import annotated_taker
from alphaz.equivalence.claims import Contribution, Share
from alphaz.equivalence.expression_matching import Matching, item_ways, pulled, sum_types_agree
from alphaz.equivalence.partial_reductions import OF, PartialFrame, PartialReduction, union_of_domains
from alphaz.equivalence.privatised_reductions import is_unknown
from alphaz.equivalence.symbolic_run import SymbolicRun
from alphaz.equivalence.value_graph import EquationValue, Item, ReductionValue, Ref
from alphaz.poly import Affine, Domain
from alphaz.scop.c_model import CKernel, KernelArray, KernelLoop, KernelStatement
from alphaz.scop.value_tree import OperationValue, ReadValue, Tree

Point = tuple[Affine, ...]


def annotated_wholes(kernel: CKernel, values: Mapping[str, EquationValue], matching: Matching) -> set[str]:
    """Returns the statements annotated as computing a value by its equation from their reads: they add nothing."""
    return {statement.name for statement in kernel.statements if _is_whole(statement, values, matching)}


def _is_whole(statement: KernelStatement, values: Mapping[str, EquationValue], matching: Matching) -> bool:
    annotation = statement.annotation
    if (
        annotation is None
        or annotation.body
        or annotation.variable not in values
        or not isinstance(statement.value, OperationValue)
    ):
        return False
    if len(annotation.point) != len(values[annotation.variable].indices):
        return False
    return bool(matching.value(statement.value, annotation.variable, annotation.point, statement.domain))


def annotated_parts(
    kernel: CKernel, values: Mapping[str, EquationValue], runs: Sequence[SymbolicRun], matching: Matching
) -> list[PartialReduction]:
    """Returns partial sums that are added by statements which no run executed."""
    tried = {event.statement.name for run in runs for event in run.events}
    parts = []
    for statement in (candidate for candidate in kernel.statements if candidate.name not in tried):
        for number, sign in _added_sums(statement, values):
            part = _part(kernel, values, statement, number, sign, matching)
            if part is not None:
                parts.append(part)
    return parts


def _added_sums(statement: KernelStatement, values: Mapping[str, EquationValue]) -> Iterator[tuple[int, int]]:
    """Yields the reads of sums that the statement adds to its own."""
    annotation = statement.annotation
    if annotation is None or annotation.body or annotation.variable not in values:
        return
    for operator in dict.fromkeys(
        definition.sum.operator for definition in values[annotation.variable].definitions if definition.sum
    ):
        is_update, parts = combined_terms(statement, operator)
        for sign, tree in parts:
            if is_update and isinstance(tree, ReadValue) and not statement.reads[tree.number].array.is_argument:
                yield tree.number, sign


def _part(
    kernel: CKernel,
    values: Mapping[str, EquationValue],
    statement: KernelStatement,
    number: int,
    sign: int,
    matching: Matching,
) -> PartialReduction | None:
    annotation, read = statement.annotation, statement.reads[number]
    assert annotation is not None
    value = values[annotation.variable]
    writers = _makers(kernel, read.array)
    if not writers or any(
        writer.annotation is None or writer.annotation.variable != annotation.variable for writer in writers
    ):
        return None
    loops = tuple(
        dict.fromkeys(component.iterator for component in statement.date if isinstance(component, KernelLoop))
    )
    workers = {writer.name: annotated_taker(statement, loops, writer, ()) for writer in writers}
    if len(annotation.point) != len(value.indices) or not {n for p in annotation.point for n in p.names} <= {
        *loops, *statement.space.parameters,
    }:  # fmt: skip
        return None
    names = tuple(f"{name}{OF}{statement.name}" for name in loops)
    point = tuple(affine.rename(dict(zip(loops, names, strict=True))) for affine in annotation.point)
    domain = statement.domain.onto(loops).renamed(names)
    domain = domain & pulled(value.domain, domain, point)
    frame = PartialFrame(
        key=annotation.variable,
        statement=statement,
        number=number,
        loops=loops,
        names=names,
        domain=domain,
        point=point,
        workers=workers,
    )
    members: dict[tuple[int, int], Domain] = {}
    for position, definition in enumerate(value.definitions):
        for item in range(len(definition.sum.items)) if definition.sum is not None else ():
            assert definition.sum is not None
            domains = [
                more for writer in writers
                if _adds(writer, definition.sum, item, matching)
                and (more := frame.members(definition.sum.items[item], writer, ())) is not None
            ]  # fmt: skip
            if domains:
                members[position, item] = union_of_domains(domains)
    if any(worker is None for worker in workers.values()):
        return None
    return PartialReduction(
        key=annotation.variable,
        statement=statement,
        number=number,
        sign=sign,
        point=point,
        names=names,
        domain=domain,
        members=members,
        workers={name: worker for name, worker in workers.items() if worker is not None},
    )


def _makers(kernel: CKernel, array: KernelArray) -> list[KernelStatement]:
    """Returns the writers of the array, and of the local arrays that are copied to it."""
    makers: list[KernelStatement] = []
    waiting = [array]
    while waiting:
        here = waiting.pop()
        writers = [
            statement for statement in kernel.statements if statement.target.array is here and statement not in makers
        ]
        makers += writers
        waiting += [
            writer.reads[writer.value.number].array for writer in writers if isinstance(writer.value, ReadValue)
        ]
    return makers


def _adds(statement: KernelStatement, sum_: ReductionValue, item: int, matching: Matching) -> bool:
    """Returns True if the statement adds the item at the annotated point."""
    annotation = statement.annotation
    if annotation is None or not annotation.body or len(annotation.body) != len(sum_.items[item].names):
        return False
    _, parts = combined_terms(statement, sum_.operator)
    return any(
        _may_add(tree, sum_.items[item])
        and item_ways(matching, tree, sum_, item, annotation.body, annotation.point, statement.domain)
        for _, tree in parts
    )


def _may_add(tree: Tree, item: Item) -> bool:
    """Returns True if a statement annotated as adding may add the item: the unknown value of a thread is read from no
    cell."""
    return not (isinstance(tree, ReadValue) and isinstance(item.term, Ref) and is_unknown(item.term.key))


# --- claims -----------------------------------------------------------------------------------------------------------


def annotated_sums(
    statement: KernelStatement, values: Mapping[str, EquationValue], matching: Matching,
    known_parts: Mapping[str, PartialReduction],
    annotated_variables: Mapping[str, Collection[str]],
) -> Iterator[Contribution]:  # fmt: skip
    """Yields the annotated contributions of a statement: to a partial sum, or to the sum.
    `annotated_variables` are those that annotations place in local arrays."""
    annotation = statement.annotation
    if annotation is None or annotation.variable not in values:
        return
    own = [part for part in known_parts.values() if part.key == annotation.variable and statement.name in part.workers]
    points = {part.title: part.workers[statement.name] for part in own} or {annotation.variable: annotation.point}
    for key, point in points.items():
        for definition in values[key].definitions:
            if definition.sum is None or not sum_types_agree(statement, definition.sum.operator, values[key]):
                continue
            if len(point) != len(values[key].indices):
                continue
            is_update, parts = combined_terms(statement, definition.sum.operator, definition.sum.in_order)
            before = point if own else ()
            sum_ = definition.sum
            bodies = [list(_shares(statement, tree, sum_, before, known_parts)) for _, tree in parts]
            if all(bodies):
                where = statement.domain & pulled(definition.region.domain, statement.domain, point)
                for options, (_, tree) in zip(bodies, parts, strict=True):
                    strange = partial(_strange, statement, tree, sum_, point, where, matching, annotated_variables)
                    options[:] = sorted(options, key=strange) if len(options) > 1 else options
                yield from ways(statement, key, sum_, point, where, not is_update, bodies, parts, matching)


def _strange(
    statement: KernelStatement, tree: Tree, sum_: ReductionValue, point: Point, where: Domain, matching: Matching,
    annotated_variables: Mapping[str, Collection[str]], share: Share,
) -> int:  # fmt: skip
    """Returns the number of reads that would find other values than annotated: A B + B A is ambiguous, except for
    packed arrays."""
    arrays = [read.array.name for read in statement.reads]
    return min(
        (
            sum(
                need.key.partition(".")[0] not in annotated_variables.get(arrays[need.number], (need.key,))
                for need in needs
            )
            for _, needs in item_ways(matching, tree, sum_, share.number, share.body, point, where)
        ),
        default=0,
    )


def _shares(
    statement: KernelStatement, tree: Tree, sum_: ReductionValue, before: Point, parts: Mapping[str, PartialReduction]
) -> Iterator[Share]:
    """Yields the items that a part of the tree may be. For a partial sum, indices are annotated from `before` on."""
    assert statement.annotation is not None
    for number, item in enumerate(sum_.items):
        part = parts.get(item.term.key) if isinstance(item.term, Ref) else None
        if part is not None:
            if part.statement is statement and isinstance(tree, ReadValue) and tree.number == part.number:
                yield Share(number, tuple(Affine.name(name.partition(OF)[0]) for name in part.names))
        elif (
            statement.annotation.body
            and _may_add(tree, item)
            and len(item.names) == len(before) + len(statement.annotation.body)
        ):
            yield Share(number, (*before, *statement.annotation.body))
