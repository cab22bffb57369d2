"""OptimalSimplifyingReductions: searches the reuse with the least operations, along candidate directions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from alphaz.analysis.depth import deep
from alphaz.analysis.facts.work_and_traffic import equation_work, size
from alphaz.diagnostics import NOWHERE, Rejected, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Binary, Compose, Expression, IndexValue, Nary, Reduce
from alphaz.model.program import Equation
from alphaz.model.walk import children, operands, without_restricts
from alphaz.poly import Affine, AffineFunction, fresh_names
from alphaz.poly.algorithms.functional_relations import hull_equalities
from alphaz.poly.plain.solve import Vector, kernel, rank
from alphaz.transform.engine.push import drops_last
from alphaz.transform.engine.refusals import find_equation, find_system
from alphaz.transform.normal.normalize_reduction import normalize_reduction
from alphaz.transform.reductions.body_simplifications import idempotence, same_operator_simplification
from alphaz.transform.reductions.factor import distributes, factor_out_from_reduction
from alphaz.transform.reductions.nesting import reduction_decomposition
from alphaz.transform.reductions.reuse_simplification import has_inverse, reuse_along, simplifying_reduction
from alphaz.transform.reductions.site import ReductionSite, reduction_of

# Number of directions that are tried to the end, and the depth of the search in remaining reductions.
_TRIED = 3
_DEPTH = 4


def optimal_simplifying_reductions(
    design: Design, system: str | None = None, variable: str | None = None, span: Span = NOWHERE
) -> Design:
    """Simplify reductions as long as it saves operations.

    *Rewrites*: the reductions of the program (of a system; of the equation of one variable), each in an equation of its
    own, by the choice of directions with the least operations for large parameters. Reductions that cannot be improved
    stay.

    *Checks*: those of SimplifyingReduction, for each step: a choice that fails them is skipped."""
    chosen = design.program.systems if system is None else (find_system(design.program, system, span),)
    for home in chosen:
        if variable is not None:
            find_equation(home, variable, span)
        before = {v.name for v in home.variables}
        normal = normalize_reduction(design, home.name, variable)
        for name in [v.name for v in normal.system(home.name).variables]:
            is_chosen = variable is None or name == variable or name not in before
            if is_chosen and _is_reduction(normal, home.name, name):
                with deep():
                    normal = _best(normal, home.name, name, _DEPTH)
        if len(normal.system(home.name).equations) != len(design.system(home.name).equations):
            design = normal
    return design


def _is_reduction(design: Design, system: str, name: str) -> bool:
    return any(
        isinstance(e, Equation) and e.variable == name and isinstance(e.expression, Reduce)
        for e in design.system(system).equations
    )


def _best(design: Design, system: str, name: str, depth: int) -> Design:
    """The design with the least work for this variable, and for the variables added for it."""
    best, least = design, _work(design, system, design, name)
    if depth == 0:
        return best
    for option in _options(design, system, name):
        try:
            new_design = option.apply()
        except Rejected:
            continue
        for new in _added_variables(new_design, system, design, name):
            if _is_reduction(new_design, system, new) and (new != name or not option.whole):
                new_design = _best(new_design, system, new, depth - 1)
        work = _work(new_design, system, design, name)
        if work < least:
            best, least = new_design, work
    return best


def _added_variables(design: Design, system: str, before: Design, name: str) -> list[str]:
    names = {v.name for v in before.system(system).variables}
    return [name, *(v.name for v in design.system(system).variables if v.name not in names)]


def _work(design: Design, system: str, before: Design, name: str) -> int:
    """The work for large parameters of the variable and of the added ones."""
    home = design.system(system)
    total = 0
    for variable in _added_variables(design, system, before, name):
        equation = home.equation(variable)
        assert isinstance(equation, Equation)
        total += equation_work(design.checked.facts, home, equation).bound
    return total


@dataclass(frozen=True, slots=True, eq=False)
class _Option:
    """A candidate. `whole`: the variable itself is finished; else its new right-hand side may be simplified further."""

    apply: Callable[[], Design]
    whole: bool = True


def _options(design: Design, system: str, name: str) -> Iterator[_Option]:
    whole = reduction_of(design, system, name)
    number = whole.site.text
    yield _Option(lambda: normalize_reduction(factor_out_from_reduction(design, number), system, name))
    yield _Option(lambda: normalize_reduction(same_operator_simplification(design, number), system, name))
    yield _Option(lambda: idempotence(design, number), whole=False)
    for vector in _promising(whole):
        yield _Option(lambda vector=vector: simplifying_reduction(design, system, name, vector))  # type: ignore[misc]
    for first, second in _decompositions(whole):

        def decomposed(first: AffineFunction = first, second: AffineFunction = second) -> Design:
            nested = reduction_decomposition(design, number, first, second)
            return normalize_reduction(factor_out_from_reduction(nested, f"{number},0"), system, name)

        yield _Option(decomposed, whole=False)


def _promising(whole: ReductionSite) -> list[Vector]:
    """The directions with the least remaining work."""
    ranked: list[tuple[int, int, Vector]] = []
    context = whole.system.context
    for position, vector in enumerate(directions(whole)):
        reuse = reuse_along(whole, vector)
        if not reuse.subtract.is_empty() and not has_inverse(whole.node.operator, whole.type):
            continue
        rest = sum(size(part, context) for part in (reuse.initial, reuse.add, reuse.subtract))
        if rest < size(whole.points, context):
            ranked.append((rest, position, vector))
    return [vector for _, _, vector in sorted(ranked)[:_TRIED]]


def _decompositions(whole: ReductionSite) -> Iterator[tuple[AffineFunction, AffineFunction]]:
    """Decompositions that let an operand move out of the inner reduction, which keeps the indices of the operand."""
    body = without_restricts(whole.node.body)
    if not isinstance(body, Binary | Nary) or not distributes(body.operator, whole.node.operator, whole.type):
        return
    for operand in operands(body, body.operator):
        if isinstance(operand, Access):
            projection = _keeping(whole, operand.function.outputs)
            if projection is not None:
                yield projection


def _keeping(whole: ReductionSite, outputs: tuple[Affine, ...]) -> tuple[AffineFunction, AffineFunction] | None:
    """The projection with those outputs that it does not determine; None if that is all or nothing."""
    projection, names = whole.node.projection, whole.names

    def rank_of(affines: tuple[Affine, ...]) -> int:
        return rank([affine.coefficient(name) for name in names] for affine in affines)

    extended = list(projection.outputs)
    for output in outputs:
        if rank_of((*extended, output)) > rank_of(tuple(extended)):
            extended.append(output)
    if len(extended) == len(projection.outputs) or rank_of(tuple(extended)) == len(names):
        return None
    answers = len(projection.outputs)
    space = projection.domain.with_names(fresh_names(len(extended), "x", (*names, *projection.domain.parameters)))
    first = AffineFunction(space, tuple(Affine.name(n) for n in space.names[:answers]))
    return first, AffineFunction(projection.domain, tuple(extended))


# Most subsets of faces that are tried.
_MOST = 200


def directions(whole: ReductionSite) -> list[Vector]:
    """Returns reuse vectors, the shortest first, to earlier points before later ones; none maps an answer to itself."""
    names = whole.names
    share = _rows(whole)
    dimension = len(kernel(share, len(names)))
    if not dimension:
        return []
    vectors: dict[Vector, None] = {}
    faces = _faces(whole)
    for count, subset in enumerate(combinations(faces, dimension - 1)):
        if count == _MOST:
            break
        rays = kernel([*share, *subset], len(names))
        if len(rays) == 1:
            vectors[rays[0]] = None
    for vector in kernel(share, len(names)):
        vectors[vector] = None
    both = [direction for vector in vectors for direction in (vector, tuple(-c for c in vector))]
    useful = [vector for vector in dict.fromkeys(both) if any(_answer_direction(whole, vector))]
    return sorted(useful, key=lambda vector: (sum(map(abs, vector)), vector))


def _answer_direction(whole: ReductionSite, vector: Vector) -> Vector:
    return tuple(
        sum(output.coefficient(n) * c for n, c in zip(whole.names, vector, strict=True))
        for output in whole.node.projection.outputs
    )


def _rows(whole: ReductionSite) -> list[Vector]:
    """The forms that reuse must preserve: all that the body depends on, and the equalities of its points."""
    affines = [*_leaves(whole.node.body, whole.names), *hull_equalities(whole.points)]
    names = whole.names
    return [tuple(affine.coefficient(n) for n in names) for affine in affines]


def _leaves(node: Expression, names: tuple[str, ...]) -> Iterator[Affine]:
    """The affine expressions of the body's indices, `names`, that the body depends on."""
    match node:
        case Access(_, function) | Compose(function, _, _):
            yield from function.outputs
            return
        case IndexValue(affine):
            yield affine
            return
        case Reduce():
            yield from _inner_leaves(node, names)
            return
    for child in children(node):
        yield from _leaves(child, names)


def _inner_leaves(node: Reduce, names: tuple[str, ...]) -> Iterator[Affine]:
    """The leaves of a reduction in the body: those of its own body, by the names of this one; else all leaves count."""
    if not drops_last(node.projection):
        yield from (Affine.name(n) for n in names)
        return
    inner = node.projection.domain.names
    outer = {old: Affine.name(new) for old, new in zip(inner, names, strict=False)}
    own = {n: Affine() for n in inner[len(names) :]}
    for leaf in _leaves(node.body, inner):
        yield leaf.substitute({**own, **outer})


def _faces(whole: ReductionSite) -> list[Vector]:
    """The normals of the faces of the points, without their directions."""
    vectors: dict[Vector, None] = {}
    for piece in whole.points.pieces():
        for constraint in piece.constraints:
            normal = tuple(constraint.affine.coefficient(n) for n in whole.names)
            if any(normal) and not constraint.equality:
                vectors[max(normal, tuple(-c for c in normal))] = None
    return list(vectors)
