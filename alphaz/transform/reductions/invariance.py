"""Invariance of an expression between two points: e(z) = e(h(z)) because every read f in it satisfies f o h = f.

`h` is an affine function from the context space of the expression to itself, such as a shift along a vector, or the
step from a point to the representative of its image. The test compares reads, index values and the domains that choose
between branches; it may fail although values are equal, but never succeeds if they may differ."""

from dataclasses import dataclass

from alphaz.model.expression import Access, Case, Compose, Expression, Facts, IndexValue, Reduce, Restrict
from alphaz.model.walk import children
from alphaz.poly import Affine, AffineFunction, Domain, Space
from alphaz.transform.engine.push import drops_last


@dataclass(frozen=True, slots=True, eq=False)
class Unsteady:
    """The reason: this read (or index value) differs; `function` is the function on which it depends, over the space of
    the root.

    No function: the choice of the branch differs, or is unknown."""

    node: Expression
    function: AffineFunction | None


def unsteady(node: Expression, step: AffineFunction, where: Domain, facts: Facts) -> Unsteady | None:
    """Returns a part that may differ between a point of `where` and its step; None if there is none."""
    return _visit(node, step, where, facts, AffineFunction.identity(step.domain))


def _visit(
    node: Expression, step: AffineFunction, where: Domain, facts: Facts, outer: AffineFunction | None
) -> Unsteady | None:
    match node:
        case Access(_, function):
            return None if step.then(function) == function else _different(node, function, outer)
        case IndexValue(affine):
            function = AffineFunction(step.domain, (affine,))
            return None if step.then(function) == function else _different(node, function, outer)
        case Restrict(domain, body):
            if not _same_inside(domain, step, where):
                return Unsteady(node, None)
            return _visit(body, step, where & domain, facts, outer)
        case Case(branches):
            if not all(_same_inside(facts.expression_domain[b], step, where) for b in branches):
                return Unsteady(node, None)
        case Compose():
            return None if step.then(node.function) == node.function else Unsteady(node, None)
        case Reduce():
            return _reduction(node, step, where, facts)
    for child in children(node):
        answer = _visit(child, step, where, facts, outer)
        if answer is not None:
            return answer
    return None


def _different(node: Expression, function: AffineFunction, outer: AffineFunction | None) -> Unsteady:
    return Unsteady(node, None if outer is None else outer.then(function))


def _reduction(node: Reduce, step: AffineFunction, where: Domain, facts: Facts) -> Unsteady | None:
    """The test inside a reduction, with its further indices fixed: (z,k) -> (h(z),k)."""
    if not drops_last(node.projection):
        return Unsteady(node, None)
    space: Space = node.projection.domain
    renaming = {old: Affine.name(new) for old, new in zip(step.domain.names, space.names, strict=False)}
    count = len(step.domain.names)
    moved = tuple(output.substitute(renaming) for output in step.outputs)
    inner = AffineFunction(space, (*moved, *(Affine.name(n) for n in space.names[count:])))
    inside = where.preimage(node.projection)
    if not _same_inside(facts.expression_domain[node.body], inner, inside):
        return Unsteady(node, None)
    return _visit(node.body, inner, inside, facts, None)


def _same_inside(domain: Domain, step: AffineFunction, where: Domain) -> bool:
    """Returns True if a point of `where` is in the domain if and only if its step is."""
    there = domain.preimage(step)
    return (where & (domain - there)).is_empty() and (where & (there - domain)).is_empty()
