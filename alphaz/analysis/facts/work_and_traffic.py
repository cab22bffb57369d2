"""Work of an equation and minimal memory traffic of a system, as polynomials in the parameters."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alphaz.analysis.depth import deep
from alphaz.model.expression import Binary, Call, Case, Compose, Expression, Facts, If, Nary, Reduce, Restrict, Unary
from alphaz.model.program import Equation, System, UseEquation
from alphaz.model.walk import children
from alphaz.poly import Affine, AffineFunction, Domain, Space, equal
from alphaz.poly.algorithms.counting import Count, count, total
from alphaz.poly.algorithms.functional_relations import hull_equalities

# All parameters this large: an asymptotic comparison in whole numbers.
_LARGE = 10**6


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """The work of one equation; None if the number is not a polynomial. `bound` is an estimate for large parameters."""

    variable: str
    values: Count | None
    operations: Count | None
    bound: int


def work_of(facts: Facts, system: System) -> list[Work]:
    """Returns one entry for each ordinary equation, in the order of the text. The work of called systems is not
    counted."""
    works: list[Work] = []
    for equation in system.equations:
        if isinstance(equation, Equation):
            works.append(equation_work(facts, system, equation))
    return works


def work_text(facts: Facts, system: System) -> str:
    """Returns a line for the system, and one for each equation: `  C: N values, (N^2+N)/2 operations`."""
    lines = [system.name]
    for work in work_of(facts, system):
        lines.append(f"  {work.variable}: {_text(work.values)} values, {_text(work.operations)} operations")
    for equation in system.equations:
        if isinstance(equation, UseEquation):
            lines.append(f"  {', '.join(equation.outputs)}: the work of {equation.system}, at each of its calls")
    return "\n".join(lines) + "\n"


def _text(number: Count | None) -> str:
    return "undetermined (no polynomial)" if number is None else str(number)


def equation_work(facts: Facts, system: System, equation: Equation) -> Work:
    domain = system.variable(equation.variable).domain
    context = system.context
    need = domain.renamed(equation.indices)
    with deep():
        applied = list(_application_domains(equation.expression, need, AffineFunction.identity(need.space), facts))
    bound = sum(size(points, context) for points in (need, *applied))
    return Work(equation.variable, count(domain, context), total(applied, context), bound)


def size(domain: Domain, context: Domain) -> int:
    """Returns the number of points for large parameters; if it is not a polynomial, as if the domain were a box."""
    points = count(domain, context)
    if points is not None:
        return int(points.main.at(dict.fromkeys(domain.space.parameters, _LARGE)))
    if domain.in_context(context).is_empty():
        return 0
    free = domain.space.dimensions - len(hull_equalities(domain.in_context(context)))
    return int(_LARGE ** max(free, 0))


def _application_domains(node: Expression, need: Domain, function: AffineFunction, facts: Facts) -> Iterator[Domain]:
    """For each operator, the points at which it is applied; `function` maps them to the context of the node."""
    match node:
        case Restrict(domain, body):
            yield from _application_domains(body, need & domain.preimage(function), function, facts)
            return
        case Case(branches):
            for branch in branches:
                here = facts.expression_domain[branch].preimage(function)
                yield from _application_domains(branch, need & here, function, facts)
            return
        case Compose(inner, _, body):
            yield from _application_domains(body, need, function.then(inner), facts)
            return
        case Reduce():
            inside, to_body = _fibres(node, need, function, facts)
            yield inside
            yield from _application_domains(node.body, inside, to_body, facts)
            return
        case Binary() | Unary() | Call() | If():
            yield need
        case Nary(_, operands):
            yield from [need] * (len(operands) - 1)
    for child in children(node):
        yield from _application_domains(child, need, function, facts)


def _fibres(node: Reduce, need: Domain, function: AffineFunction, facts: Facts) -> tuple[Domain, AffineFunction]:
    """{ (z, w) | z needed, w in the body, p(w) = f(z) }, and the function from there to w."""
    names = need.space.names
    inner: list[str] = []
    for name in node.projection.domain.names:
        while name in (*names, *need.space.parameters, *inner):
            name += "_"
        inner.append(name)
    space = Space(need.space.parameters, (*names, *inner))
    to_body = AffineFunction(space, tuple(Affine.name(n) for n in inner))
    answers = to_body.then(node.projection).outputs
    same = [equal(a, b) for a, b in zip(answers, function.outputs, strict=True)]
    body = facts.expression_domain[node.body].preimage(to_body)
    return need.embedded(space) & body & Domain.where(space, same), to_body


@dataclass(frozen=True, slots=True, eq=False)
class Traffic:
    """The counts of one system; None if a number is not a polynomial, or lies in a called system.

    `values` has for each input and output the number of its points and the bytes of one."""

    operations: tuple[Count, ...] | None
    values: tuple[tuple[Count, int], ...] | None

    def operations_at(self, parameters: Mapping[str, int]) -> int | None:
        if self.operations is None:
            return None
        return sum(number.at(parameters) for number in self.operations)

    def bytes_at(self, parameters: Mapping[str, int]) -> int | None:
        if self.values is None:
            return None
        return sum(number.at(parameters) * size for number, size in self.values)


def traffic_of(facts: Facts, system: System) -> Traffic:
    """Returns the counts of a system."""
    operations = [work.operations for work in work_of(facts, system)]
    if any(isinstance(equation, UseEquation) for equation in system.equations):
        operations.append(None)
    values = [(count(v.domain, system.context), v.type.bytes) for v in (*system.inputs, *system.outputs)]
    pairs = [(number, size) for number, size in values if number is not None]
    counted = [number for number in operations if number is not None]
    return Traffic(
        tuple(counted) if len(counted) == len(operations) else None,
        tuple(pairs) if len(pairs) == len(values) else None,
    )
