"""OptimalSimplifyingReductions: searches the reuse with the least operations.

Candidates for a reduction: each direction of its face lattice (`directions`), the least remainders first; a factor
moved out; or a decomposition that allows one to move out; then the same for the remaining reductions. A program is
better if its equations have fewer operations for large parameters.
Source: Gautam and Rajopadhye, Simplifying Reductions, POPL 2006, section 5 (dynamic programming over such choices)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from alphaz.analysis.depth import deep
from alphaz.analysis.facts.complexity import equation_work, size
from alphaz.diagnostics import NOWHERE, Rejected, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Binary, Nary, Reduce
from alphaz.model.program import Equation
from alphaz.model.walk import operands, without_restricts
from alphaz.poly import Affine, AffineFunction, fresh_names
from alphaz.poly.plain.lattice import Vector, kernel
from alphaz.transform.engine.refuse import find_equation, find_system
from alphaz.transform.normal.normalize_reduction import normalize_reduction
from alphaz.transform.reductions.directions import directions
from alphaz.transform.reductions.factor import distributes, factor_out_from_reduction
from alphaz.transform.reductions.nesting import reduction_decomposition
from alphaz.transform.reductions.same_operator import idempotence, same_operator_simplification
from alphaz.transform.reductions.simplifying import has_inverse, reuse_along, simplifying_reduction
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
            wanted = variable is None or name == variable or name not in before
            if wanted and _is_reduction(normal, home.name, name):
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
            found = option.apply()
        except Rejected:
            continue
        for new in _added_variables(found, system, design, name):
            if _is_reduction(found, system, new) and (new != name or not option.whole):
                found = _best(found, system, new, depth - 1)
        work = _work(found, system, design, name)
        if work < least:
            best, least = found, work
    return best


def _added_variables(design: Design, system: str, before: Design, name: str) -> list[str]:
    known = {v.name for v in before.system(system).variables}
    return [name, *(v.name for v in design.system(system).variables if v.name not in known)]


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
    for at, vector in enumerate(directions(whole)):
        reuse = reuse_along(whole, vector)
        if not reuse.subtract.is_empty() and not has_inverse(whole.node.operator, whole.type):
            continue
        rest = sum(size(part, context) for part in (reuse.initial, reuse.add, reuse.subtract))
        if rest < size(whole.points, context):
            ranked.append((rest, at, vector))
    return [vector for _, _, vector in sorted(ranked)[:_TRIED]]


def _decompositions(whole: ReductionSite) -> Iterator[tuple[AffineFunction, AffineFunction]]:
    """Decompositions that let an operand move out of the inner reduction, which keeps the indices of the operand."""
    body = without_restricts(whole.node.body)
    if not isinstance(body, Binary | Nary) or not distributes(body.operator, whole.node.operator, whole.type):
        return
    for operand in operands(body, body.operator):
        if isinstance(operand, Access):
            found = _keeping(whole, operand.function.outputs)
            if found is not None:
                yield found


def _keeping(whole: ReductionSite, outputs: tuple[Affine, ...]) -> tuple[AffineFunction, AffineFunction] | None:
    """The projection with those outputs that it does not determine; None if that is all or nothing."""
    projection, names = whole.node.projection, whole.names

    def rank(affines: tuple[Affine, ...]) -> int:
        return len(names) - len(kernel([[a.coefficient(n) for n in names] for a in affines], len(names)))

    kept = list(projection.outputs)
    for output in outputs:
        if rank((*kept, output)) > rank(tuple(kept)):
            kept.append(output)
    if len(kept) == len(projection.outputs) or rank(tuple(kept)) == len(names):
        return None
    answers = len(projection.outputs)
    space = projection.domain.with_names(fresh_names(len(kept), "x", (*names, *projection.domain.parameters)))
    first = AffineFunction(space, tuple(Affine.name(n) for n in space.names[:answers]))
    return first, AffineFunction(projection.domain, tuple(kept))
