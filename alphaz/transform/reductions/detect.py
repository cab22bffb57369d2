"""DetectReductions: an accumulation along a chain of points becomes a reduction over the chain.

    V[z] = case D_0: e_0; D_1: V[f(z)] op e_1 esac
    V[z] = reduce(op, (z,z' -> z), case z' in D_0: e_0[z']; z' in D_1: e_1[z'] esac)

over the z' that f reaches from z. Indices of z' that z determines are left out."""

from dataclasses import dataclass, replace

from alphaz.analysis.depth import deep
from alphaz.analysis.texts.show import expression_text
from alphaz.diagnostics import NOWHERE, Rejected, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Case, Expression, Reduce, Restrict
from alphaz.model.program import Equation, Kind, System, Variable, defined_by
from alphaz.model.walk import reads
from alphaz.poly import Affine, AffineFunction, Domain, fresh_names
from alphaz.poly.algorithms.affine_order import reachable_pairs
from alphaz.poly.algorithms.functional_relations import determining, left_inverse
from alphaz.transform.engine.checked_rewrite import with_program, without_context
from alphaz.transform.engine.edit import roots, with_equation, with_system, with_variable
from alphaz.transform.engine.push import push_function
from alphaz.transform.engine.refusals import find_system
from alphaz.transform.normal.dependence_functions import uniformize_in_context
from alphaz.transform.normal.normalize import normalize
from alphaz.transform.normal.simplify import simplified
from alphaz.transform.reductions.accumulation import AccumulatedTerm, Accumulation, accumulation_of
from alphaz.transform.variables.inline import inline

_LETTERS = ("k", "l", "m", "p", "q", "r", "s", "t")


@dataclass(frozen=True, slots=True, eq=False)
class Detected:
    """The result. `reductions` has each variable that was an accumulation, its operator, and the equation that now has
    the reduction."""

    design: Design
    reductions: tuple[tuple[str, str, str], ...]


def detect_reductions(design: Design, system: str, span: Span = NOWHERE) -> Detected:
    """Turn serialised accumulations into reductions.

    *Rewrites*: the equation of each variable that combines a value of its own with a term into a reduction over all the
    terms; a local that is then read in only one other equation is inlined and removed.

    *Checks*: one associative and commutative operator, in the type of the variable; each point has one predecessor, and
    the set of transitive predecessors is affine. Other equations stay. Sums of floats are reassociated."""
    find_system(design.program, system, span)
    with deep():
        detections: list[tuple[str, str, str]] = []
        plain = _plain(design, system)
        for variable in design.system(system).variables:
            reduction = None if variable.kind is Kind.INPUT else _reduction(plain, system, variable)
            if reduction is None:
                continue
            design = _exchange(design, system, variable.name, reduction)
            design, home = _put_in(design, system, variable)
            design = with_program(design, simplified(design.checked, system, [home]))
            plain = _plain(design, system)
            assert isinstance(reduction.expression, Reduce)
            detections.append((variable.name, reduction.expression.operator, home))
        return Detected(design, tuple(detections))


def _plain(design: Design, system: str) -> Design:
    """The design in normal form, with `A[0]` as `A[i]` where i is 0: so that equal terms have equal text."""
    return uniformize_in_context(normalize(design, system), system)


def _reduction(design: Design, system: str, variable: Variable) -> Equation | None:
    home = design.system(system)
    equation = home.equation(variable.name)
    if not isinstance(equation, Equation):
        return None
    accumulation = accumulation_of(equation, variable, design.checked.facts)
    chain = None if accumulation is None else _chain(home, variable, equation, accumulation)
    if accumulation is None or chain is None:
        return None
    body = _body(home, equation, accumulation, chain)
    if body is None:
        return None
    space = chain.back.domain
    projection = AffineFunction(space, tuple(map(Affine.name, equation.indices)))
    return replace(equation, expression=Reduce(accumulation.operator, projection, body, span=equation.expression.span))


@dataclass(frozen=True, slots=True, eq=False)
class _Chain:
    """`domain` has the points (z,k), and `back` maps them to the z' whose term is added to the value at z."""

    domain: Domain
    back: AffineFunction


def _chain(system: System, variable: Variable, equation: Equation, accumulation: Accumulation) -> _Chain | None:
    here = equation.indices
    other = fresh_names(len(here), "other", (*system.parameters, *here))
    domain = variable.domain.renamed(here).in_context(system.context)
    pairs = reachable_pairs(domain, accumulation.steps, other)
    if pairs is None:
        return None
    if any(piece.floors for piece in pairs.pieces()):
        return _counted_chain(system, here, other, pairs, accumulation)
    determining_names = determining(pairs, here)
    names = (*here, *_names(system, here, len(determining_names) - len(here)))
    fewer = AffineFunction(pairs.space, tuple(map(Affine.name, determining_names)))
    inverse = left_inverse(fewer, pairs, names)
    assert inverse is not None
    return _Chain(pairs.image(fewer, names), replace(inverse, outputs=inverse.outputs[len(here) :]))


def _counted_chain(
    system: System, here: tuple[str, ...], other: tuple[str, ...], pairs: Domain, accumulation: Accumulation
) -> _Chain | None:
    """The chain by the number of steps, all of which must be equal: for steps that skip points."""
    identity = AffineFunction.identity(system.space(here)).outputs
    steps = {
        tuple(a - b for a, b in zip(f.renamed(here).outputs, identity, strict=True)) for _, f in accumulation.steps
    }
    if len(steps) != 1 or not all(step_.is_constant for step_ in min(steps, key=str)):
        return None
    (step,) = steps
    (count,) = _names(system, here, 1)
    space = system.space((*here, count))
    there = tuple(a + Affine.of([(count, b.constant)]) for a, b in zip(identity, step, strict=True))
    return _Chain(pairs.preimage(AffineFunction(space, (*identity, *there))), AffineFunction(space, there))


def _names(system: System, here: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Unused index names."""
    free = [name for name in _LETTERS if name not in (*system.parameters, *here)]
    return tuple(free[:count]) if len(free) >= count else fresh_names(count, "k", (*system.parameters, *here))


def _body(system: System, equation: Equation, accumulation: Accumulation, chain: _Chain) -> Expression | None:
    """The terms at the points of the chain; None if one has no text in the language."""
    branches: dict[str, Restrict] = {}
    for term in accumulation.terms:
        domain = _chain_domain(system, term, chain)
        if term.expression is None or domain.in_context(system.context).is_empty():
            continue
        there = push_function(term.expression, chain.back, equation.indices)
        text = expression_text(there, chain.back.domain.names)
        if text in branches:
            domain = without_context((domain | branches[text].domain).simplify(), system)
        branches[text] = Restrict(domain, there, span=term.expression.span)
    if any(piece.floors for branch in branches.values() for piece in branch.domain.pieces()):
        return None
    if len(branches) > 1:
        return Case(tuple(branches.values()), span=equation.expression.span)
    return next(iter(branches.values()), None)


def _chain_domain(system: System, term: AccumulatedTerm, chain: _Chain) -> Domain:
    return without_context((chain.domain & term.domain.preimage(chain.back)).simplify(), system)


def _exchange(design: Design, system: str, name: str, new_equation: Equation) -> Design:
    home = design.system(system)
    return with_program(
        design, with_system(design.program, system, with_equation(home, home.equation(name), new_equation))
    )


def _put_in(design: Design, system: str, variable: Variable) -> tuple[Design, str]:
    """Inlines a local that one other equation reads, if that changes no type; returns the design, and the equation."""
    home = design.system(system)
    readers = [e for e in home.equations if any(variable.name in reads(root) for root in roots(e))]
    if variable.kind is not Kind.LOCAL or len(readers) != 1 or not isinstance(readers[0], Equation):
        return design, variable.name
    (target,) = defined_by(readers[0])
    try:
        design = inline(design, system, target, variable.name)
    except Rejected:
        return design, variable.name
    home = design.system(system)
    without = with_equation(with_variable(home, home.variable(variable.name)), home.equation(variable.name))
    return with_program(design, with_system(design.program, system, without)), target
