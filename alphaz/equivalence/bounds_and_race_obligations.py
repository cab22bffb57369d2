"""C0 and C6: states that subscripts lie inside their arrays, and that no two accesses race."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from alphaz.equivalence.kernel_obligation import KernelObligation, all_of, any_of, participants_formula, rename_part
from alphaz.equivalence.participant import Participant, Relation, conflict, participant, same, unordered
from alphaz.equivalence.symbolic_run import Binding
from alphaz.mapping.storage_formats import index
from alphaz.poly import Affine, Constraint, Domain, Formula, at_least, less
from alphaz.scop.c_model import ArrayAccess, CKernel, KernelArray, KernelStatement, NonNegativeValue
from alphaz.scop.index_polynomials import affine

# Values of `Binding.held` by array.
Held = tuple[Constraint, ...] | None

_SAID = {False: "no dividend is negative", True: "no unsigned number wraps around below 0"}


def bounds(kernel: CKernel, binding: Binding) -> Iterator[KernelObligation]:
    for number, dividend in enumerate(kernel.dividends):
        yield KernelObligation(
            family="C0",
            claim=f"{_SAID[dividend.is_unsigned]} (line {dividend.span.position[0]})",
            violations=partial(_negative, dividend),
            participants=(),
            about=None,
            subjects={"dividend": number},
            stated=partial(_negative_stated, dividend),
            span=dividend.span,
        )
    for statement in kernel.statements:
        who = participant("s", statement)
        for number, access in _accesses(statement):
            held = allowed_cells(access.array, binding)
            if len(access.subscripts) > len(access.array.prefix):
                subjects = {"statement": statement, "access": number}
                yield KernelObligation(
                    family="C0",
                    claim=f"{access.array.label} is accessed inside its bounds ({statement})",
                    violations=partial(_outside, who, access, held),
                    participants=(who,),
                    about=statement,
                    subjects=subjects,
                    stated=partial(_outside_stated, who, access, held),
                )


def allowed_cells(array: KernelArray, binding: Binding) -> Held:
    """Returns the conditions of the cells that may be accessed, by subscripts; None if all inside the extents may."""
    held = binding.held(array.name)
    if held or array.packed is None:
        return held or None
    names = {name: index(number) for number, name in enumerate(array.packed.order)}
    return tuple(constraint.rename(names) for constraint in array.packed.held)


def _accesses(statement: KernelStatement) -> Iterator[tuple[int, ArrayAccess]]:
    """Yields the target (number 0) and the reads with their numbers, each cell once."""
    seen_accesses: set[tuple[object, ...]] = set()
    for number, access in enumerate((statement.target, *statement.reads)):
        title = (access.array.name, access.subscripts)
        if title not in seen_accesses:
            seen_accesses.add(title)
            yield number, access


def _outside(who: Participant, access: ArrayAccess, held: Held) -> Domain:
    statement, limit = who.statement, access.array.limit
    assert statement is not None
    space = statement.space.with_names((*statement.iterators, *(() if limit is None else (limit.name,))))
    violations = statement.domain.embedded(space) & Domain.where(space, *_too_far(access, held))
    if limit is not None:
        violations = (violations & Domain.where(space, *limit.condition)).onto(statement.iterators)
    return violations.renamed(who.dimensions)


def _too_far(access: ArrayAccess, constraints: Held) -> list[list[Constraint]]:
    behind = access.subscripts[len(access.array.prefix) :]
    if constraints is not None:
        at = {index(number): subscript for number, subscript in enumerate(behind)}
        return [case for constraint in constraints for case in _broken(constraint.substitute(at))]
    cases: list[list[Constraint]] = []
    for subscript, extent in zip(behind, access.array.extents, strict=True):
        bound = None if extent is None else affine(extent)
        assert bound is not None, "extents that are not affine are refused before"
        cases += [[less(subscript, Affine())], [at_least(subscript, bound)]]
    return cases


def _broken(constraint: Constraint) -> list[list[Constraint]]:
    below = [less(constraint.affine, Affine())]
    return [below, [less(Affine(), constraint.affine)]] if constraint.equality else [below]


def _outside_stated(who: Participant, access: ArrayAccess, held: Held) -> Formula:
    limit = access.array.limit
    formula = participants_formula((who,), rename_part(any_of(_too_far(access, held)), who.names))
    if limit is None:
        return formula
    parts = (*formula.parts, rename_part(any_of(limit.condition), who.names))
    return replace(formula, auxiliary=(limit.name,), parts=parts)


def _negative(dividend: NonNegativeValue) -> Domain:
    return dividend.domain & Domain.where(dividend.domain.space, _below_zero(dividend))


def misread_instances(kernel: CKernel) -> list[Domain]:
    """Returns the sets in which the model is not the text: numbers below 0 that C wraps around, or rounds upwards."""
    return [domain for domain in map(_negative, kernel.dividends) if not domain.is_empty()]


def read_exactly(kernel: CKernel, parameter_sets: Iterable[Mapping[str, int]]) -> Iterator[Mapping[str, int]]:
    """Yields those parameters for which the model is the text."""
    misread_sets = misread_instances(kernel)
    for parameters in parameter_sets:
        if all(domain.fixed(dict(parameters)).is_empty() for domain in misread_sets):
            yield parameters


def _below_zero(dividend: NonNegativeValue) -> list[Constraint]:
    return [less(dividend.value, Affine())]


def _negative_stated(dividend: NonNegativeValue) -> Formula:
    return Formula(dividend.domain.space, (), (dividend.domain.pieces(), all_of(_below_zero(dividend))))


def races(kernel: CKernel) -> Iterator[KernelObligation]:
    statements = kernel.statements
    for position, left in enumerate(statements):
        for right in statements[position:]:
            x, y = participant("x", left), participant("y", right)
            cases, is_apart = unordered(x, y), kernel.streams.separates(left, right)
            for (i, a), (j, b) in conflicting_accesses(left, right) if cases or is_apart else ():
                pairs = tuple(pair for pair, at in cases if not is_shielded(left, right, a, b, at))
                pairs = ((),) if is_apart else pairs
                if not pairs:
                    continue
                subjects = {"one": left, "access": i, "other": right, "other access": j}
                yield KernelObligation(
                    family="C6",
                    claim=f"no race for {a.array.label} between {left} and {right}",
                    violations=partial(_at_once, x, y, a, b, pairs),
                    participants=(x, y),
                    about=left,
                    subjects=subjects,
                    stated=partial(_at_once_stated, x, y, a, b, pairs),
                    others=(right,),
                )


def is_shielded(left: KernelStatement, right: KernelStatement, a: ArrayAccess, b: ArrayAccess, position: int) -> bool:
    """Returns True if a lock or a private accumulator separates two accesses unordered by component `position` of the
    dates."""
    lock, other = left.write.mutex, right.write.mutex
    if lock is not None and other is not None and lock.name == other.name and position < min(lock.depth, other.depth):
        is_cell = a.same_cell(left.target) and b.same_cell(right.target)
        return is_cell or not lock.is_atomic
    return left.date[position] in left.write.reductions and left.date[position] in right.write.reductions


def conflicting_accesses(
    left: KernelStatement, right: KernelStatement
) -> Iterator[tuple[tuple[int, ArrayAccess], tuple[int, ArrayAccess]]]:
    """Yields pairs of accesses to one array, at least one a write, with their numbers in their statements: the target
    is 0."""
    target, other = (0, left.target), (0, right.target)
    pairs = [(target, other)]
    pairs += [(target, read) for read in enumerate(right.reads, 1)]
    pairs += [(read, other) for read in enumerate(left.reads, 1)] if left is not right else []
    seen: set[tuple[object, ...]] = set()
    for (i, a), (j, b) in pairs:
        title = (a.array.name, a.subscripts, b.subscripts)
        if a.array is b.array and title not in seen and not a.array.is_exchanged:
            seen.add(title)
            yield (i, a), (j, b)


def _at_once(x: Participant, y: Participant, a: ArrayAccess, b: ArrayAccess, pairs: Relation) -> Domain:
    return conflict((x, y), same(x.own(a.subscripts), y.own(b.subscripts)), pairs)


def _at_once_stated(x: Participant, y: Participant, a: ArrayAccess, b: ArrayAccess, pairs: Relation) -> Formula:
    return participants_formula((x, y), all_of(same(x.own(a.subscripts), y.own(b.subscripts))), any_of(pairs))
