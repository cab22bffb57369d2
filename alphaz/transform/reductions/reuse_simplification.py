"""SimplifyingReduction: computes an answer from its neighbour, which shares most of its points.

    Y[y] = reduce(op, p, D: e),   e(z) = e(z + r) wherever z and z + r are in D,   D' = D - r, s = p(r) != 0:
    Y[y] = reduce over D                                           where there is no Y[y + s]       (initial)
    Y[y] = Y[y + s] op (reduce over D - D') op^-1 (reduce of e(z + r) over D' - D)      elsewhere   (add, subtract)
since Y[y + s] combines e(z + r) for the z of D' with p(z) = y. No inverse is needed if D' - D is empty.
r is the dependence of a point on the one whose value it reuses: (-1,0) reads Y[i-1].
Source: Gautam and Rajopadhye, Simplifying Reductions, POPL 2006, theorem 3.

A body that needs Y itself is refused unless an order of evaluation remains (`order`)."""

from collections.abc import Iterator
from dataclasses import dataclass

from alphaz.analysis.depth import deep
from alphaz.diagnostics import NOWHERE, Label, Span, Witness, WitnessPoint, rules
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Binary, Case, Expression, Restrict
from alphaz.model.program import Equation, Kind, Variable
from alphaz.model.types import ScalarType
from alphaz.model.walk import copy, without_restricts
from alphaz.poly import AffineFunction, Domain, at_least
from alphaz.proof import Obligation, Values
from alphaz.transform.engine.checked_rewrite import declared_domain, shortest_form, with_program, without_context
from alphaz.transform.engine.edit import add_to_system, fresh, with_equation, with_system
from alphaz.transform.engine.push import push_function
from alphaz.transform.engine.refusals import names_of, refusal, require
from alphaz.transform.normal.normalize_reduction import normalize_reduction
from alphaz.transform.reductions.invariance import Unsteady, unsteady
from alphaz.transform.reductions.reuse_order import require_order
from alphaz.transform.reductions.site import ReductionSite, find_reduction, join_terms, reduction_of

Vector = tuple[int, ...]


def simplifying_reduction(design: Design, system: str, variable: str, reuse: Vector, span: Span = NOWHERE) -> Design:
    """Compute each answer of the reduction that defines a variable from the answer at distance `projection(reuse)`.

    *Rewrites*: the equation into a case: the reduction itself where there is no answer to reuse; elsewhere the reused
    answer, with new terms added and old terms subtracted. These are reductions in new locals `_init<variable>`,
    `_add<variable>` and `_sub<variable>`, each only where it has points.

    *Checks*: the body is the same at every point and the point at distance `reuse`, if both are combined; their answers
    differ; if terms are subtracted, the operator has an inverse; if the body depends on the variable itself, an order
    of evaluation remains. Sums of floats are reassociated; subtracted terms must be finite."""
    whole = reduction_of(design, system, variable, span)
    with deep():
        return _simplify(whole, reuse)


def simplifying_reduction_at(design: Design, node: str, reuse: Vector, span: Span = NOWHERE) -> Design:
    """Simplify the reduction at a node, which first gets an equation of its own.

    *Rewrites*, *checks*: as the form that takes a variable."""
    whole = find_reduction(design, node, span)
    equation = whole.site.equation
    if isinstance(equation, Equation) and equation.expression is whole.node:
        return simplifying_reduction(design, whole.system.name, equation.variable, reuse, span)
    before = {v.name for v in whole.system.variables}
    design = normalize_reduction(design, node=node)
    (name,) = (v.name for v in design.system(whole.system.name).variables if v.name not in before)
    return simplifying_reduction(design, whole.system.name, name, reuse, span)


@dataclass(frozen=True, slots=True, eq=False)
class Reuse:
    """The points of the parts of a simplified reduction, over the space of the body.

    `later` are the answers that are computed from another one, `first` the others; `step` maps a point of the body to
    the one at distance `vector`, `before` an answer to the reused one."""

    whole: ReductionSite
    vector: Vector
    step: AffineFunction
    before: AffineFunction
    first: Domain
    later: Domain
    initial: Domain
    add: Domain
    subtract: Domain
    shared: Domain


def reuse_along(whole: ReductionSite, vector: Vector) -> Reuse:
    """Returns the parts for this vector. Raises Rejected for a vector of another length, or within one answer."""
    if len(vector) != len(whole.names):
        raise refusal(
            f"the body has {len(whole.names)} indices, and the vector {len(vector)} components",
            whole.span,
            secondary=(Label(whole.node.span, "the reduction"),),
            help="write one component for each index of the body, in its order",
        )
    space, answers = whole.points.space, whole.needed_domain.space
    step = _shift(AffineFunction.identity(space), vector)
    there = _image_of(whole.node.projection, vector)
    if not any(there):
        raise refusal(
            "this vector leads from each answer to itself: nothing is reused",
            whole.span,
            secondary=(Label(whole.node.span, f"along {whole.node.projection}"),),
            help="write a vector that the projection does not send to zero",
        )
    before = _shift(AffineFunction.identity(answers), there)
    points, need = whole.points, whole.needed_domain
    moved = points.preimage(step)
    later = need & need.preimage(before)
    first = need - later
    inside = later.preimage(whole.node.projection)
    return Reuse(
        whole=whole,
        vector=vector,
        step=step,
        before=before,
        first=first,
        later=later,
        initial=points & first.preimage(whole.node.projection),
        add=(points - moved) & inside,
        subtract=(moved - points) & inside,
        shared=points & moved,
    )


def _shift(identity: AffineFunction, vector: Vector) -> AffineFunction:
    return AffineFunction(identity.domain, tuple(o + c for o, c in zip(identity.outputs, vector, strict=True)))


def _image_of(projection: AffineFunction, vector: Vector) -> Vector:
    """The image of a direction under the projection: constants and parameters do not count."""
    names = projection.domain.names
    return tuple(sum(o.coefficient(n) * c for n, c in zip(names, vector, strict=True)) for o in projection.outputs)


def _simplify(whole: ReductionSite, vector: Vector) -> Design:
    reuse = reuse_along(whole, vector)
    _require_reuse(reuse)
    if reuse.shared.is_empty() or reuse.later.is_empty():
        raise refusal(
            "no point of the body has another one this far from it: nothing is reused",
            whole.span,
            secondary=(Label(whole.node.span, "the reduction"),),
            help="write a shorter vector",
        )
    _require_type(whole)
    if not reuse.subtract.is_empty():
        _require_inverse(reuse)
    require_order(whole, _image_of(whole.node.projection, vector))
    return _rewrite_reuse(reuse)


# --- preconditions ----------------------------------------------------------------------------------------------


def _require_reuse(reuse: Reuse) -> None:
    whole = reuse.whole
    problem = unsteady(whole.node.body, reuse.step, reuse.shared, whole.facts)
    if problem is None:
        return
    help_ = "the body must be the same at every point and at the one this far from it"
    if problem.function is not None:
        require(_the_same(reuse, problem), help_)
    raise refusal(
        f"cannot show that the body is invariant along {_text(reuse.vector)}",
        whole.span,
        secondary=(Label(problem.node.span, "this may differ"),),
        help=help_,
    )


def _text(vector: Vector) -> str:
    return f"({','.join(map(str, vector))})"


def _the_same(reuse: Reuse, problem: Unsteady) -> Obligation:
    """The obligation that { z | z and z + r combined, f(z) != f(z + r) } is empty."""
    whole, function = reuse.whole, problem.function
    assert function is not None
    moved = reuse.step.then(function)
    names = whole.names

    def violations() -> Domain:
        pairs = zip(function.outputs, moved.outputs, strict=True)
        differ = [[at_least(x - y, 1)] for a, b in pairs for x, y in ((a, b), (b, a))]
        return reuse.shared & Domain.where(reuse.shared.space, *differ)

    def explain(values: Values) -> Witness:
        point, other = tuple(values[n] for n in names), reuse.step.at(values)
        parameters = tuple((p, values[p]) for p in whole.system.parameters)
        text = ", ".join(f"{p}={v}" for p, v in parameters)
        here, there = (",".join(map(str, f.at(values))) for f in (function, moved))
        what = problem.node.span.text or "a value"
        sentence = (
            f"{text}: {what} is at [{here}] for the point [{','.join(map(str, point))}] of the body, "
            f"and at [{there}] for [{','.join(map(str, other))}]"
        )
        places = (WitnessPoint("point", whole.owner, point), WitnessPoint("the one reused", whole.owner, other))
        return Witness(parameters, places, sentence)

    return Obligation(
        rules.PRECONDITION,
        f"the body is constant along {_text(reuse.vector)}",
        violations,
        (("point", names),),
        explain,
        lambda values: function.at(values) != moved.at(values),
        whole.span,
        (Label(problem.node.span, "this differs"),),
    )


def _require_type(whole: ReductionSite) -> None:
    body, result = whole.facts.types[whole.node.body], whole.type
    if body.is_float and not result.is_float:
        raise refusal(
            f"values of type {body} are accumulated in {result}",
            whole.span,
            secondary=(Label(whole.node.body.span, str(body)),),
            help="accumulate in the type of the values",
        )


def has_inverse(operator: str, type_: ScalarType) -> bool:
    """Returns True if the operator has an inverse. A factor may be zero: `*` has none."""
    return (operator == "+" and type_.kind != "bool") or operator == "xor"


def _require_inverse(reuse: Reuse) -> None:
    whole = reuse.whole
    if has_inverse(whole.node.operator, whole.type):
        return
    names = whole.names

    def explain(values: Values) -> Witness:
        point = reuse.step.at(values)
        parameters = tuple((p, values[p]) for p in whole.system.parameters)
        text = ", ".join(f"{p}={v}" for p, v in parameters)
        here, there = (f.at(values) for f in (whole.node.projection, reuse.step.then(whole.node.projection)))
        sentence = (
            f"{text}: {whole.owner}[{','.join(map(str, there))}] combines the point [{','.join(map(str, point))}], "
            f"which {whole.owner}[{','.join(map(str, here))}] would have to subtract"
        )
        return Witness(parameters, (WitnessPoint("point", whole.owner, point),), sentence)

    def recheck(values: Values) -> bool:
        before = dict(zip(names, reuse.step.at(values), strict=True))
        return not whole.points.contains(values) and whole.points.contains({**values, **before})

    require(
        Obligation(
            rules.PRECONDITION,
            f"no term may be subtracted: `{whole.node.operator}` has no inverse",
            lambda: reuse.subtract,
            (("point", names),),
            explain,
            recheck,
            whole.span,
            (Label(whole.node.span, "the reduction"),),
        ),
        "reuse in the other direction, or along another vector",
    )


# --- the new equations ------------------------------------------------------------------------------------------


def _rewrite_reuse(reuse: Reuse) -> Design:
    whole, design = reuse.whole, reuse.whole.design
    system, name = whole.system, whole.owner
    body = without_restricts(whole.node.body)
    used_names = set(names_of(design.program, system))
    variables: list[Variable] = []
    equations: list[Equation] = []

    def part(stem: str, points: Domain, value: Expression) -> tuple[Access, Domain] | None:
        """A new local for a reduction over these points; None if there are none."""
        reached = whole.answers(points) & whole.needed_domain
        if reached.is_empty():
            return None
        local = fresh(f"{stem}{name}", used_names)
        used_names.add(local)
        domain = declared_domain(reached, system)
        indices = domain.space.names
        variables.append(Variable(name=local, kind=Kind.LOCAL, type=whole.type, domain=domain, span=whole.node.span))
        words = shortest_form(without_context(points, system), reached.preimage(whole.node.projection))
        reduced = whole.over(words, value)
        equations.append(Equation(local, indices, reduced, span=whole.node.span))
        return Access(local, AffineFunction.identity(domain.space), span=whole.node.span), reached

    initial = part("_init", reuse.initial, copy(body))
    add = part("_add", reuse.add, copy(body))
    subtract = part("_sub", reuse.subtract, push_function(body, reuse.step, whole.names))
    branches = [*_first(reuse, initial), *_later(reuse, add, subtract)]
    root: Expression = branches[0] if len(branches) == 1 else Case(tuple(branches), span=whole.node.span)
    equation = system.equation(name)
    assert isinstance(equation, Equation)
    changed = with_equation(
        system,
        equation,
        Equation(variable=name, indices=equation.indices, expression=root, named=equation.named, span=equation.span),
    )
    changed = add_to_system(changed, variables, equations)
    program = with_system(design.program, system.name, changed)
    return with_program(design, program, touched={system.name: frozenset({name})})


Part = tuple[Access, Domain] | None


def _first(reuse: Reuse, initial: Part) -> Iterator[Expression]:
    """The answers without a predecessor; those without points are the identity, as in the reduction."""
    whole = reuse.whole
    rest = reuse.first
    if initial is not None:
        read, reached = initial
        yield _branch(reuse, reached & reuse.first, read)
        rest = rest - reached
    if not rest.is_empty():
        yield _branch(reuse, rest, copy(whole.node))


def _later(reuse: Reuse, add: Part, subtract: Part) -> Iterator[Expression]:
    whole, span = reuse.whole, reuse.whole.node.span
    operator = whole.node.operator
    nothing = Domain.empty(reuse.later.space)
    more = nothing if add is None else add[1]
    less = nothing if subtract is None else subtract[1]
    for where, parts in (
        (more & less, (add, subtract)),
        (more - less, (add, None)),
        (less - more, (None, subtract)),
        (reuse.later - more - less, (None, None)),
    ):
        here = where & reuse.later
        if here.is_empty():
            continue
        value: Expression = Access(whole.owner, reuse.before, span=span)
        plus, minus = parts
        if minus is not None:
            value = Binary("-" if operator == "+" else operator, value, copy(minus[0]), span=span)
        if plus is not None:
            value = join_terms(operator, (value, copy(plus[0])), span)
        yield _branch(reuse, here, value)


def _branch(reuse: Reuse, where: Domain, value: Expression) -> Expression:
    domain = without_context(where, reuse.whole.system)
    return Restrict(shortest_form(domain, reuse.whole.needed_domain), value, span=value.span)
