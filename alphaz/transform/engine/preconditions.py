"""Conditions of transformations: implied bounds, types that must be preserved, injective functions."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from alphaz.analysis.facts.domains import WHOLE, DomainInference, at
from alphaz.diagnostics import Label, Span, Witness, WitnessPoint, rules
from alphaz.model.expression import Call, Constant, Expression, Facts, If, Reduce, Restrict
from alphaz.model.program import System, Variable
from alphaz.model.types import BOOL, ScalarType, common_type, promoted
from alphaz.model.walk import children, rebuild, walk
from alphaz.poly import Affine, AffineFunction, Domain, equal, fresh_names, less
from alphaz.proof import Obligation, Values
from alphaz.transform.engine.checked_rewrite import shortest_form, without_context


def with_same_points(old: Reduce, new: Reduce, facts: Facts, system: System, *added: Variable) -> Reduce:
    """Returns `new`, which replaces `old`, with a restrict if its body would have other points than that of `old`.

    `added` are variables of the new program that `system` does not have."""
    if not has_reduction(old.body):
        return new
    variables = {variable.name: variable for variable in (*system.variables, *added)}
    inference = DomainInference(variables)
    answers = fresh_names(len(new.projection.outputs), "answer", system.parameters)
    inference.measure(new, facts.context_domain[old].space.with_names(answers), WHOLE)
    needed = at(facts.context_domain[old], old.projection)
    points = facts.expression_domain[old.body]
    if (inference.domain(new.body).renamed(needed.space.names) & needed).equals(points & needed):
        return new
    return replace(
        new, body=Restrict(shortest_form(without_context(points, system), needed), new.body, span=new.body.span)
    )


def exchanged_inside(
    root: Expression, change: Callable[[Expression], Expression | None], facts: Facts, system: System, *added: Variable
) -> Expression:
    """As `edit.replaced`; the reductions around the replaced nodes keep their points."""
    answer = change(root)
    if answer is not None:
        return answer
    inside = (exchanged_inside(child, change, facts, system, *added) for child in children(root))
    new_node = rebuild(root, tuple(inside))
    if new_node is root or not (isinstance(root, Reduce) and isinstance(new_node, Reduce)):
        return new_node
    return with_same_points(root, new_node, facts, system, *added)


def has_reduction(root: Expression) -> bool:
    return any(isinstance(node, Reduce) for node in walk(root))


# Integers up to here are exact in every type but char and short, which literals do not have.
_SMALL = 2**24


def joined_type(types: Iterable[ScalarType]) -> ScalarType:
    """Returns the type of a case whose branches have these types (at least one)."""
    types_ = list(types)
    result = types_[0]
    for type_ in types_[1:]:
        result = result if type_ == result else common_type(result, type_)
    return result


def worked_types(node: Expression, operands: tuple[ScalarType, ...]) -> tuple[ScalarType, ...]:
    """Returns the types in which an operator works on operands of these types: equal results mean equal conversions."""
    if isinstance(node, If):
        return joined_type(operands[:1]), joined_type(operands[1:])
    if isinstance(node, Call):
        return operands
    return (joined_type(operands),)


def accumulator_type(facts: Facts, node: Reduce) -> ScalarType:
    """Returns the type in which a reduction accumulates if it is not a right-hand side."""
    body, here = facts.types[node.body], facts.types[node]
    if node.operator in ("and", "or", "xor"):
        return BOOL
    if node.operator in ("min", "max"):
        return body
    return promoted(body) if node.operator in ("+", "*") else here


def is_kept(node: Expression, own: ScalarType, common: ScalarType) -> bool:
    """Returns True if every value of the node is preserved by the conversion to `common`."""
    if isinstance(node, Constant) and isinstance(node.value, int) and 0 <= node.value < _SMALL:
        return True
    return own == common or _converts_exactly(common, own)


def _converts_exactly(wide: ScalarType, narrow: ScalarType) -> bool:
    if narrow.is_float:
        return wide.is_float and wide.bits >= narrow.bits
    bits = narrow.bits - narrow.signed
    if wide.is_float:
        return bits <= (53 if wide.bits == 64 else 24)
    return wide.bits - wide.signed >= bits and (wide.signed or not narrow.signed)


def injectivity_obligation(
    name: str, domain: Domain, function: AffineFunction, span: Span, declared: Span
) -> Obligation:
    """Returns the obligation. `name` is the object that has the domain, `span` the place of the function, `declared`
    that of the domain."""
    parameters, names = domain.space.parameters, domain.space.names
    others = fresh_names(len(names), "other", (*parameters, *names))
    space = domain.space.with_names(names + others)
    here, there = function.renamed(names), function.renamed(others)

    def violations() -> Domain:
        both = domain.embedded(space) & domain.renamed(others).embedded(space)
        same = [equal(a, b) for a, b in zip(here.outputs, there.outputs, strict=True)]
        pairs = [(Affine.name(a), Affine.name(b)) for a, b in zip(names, others, strict=True)]
        ordered = [
            [*(equal(a, b) for a, b in pairs[:position]), less(*pairs[position])] for position in range(len(pairs))
        ]
        return both & Domain.where(space, same) & Domain.where(space, *ordered)

    def points(values: Values) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(values[n] for n in names), tuple(values[n] for n in others)

    def explain(values: Values) -> Witness:
        one, other = (",".join(map(str, point)) for point in points(values))
        text = ", ".join(f"{p}={values[p]}" for p in parameters)
        image = ",".join(map(str, here.at(values)))
        sentence = f"{text}{': ' if text else ''}{name}[{one}] and {name}[{other}] both go to [{image}]"
        chosen = tuple((p, values[p]) for p in parameters)
        return Witness(chosen, tuple(WitnessPoint("point", name, point) for point in points(values)), sentence)

    def recheck(values: Values) -> bool:
        one, other = points(values)
        inside = all(domain.contains({**values, **dict(zip(names, p, strict=True))}) for p in (one, other))
        return inside and one != other and here.at(values) == there.at(values)

    return Obligation(
        rules.PRECONDITION,
        f"{function} is injective on the domain of `{name}`",
        violations,
        (("point", names), ("other point", others)),
        explain,
        recheck,
        span,
        (Label(declared, "its domain"),),
    )
