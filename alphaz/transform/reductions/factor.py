"""FactorOutFromReduction: moves a factor that is constant over the points of an answer out of a reduction.

reduce(op, p, e * g)  =  reduce(op, p, e) * g'     g = g' o p on the body, and * distributes over op"""

from contextlib import suppress
from dataclasses import dataclass, replace

from alphaz.analysis.depth import deep
from alphaz.analysis.texts.node_numbers import Site, find_node, sites
from alphaz.diagnostics import NOWHERE, Label, Rejected, Span, Witness, WitnessPoint, rules
from alphaz.mapping.design import Design
from alphaz.model.expression import Binary, Case, Expression, Nary, Reduce, Restrict
from alphaz.model.types import ScalarType
from alphaz.model.walk import behind_restricts, children, copy, walk
from alphaz.poly import Affine, AffineFunction, Domain, equal, fresh_names, less
from alphaz.proof import Obligation, Values
from alphaz.transform.engine.checked_rewrite import without_context
from alphaz.transform.engine.preconditions import with_same_points
from alphaz.transform.engine.push import push_function
from alphaz.transform.engine.refusals import refusal, require
from alphaz.transform.reductions.invariance import Unsteady, unsteady
from alphaz.transform.reductions.site import ReductionSite, join_terms, reduction_at, require_own_type


def factor_out_from_reduction(design: Design, node: str, span: Span = NOWHERE) -> Design:
    """Move operands that are constant over all points of an answer out of a reduction.

    The node is the operand, in the body; or the reduction, to move all such operands. A reduction that is itself such
    an operand of another one moves out of that.

    *Rewrites*: `reduce(op, p, e * g)` into `reduce(op, p, e) * g`.

    *Checks*: the body is an operation that distributes over that of the reduction (`*` over `+`, `+` over `min` and
    `max`, `and` over `or`, ...); the operand is constant over the points of each answer; types do not change."""
    site = find_node(design.program, node)
    reduction, around = site.expression, _enclosing_reduction(design, site, span)
    if isinstance(reduction, Reduce):
        with suppress(Rejected):
            if around is not None:
                return _factor(*around, span)
        return _factor(reduction_at(design, site, reduction, span), None, span)
    if around is None:
        raise refusal(
            f"the node {node} is neither a reduction nor an operand in the body of one",
            span,
            secondary=(Label(reduction.span, "this"),),
            help="name an operand of `a * b`, or the reduction; PrintAST shows the nodes with their numbers",
        )
    return _factor(*around, span)


def _enclosing_reduction(design: Design, site: Site, span: Span) -> tuple[ReductionSite, Expression] | None:
    """The innermost reduction that has the node in an operand of its body, and that operand of the innermost operation.

    None if there is no such operation or reduction."""
    path = [
        outer_site for outer_site in sites(design.program) if site.number[: len(outer_site.number)] == outer_site.number
    ]
    operand = None
    for outer, inner in zip(reversed(path[:-1]), reversed(path[1:]), strict=True):
        if isinstance(outer.expression, Reduce):
            return None if operand is None else (reduction_at(design, outer, outer.expression, span), operand)
        if operand is None and isinstance(outer.expression, Binary | Nary):
            operand = inner.expression
    return None


def _factor(whole: ReductionSite, expression: Expression | None, span: Span) -> Design:
    """The design with the operands of the wanted one moved; with all movable ones, if none is wanted."""
    require_own_type(whole)
    domain, body = behind_restricts(whole.node.body)
    operator, operands = _operands(whole, body)
    parts = {id(part) for part in walk(expression)} if expression is not None else set()
    places = [position for position, operand in enumerate(operands) if id(operand) in parts]
    if expression is not None and not places:
        raise refusal(
            "this is no operand of the operation that the body of the reduction is",
            span,
            secondary=(Label(body.span, "the body"),),
            help=f"name an operand of the body's `{operator}`, or the reduction",
        )
    with deep():
        choice = _choose_operands(whole, operands, places, span)
        rest = [operand for position, operand in enumerate(operands) if position not in choice.places]
        inner = join_terms(operator, rest, body.span)
        if domain is not None:
            inner = Restrict(domain, inner, span=body.span)
        small = with_same_points(whole.node, replace(whole.node, body=inner), whole.facts, whole.system)
        factors = [push_function(operands[place], choice.section, whole.names) for place in choice.places]
        new = join_terms(operator, [small, *factors], body.span)
        return whole.with_expression(where_there_are_points(whole, new))


def where_there_are_points(whole: ReductionSite, new: Expression) -> Expression:
    """Returns the new expression at answers with points; others stay the identity, because the factor may be undefined
    there."""
    reached = whole.answers(whole.points)
    rest = whole.needed_domain - reached
    if rest.is_empty() or not whole.query.promised:
        return new
    branches = (
        Restrict(without_context(reached & whole.needed_domain, whole.system), new, span=new.span),
        Restrict(without_context(rest, whole.system), copy(whole.node), span=new.span),
    )
    return Case(branches, span=new.span)


def distributes(operator: str, over: str, type_: ScalarType) -> bool:
    """Returns True if `a operator b` distributes over the other operator, on values of the type."""
    match over:
        case "+":
            return operator == "*" and type_.kind != "bool"
        case "min" | "max":
            exchanged = "min" if over == "max" else "max"
            return operator == exchanged or (operator == "+" and (type_.is_float or type_.signed))
        case "or":
            return operator == "and"
        case "and":
            return operator == "or"
        case "xor":
            return operator == "and"
    return False


def _operands(whole: ReductionSite, body: Expression) -> tuple[str, list[Expression]]:
    """The operands of the body, with nested operations of the same operator flattened."""
    over, type_ = whole.node.operator, whole.type
    if not isinstance(body, Binary | Nary):
        raise refusal(
            "the body is no operation",
            whole.span,
            secondary=(Label(body.span, "the body"),),
            help="FactorOutFromReduction takes operands out of `a * b`; write the factor out first",
        )
    if not distributes(body.operator, over, type_):
        raise refusal(
            f"`{body.operator}` does not distribute over `{over}` on values of type {type_}",
            whole.span,
            secondary=(Label(body.span, body.operator), Label(whole.node.span, over)),
            help="`*` distributes over `+`; `+` distributes over `min` and `max`",
        )
    expressions: list[Expression] = []

    def collect(node: Expression) -> None:
        same = isinstance(node, Binary | Nary) and node.operator == body.operator
        if same and whole.facts.types[node] == whole.facts.types[body]:
            for child in children(node):
                collect(child)
        else:
            expressions.append(node)

    collect(body)
    types = {whole.facts.types[operand] for operand in expressions} | {type_}
    if len(types) > 1:
        raise refusal(
            "the operands have different types: the factors would be computed in another order of conversions",
            whole.span,
            secondary=tuple(Label(operand.span, str(whole.facts.types[operand])) for operand in expressions),
            help="give the operands one type, each with a local of its own (AddLocal)",
        )
    return body.operator, expressions


@dataclass(frozen=True, slots=True, eq=False)
class _Choice:
    """The operands that move out, and the function that maps an answer to a representative point."""

    places: tuple[int, ...]
    section: AffineFunction


def _choose_operands(whole: ReductionSite, operands: list[Expression], numbers: list[int], span: Span) -> _Choice:
    """The operands at the wanted places, all of which must be movable; if none are wanted, all that are movable."""
    section = section_of(whole)
    if section is None:
        raise refusal(
            f"no integer affine function leads from each answer to a point of {whole.node.projection}",
            span,
            secondary=(Label(whole.node.span, "the reduction"),),
            help="TransformReductionBody can make the projection one that drops indices",
        )
    stand_in = whole.node.projection.then(section)
    causes = {at: unsteady(operands[at], stand_in, whole.points, whole.facts) for at in numbers or range(len(operands))}
    problems = [problem for problem in causes.values() if problem is not None]
    places = tuple(at for at, problem in causes.items() if problem is None)
    if problems and (numbers or not places):
        _refuse(whole, problems[0], [operands[at] for at in causes], span)
    if len(places) == len(operands):
        places = places[1:]
    return _Choice(places, section)


def section_of(whole: ReductionSite) -> AffineFunction | None:
    """Returns an integer affine s with p(s(y)) = y: each output of p determines the value of one index, the others are
    zero."""
    projection, answers = whole.node.projection, whole.needed_domain.space
    values: dict[str, Affine] = {}
    for output, name in zip(projection.outputs, answers.names, strict=True):
        left = output.substitute(values)
        own = [n for n in whole.names if n not in values and abs(left.coefficient(n)) == 1]
        if not own:
            return None
        index = max(own, key=lambda n: left == Affine.name(n))
        sign = left.coefficient(index)
        rest = left - Affine.name(index) * sign
        solved = (Affine.name(f" {name}") - rest) * sign
        values = {n: v.substitute({index: solved}) for n, v in values.items()} | {index: solved}
    zero = {n: Affine() for n in whole.names if n not in values}
    own_names = {f" {name}": Affine.name(name) for name in answers.names}
    outputs = (values.get(n, Affine()).substitute(zero).substitute(own_names) for n in whole.names)
    return AffineFunction(answers, tuple(outputs))


def _refuse(whole: ReductionSite, problem: Unsteady, operands: list[Expression], span: Span) -> None:
    """Raises Rejected with two points of one answer at which a read differs, if that is the cause."""
    help_ = "only operands that are constant over the points of an answer can move out"
    if problem.function is not None:
        require(_constant(whole, problem, span), help_)
    raise refusal(
        "no operand is constant wherever the answer is the same",
        span,
        secondary=tuple(Label(operand.span, "differs") for operand in operands),
        help=help_,
    )


def _constant(whole: ReductionSite, problem: Unsteady, span: Span) -> Obligation:
    """{ (z, z') | p(z) = p(z'), f(z) != f(z') } is empty."""
    function, projection, names = problem.function, whole.node.projection, whole.names
    assert function is not None
    others = fresh_names(len(names), "other", (*whole.system.parameters, *names))
    space = whole.points.space.with_names((*names, *others))

    def violations() -> Domain:
        both = whole.points.embedded(space) & whole.points.renamed(others).embedded(space)
        pairs = zip(projection.outputs, projection.renamed(others).outputs, strict=True)
        both = both & Domain.where(space, [equal(a, b) for a, b in pairs])
        differ = zip(function.outputs, function.renamed(others).outputs, strict=True)
        return both & Domain.where(space, *([less(x, y)] for a, b in differ for x, y in ((a, b), (b, a))))

    def explain(values: Values) -> Witness:
        one, two = (tuple(values[n] for n in name) for name in (names, others))
        parameters = tuple((p, values[p]) for p in whole.system.parameters)
        text = ", ".join(f"{p}={v}" for p, v in parameters)
        first, second = function.at(values), function.renamed(others).at(values)
        answer = ",".join(map(str, projection.at(values)))
        sentence = (
            f"{text}: for the answer [{answer}], {problem.node.span.text} is at [{','.join(map(str, first))}] "
            f"for the point [{','.join(map(str, one))}], and at [{','.join(map(str, second))}] "
            f"for [{','.join(map(str, two))}]"
        )
        return Witness(
            parameters,
            (WitnessPoint("point", whole.owner, one), WitnessPoint("other point", whole.owner, two)),
            sentence,
        )

    def recheck(values: Values) -> bool:
        same = projection.at(values) == projection.renamed(others).at(values)
        return same and function.at(values) != function.renamed(others).at(values)

    return Obligation(
        rules.PRECONDITION,
        "an operand is constant wherever the answer is the same",
        violations,
        (("point", names), ("other point", others)),
        explain,
        recheck,
        span,
        (Label(problem.node.span, "this differs"),),
    )
