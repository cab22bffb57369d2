"""The dependences of a system: every read, as consumer -> producer.

A read r represents the set { e in `domain` : consumer[`projection`(e)] reads producer[`function`(e)] }. The *evaluation
space* of e is the equation's own indices for a read outside reductions; inside a reduction that is the whole right-hand
side it is the space of the body; elsewhere the body's indices are appended to those that surround it. An input of a use
equation is read by the call, `UseEquation_<first output>` at a point of the extension domain; its evaluation space is
the context space of the input expression.
Source: the AlphaZ Verifier thesis, 4.1.1 (V z in D : (C, z) -> (P, f(z)))."""

from collections.abc import Iterator
from dataclasses import dataclass

from alphaz.analysis.depth import deep
from alphaz.model.expression import Access, Compose, Expression, Facts, Reduce
from alphaz.model.program import Equation, System, UseEquation
from alphaz.model.walk import children
from alphaz.poly import Affine, AffineFunction, Domain, Space, equal, unlike


@dataclass(frozen=True, slots=True, eq=False)
class Dependence:
    """A dependence, always consumer -> producer. `domain`, `function` and `projection` share one (evaluation) space.

    `function` maps to the indices of the producer, `projection` to the indices of the consumer. `reference` is the
    reading node; its span is its place in the program."""

    consumer: str
    producer: str
    function: AffineFunction
    projection: AffineFunction
    domain: Domain
    reference: Access


def dependences(system: System, facts: Facts) -> tuple[Dependence, ...]:
    """Returns every read of every equation of a checked system, in the order of the text."""
    accesses: list[Dependence] = []
    for equation in system.equations:
        accesses += dependences_of(equation, facts)
    return tuple(accesses)


def dependences_of(equation: Equation | UseEquation, facts: Facts) -> tuple[Dependence, ...]:
    """Returns every read of one equation."""
    if isinstance(equation, Equation):
        starts = [_start(equation, facts)]
    else:
        starts = [(body, _place_of_input(equation, body, facts)) for body in equation.inputs]
    with deep():
        return tuple(read for root, place in starts for read in _reads(root, place, facts))


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """The state of a traversal: `here` maps the evaluation space to the context space of the node.

    `outside` holds the constraints of a composition or an outer reduction on the evaluation point; None if the context
    domain of the node implies them."""

    consumer: str
    projection: AffineFunction
    here: AffineFunction
    outside: Domain | None


def _start(equation: Equation, facts: Facts) -> tuple[Expression, _Place]:
    root = equation.expression
    if isinstance(root, Reduce):
        identity = AffineFunction.identity(root.projection.domain)
        return root.body, _Place(equation.variable, root.projection, identity, None)
    identity = AffineFunction.identity(facts.context_domain[root].space)
    return root, _Place(equation.variable, identity, identity, None)


def reads_of_input(equation: UseEquation, body: Expression, facts: Facts) -> Iterator[Dependence]:
    """Yields the reads of one input of a call. The evaluation space begins with the indices of the extension and the
    input."""
    yield from _reads(body, _place_of_input(equation, body, facts), facts)


def _place_of_input(equation: UseEquation, body: Expression, facts: Facts) -> _Place:
    space = facts.context_domain[body].space
    identity = AffineFunction.identity(space)
    point = AffineFunction(space, identity.outputs[: equation.extension.space.dimensions])
    return _Place(call_label(equation), point, identity, None)


def call_label(equation: UseEquation) -> str:
    """Returns the name of a use equation in scripts."""
    return f"UseEquation_{equation.outputs[0]}"


def operation(equation: Equation | UseEquation) -> str:
    """Returns the name of the operation: the variable of an equation, or the call."""
    return equation.variable if isinstance(equation, Equation) else call_label(equation)


def _reads(node: Expression, place: _Place, facts: Facts) -> Iterator[Dependence]:
    if isinstance(node, Access):
        function = place.here.then(node.function)
        domain = _pull_back(facts.context_domain[node], place)
        yield Dependence(
            consumer=place.consumer,
            producer=node.variable,
            function=function,
            projection=place.projection,
            domain=domain,
            reference=node,
        )
    elif isinstance(node, Compose):
        inner = place.here.then(node.function)
        outside = _pull_back(facts.context_domain[node], place)
        yield from _reads(node.body, _Place(place.consumer, place.projection, inner, outside), facts)
    elif isinstance(node, Reduce):
        yield from _reads(node.body, _inside(node, place, facts), facts)
    else:
        for child in children(node):
            yield from _reads(child, place, facts)


def _pull_back(domain: Domain, place: _Place) -> Domain:
    pulled = domain.renamed(place.here.domain.names) if place.here.is_identity else domain.preimage(place.here)
    return pulled if place.outside is None else pulled & place.outside


def _inside(node: Reduce, place: _Place, facts: Facts) -> _Place:
    """The evaluation space followed by the body's indices; together they satisfy projection(body) = here.

    If the evaluation space is the context of the reduction and its projection only drops new indices (`[k]`), common
    indices are not repeated."""
    inner, outer = node.projection.domain, place.here.domain
    used_names = outer.parameters + outer.names
    outside = _pull_back(facts.context_domain[node], place)
    if place.here.is_identity and node.projection.outputs == tuple(map(Affine.name, inner.names[: outer.dimensions])):
        added = unlike(inner.names[outer.dimensions :], used_names)
        space = outer.with_names(outer.names + added)
        here = AffineFunction.identity(space).outputs
        return _Place(
            place.consumer, _over_space(place.projection, space), AffineFunction(space, here), outside.embedded(space)
        )
    added = unlike(inner.names, used_names)
    space = outer.with_names(outer.names + added)
    here = tuple(map(Affine.name, added))
    onto = AffineFunction(space, here).then(node.projection)
    same = [equal(a, b) for a, b in zip(onto.outputs, place.here.outputs, strict=True)]
    joined = outside.embedded(space) & Domain.where(space, same)
    return _Place(place.consumer, _over_space(place.projection, space), AffineFunction(space, here), joined)


def _over_space(function: AffineFunction, space: Space) -> AffineFunction:
    return AffineFunction(space, function.outputs)
