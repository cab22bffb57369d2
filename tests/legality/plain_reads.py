"""The reads of expressions, found by evaluation point by point; called systems are evaluated as a whole."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Case, Compose, Expression, Reduce, Restrict
from alphaz.model.program import Equation, System, UseEquation
from alphaz.model.walk import children
from alphaz.poly import Domain, Piece
from tests.legality.plain_order import Element, Point

Values = Mapping[str, int]


@lru_cache(maxsize=2000)
def _pieces(domain: Domain) -> tuple[Piece, ...]:
    return domain.pieces()


def contains(domain: Domain, values: Values) -> bool:
    """Membership by plain integers; a domain is taken apart once."""
    return any(piece.holds(values) for piece in _pieces(domain))


def at(parameters: Values, names: Sequence[str], point: Point) -> dict[str, int]:
    return {**parameters, **dict(zip(names, point, strict=True))}


class Reader:
    """Evaluates expressions of a program for some parameters, as far as what they read goes."""

    def __init__(self, design: Design) -> None:
        self.program, self.facts = design.program, design.checked.facts
        self._bodies: dict[tuple[Reduce, tuple[int, ...]], dict[Point, list[Point]]] = {}

    def reads(self, node: Expression, scope: Values, parameters: Values) -> Iterator[Element]:
        """Returns the elements that the evaluation of a node reads, including both branches of an `if`."""
        match node:
            case Access():
                yield node.variable, node.function.at(scope)
            case Case():
                for branch in node.branches:
                    if contains(self.facts.expression_domain[branch], scope):
                        yield from self.reads(branch, scope, parameters)
            case Compose():
                inner = at(parameters, node.names, node.function.at(scope))
                yield from self.reads(node.body, inner, parameters)
            case Reduce():
                here = tuple(scope[n] for n in self.facts.context_domain[node].space.names)
                for point in self.bodies(node, parameters).get(here, ()):
                    inner = at(parameters, node.projection.domain.names, point)
                    yield from self.reads(node.body, inner, parameters)
            case Restrict():
                assert contains(node.domain, scope)
                yield from self.reads(node.body, scope, parameters)
            case _:
                for child in children(node):
                    yield from self.reads(child, scope, parameters)

    def bodies(self, node: Reduce, parameters: Values) -> dict[Point, list[Point]]:
        """The points of a reduction's body, by the result to which they contribute."""
        key = node, tuple(parameters.values())
        if key not in self._bodies:
            results: dict[Point, list[Point]] = {}
            for point in self.facts.context_domain[node.body].points(parameters):
                result = node.projection.at(at(parameters, node.projection.domain.names, point))
                results.setdefault(result, []).append(point)
            self._bodies[key] = results
        return self._bodies[key]

    # --- called systems ------------------------------------------------------------------------------------------

    def of_a_run(self, system: System, parameters: Values) -> set[Element]:
        """All that the equations of a system read, those of systems that it calls included."""
        results: set[Element] = set()
        for equation in system.equations:
            if isinstance(equation, Equation):
                for z in system.variable(equation.variable).domain.points(parameters):
                    results.update(self.reads(equation.expression, at(parameters, equation.indices, z), parameters))
            else:
                for e in equation.extension.points(parameters):
                    for number in range(len(equation.inputs)):
                        results.update(element for _, element in self.of_an_input(equation, e, number, parameters))
        return results

    def of_an_input(
        self, use: UseEquation, e: Point, number: int, parameters: Values
    ) -> Iterator[tuple[Point, Element]]:
        """For each point x of the input that is read, what the caller's expression reads there."""
        for x in self.used(use, e, number, parameters):
            names = self.facts.context_domain[use.inputs[number]].space.names
            for element in self.reads(use.inputs[number], at(parameters, names, (*e, *x)), parameters):
                yield x, element

    def used(self, use: UseEquation, e: Point, number: int, parameters: Values) -> list[Point]:
        """The points of an input that the called system reads; all where it calls itself."""
        callee = self.program.system(use.system)
        inner = passed(callee, use, e, parameters)
        variable = callee.inputs[number]
        if any(isinstance(q, UseEquation) and q.system == callee.name for q in callee.equations):
            return list(variable.domain.points(inner))
        return sorted(z for name, z in self.of_a_run(callee, inner) if name == variable.name)


def passed(callee: System, use: UseEquation, e: Point, parameters: Values) -> dict[str, int]:
    """The parameters of a call."""
    scope = at(parameters, use.extension.space.names, e)
    return {n: q.at(scope) for n, q in zip(callee.parameters, use.parameters, strict=True)}
