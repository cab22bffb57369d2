"""Checks of reductions: finitely many points for each result (AZ307), and at least one (AZ309, a warning).

infinite = the points of the body that share their result with infinitely many others
empty    = need(reduction) - projection(need(body))

An empty sum is 0, the usual convention: for such operators there is a warning only if no result has a point. The least
and the greatest of no values are a limit of the type, rarely intended: there every result is checked, unless the
reduction is an operand or the body of the same operator, which absorbs the limit."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

from alphaz.analysis.checks.definition import head
from alphaz.analysis.checks.obligation_finding import (
    ProgramCheck,
    parameter_values,
    parameters_text,
    place_suffix,
    point_text,
)
from alphaz.analysis.facts.definedness_at_points import has_value_at, preimage_points, readable
from alphaz.analysis.facts.domains import STRICT, DomainInference, at
from alphaz.diagnostics import Witness, WitnessPoint
from alphaz.diagnostics.rules import EMPTY_REDUCTION, NARROWED, UNBOUNDED
from alphaz.model.expression import Access, Binary, Case, Compose, Expression, Nary, Reduce, Restrict
from alphaz.model.program import System, Variable
from alphaz.model.walk import children, walk, without_restricts
from alphaz.poly import Domain, Formula, infinite_preimages, outside
from alphaz.proof import Obligation, Values

_STEPS = 40
_EXTREMES = ("min", "max")


def reductions(
    system: System, variables: Mapping[str, Variable], name: str, root: Expression, inference: DomainInference
) -> Iterator[ProgramCheck]:
    """Yields the checks of every reduction of the equation of `name`."""
    swallowed = _extreme_operands(root)
    for node in walk(root):
        if isinstance(node, Reduce):
            yield _bounded(system, variables, name, node, inference)
            if inference.queries[node].promised:
                per_answer = node.operator in _EXTREMES and node not in swallowed
                # An empty restrict is a finding of its own (AZ308).
                if per_answer or not isinstance(node.body, Restrict):
                    yield _nonempty_check(system, variables, name, node, inference, per_answer)
            if isinstance(node.body, Restrict):
                yield _bounds_check(system, variables, name, node, node.body, inference)


def _extreme_operands(root: Expression) -> set[Expression]:
    """The operands of least and greatest values that are such reductions themselves: `max(0, reduce(max, ..))`,
    `reduce(max, [i], reduce(max, ..))`."""
    pairs = ((node, without_restricts(inner)) for node in walk(root) for inner in children(node))
    return {
        inner
        for node, inner in pairs
        if isinstance(node, Binary | Nary | Reduce) and isinstance(inner, Reduce) and node.operator == inner.operator
    }


def _bounded(
    system: System, variables: Mapping[str, Variable], name: str, node: Reduce, inference: DomainInference
) -> ProgramCheck:
    names = node.projection.domain.names
    outer = inference.owners[node]
    owner = None if outer is None else node.projection.then(outer)

    def explain(values: Values) -> Witness:
        point = node.projection.at(values) if owner is None else owner.at(values)
        subject = point_text(name, point) if owner is not None else f"a reduction of {name}"
        at = ", ".join(f"{n}={values[n]}" for n in names)
        beginning = parameters_text(values, system.parameters)
        sentence = f"{beginning}the reduction for {subject} has infinitely many points, {at} among them"
        return Witness(parameter_values(values, system.parameters), (WitnessPoint("point", name, point),), sentence)

    obligation = Obligation(
        UNBOUNDED,
        "the reduction has finitely many points",
        lambda: infinite_preimages(inference.needs[node.body], node.projection),
        (("body", names),),
        explain,
        lambda values: _goes_on(variables, node, values),
        node.span,
    )
    return ProgramCheck(
        obligation,
        f"this reduction of `{name}` has infinitely many points",
        "runs for ever",
        "bound its indices from both sides, by a restrict in front of the body or by the domains of what it reads",
    )


def _goes_on(variables: Mapping[str, Variable], node: Reduce, values: Values) -> bool:
    """Returns True if there is a direction in which the body continues and the result stays. Only short directions are
    tried: if none is found, the point itself must at least be one of the body."""
    if has_value_at(variables, node.body, values, STRICT) is False:
        return False
    space = node.projection.domain
    origin = {**values, **dict.fromkeys(space.names, 0)}
    for direction in product((0, 1, -1, 2, -2), repeat=min(space.dimensions, 5)):
        moved = {**origin, **dict(zip(space.names, direction, strict=False))}
        if any(direction) and node.projection.at(moved) == node.projection.at(origin):
            steps = (
                {**values, **{n: values[n] + s * d for n, d in zip(space.names, direction, strict=False)}}
                for s in range(_STEPS)
            )
            if all(has_value_at(variables, node.body, step, STRICT) is not False for step in steps):
                return True
    return space.dimensions > 5 or max(abs(c) for o in node.projection.outputs for _, c in o.terms) > 1


def _nonempty_check(
    system: System,
    variables: Mapping[str, Variable],
    name: str,
    node: Reduce,
    inference: DomainInference,
    per_answer: bool,
) -> ProgramCheck:
    """The check that every result has a point (`per_answer`), or at least some result."""
    needed, owner = inference.needs[node], inference.owners[node]
    names = needed.space.names

    def explain(values: Values) -> Witness:
        point = tuple(values[n] for n in names) if owner is None else owner.at(values)
        subject = point_text(name, point) if owner is not None else f"a reduction of {name}"
        beginning = parameters_text(values, system.parameters)
        sentence = f"{beginning}the reduction for {subject}{place_suffix(values, names, owner)} has no points"
        return Witness(parameter_values(values, system.parameters), (WitnessPoint("point", name, point),), sentence)

    def violations() -> Domain:
        body = inference.needs[node.body]
        if per_answer:
            return needed - body.image(node.projection, names)
        return needed if body.is_empty() else Domain.empty(needed.space)

    obligation = Obligation(
        EMPTY_REDUCTION,
        "the reduction has a point",
        violations,
        (("point", names),),
        explain,
        lambda values: (
            not any(
                has_value_at(variables, node.body, inner, STRICT) for inner in preimage_points(node.projection, values)
            )
        ),
        node.span,
    )
    if not per_answer:
        message = f"this reduction of `{name}` never has a point: it is always the identity of `{node.operator}`"
        return ProgramCheck(obligation, message, "runs over nothing", "look at its bounds: no point satisfies them")
    return ProgramCheck(
        obligation,
        f"this reduction of `{name}` has no points for some results: they get the identity of `{node.operator}`",
        "runs over nothing for some results",
        "if that is not intended, give these results a branch of their own",
    )


def _bounds_check(
    system: System,
    variables: Mapping[str, Variable],
    name: str,
    node: Reduce,
    body: Restrict,
    inference: DomainInference,
) -> ProgramCheck:
    """The check that bounds are finite. Bounds may be implicit: a restrict that leaves some of them to reads implies
    nothing about the points beyond. A restrict that bounds the reduction by itself does."""
    names = node.projection.domain.names
    outer = inference.owners[node]
    owner = None if outer is None else node.projection.then(outer)

    def all_named() -> Domain:
        named = at(inference.needs[node], node.projection)
        for restrict in _chain(body):
            named &= restrict.domain
        return named

    def violations() -> Domain:
        named = all_named()
        left_out = named - inference.needs[body]
        return left_out - infinite_preimages(named, node.projection)

    def stated() -> Formula:
        """The set where the expression under the restricts has no value, and the preimage of the result is finite."""
        named = all_named()
        value = inference.values[without_restricts(body)]
        free = infinite_preimages(named, node.projection)
        missing = outside(named, Domain.universe(named.space) if value is None else value)
        return missing if free.is_empty() else replace(missing, without=(*missing.without, *free.pieces()))

    def explain(values: Values) -> Witness:
        point = node.projection.at(values) if owner is None else owner.at(values)
        subject = point_text(name, point) if owner is not None else f"a reduction of {name}"
        inside = place_suffix(values, names, owner).strip(", ") or "at " + ", ".join(f"{n}={values[n]}" for n in names)
        sentence = (
            f"{parameters_text(values, system.parameters)}the reduction for {subject} leaves out the point {inside}"
        )
        missing = _missing(variables, body, values)
        sentence += f": {missing} does not exist" if missing else ""
        return Witness(parameter_values(values, system.parameters), (WitnessPoint("point", name, point),), sentence)

    def recheck(values: Values) -> bool:
        here = all(restrict.domain.contains(values) for restrict in _chain(body))
        return here and has_value_at(variables, body, values, STRICT) is not True

    obligation = Obligation(
        NARROWED,
        "the body has a value wherever its restrict names a point",
        violations,
        (("body", names),),
        explain,
        recheck,
        head(body),
        stated=stated,
    )
    return ProgramCheck(
        obligation,
        f"this reduction of `{name}` leaves out points that it names: its body has no value there",
        "names points without a value",
        "restrict the body to the intended points, or enlarge the domain of the variable",
    )


def _chain(body: Restrict) -> Iterator[Restrict]:
    """The restrict, and the restricts directly under it."""
    here: Expression = body
    while isinstance(here, Restrict):
        yield here
        here = here.body


def _missing(variables: Mapping[str, Variable], body: Restrict, values: Values) -> str | None:
    """A read directly in the body of a point that does not exist."""
    waiting: list[Expression] = [body.body]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, Access) and not readable(variables, node, values):
            return point_text(node.variable, node.function.at(values))
        if not isinstance(node, Reduce | Compose | Case):
            waiting += children(node)
    return None
