"""The calculator: reads, combines and prints domains and functions, without a program."""

from typing import Annotated

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import MAP_SHAPE, PRECONDITION
from alphaz.poly import AffineFunction, Domain, fresh_names
from alphaz.poly.algorithms.functional_relations import left_inverse
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.set_values import (  # fmt: skip
    FunctionArgument,
    FunctionKind,
    FunctionValue,
    SetArgument,
    SetKind,
    SetValue,
    over_common_parameters,
)
from alphaz.scripting.commands.outcome import Outcome

SetText = Annotated[SetArgument, SetKind()]
FunctionGiven = Annotated[FunctionArgument, FunctionKind()]


@command(Topic.CALCULATOR, name="calc_ReadDomain", forms="[parameters] text")
def calc_read_domain(text: SetText, parameters: SetText | None = None, *, call: BoundCall) -> Outcome:
    """Read a domain; names that are not indices are parameters.

    With a domain of the parameters as first argument, such as `"{N | N>0}"`, only these are parameters, and the result
    holds for them alone.

    Example:
        d = calc_ReadDomain("{i,j | 0<=i<=j<N}");
        print(d);"""
    if parameters is None:
        return Outcome(text.value)
    points = text.value.domain
    return Outcome(SetValue((points & parameters.value.of_parameters(points.space)).simplify()))


@command(Topic.CALCULATOR, name="calc_ReadFunction", forms="[parameters] text")
def calc_read_function(text: FunctionGiven, parameters: SetText | None = None, *, call: BoundCall) -> Outcome:
    """Read an affine function; names that are not indices are parameters.

    With a domain of the parameters as first argument, such as `"{N | N>0}"`, only these are parameters.

    Example:
        f = calc_ReadFunction("(i,j -> i+j,N-j)");
        print(f);"""
    return Outcome(text.value)


@command(Topic.CALCULATOR, name="calc_Inverse")
def calc_inverse(function: FunctionGiven, *, call: BoundCall) -> Outcome:
    """Invert a function: the result maps each image to its point.

    Checks: there is an integer affine inverse.

    Example:
        print(calc_Inverse("(i,j -> i+j,j)"));"""
    return Outcome(_inverse(function, None))


@command(Topic.CALCULATOR, name="calc_InverseInContext", forms="function domain | domain function")
def calc_inverse_in_context(function: FunctionGiven, domain: SetText, *, call: BoundCall) -> Outcome:
    """Invert a function on a domain, using the equalities of the domain.

    Checks: there is an integer affine inverse on the domain.

    Example:
        print(calc_InverseInContext("(i,j -> i)", "{i,j | j==i+1}"));"""
    return Outcome(_inverse(function, domain))


@command(Topic.CALCULATOR, name="calc_Compose")
def calc_compose(outer: FunctionGiven, inner: FunctionGiven, *, call: BoundCall) -> Outcome:
    """Compose two functions: the inner one is applied first.

    Checks: the outer function takes as many indices as the inner one returns.

    Example:
        print(calc_Compose("(i -> i,i)", "(i,j -> i+j)"));"""
    first, second = over_common_parameters(outer.value, inner.value)
    _require_count(first.space.dimensions, len(second.function.outputs), outer.span, "the outer function takes")
    return Outcome(FunctionValue(second.function.then(first.function)))


@command(Topic.CALCULATOR, name="calc_Join")
def calc_join(first: FunctionGiven, second: FunctionGiven, *, call: BoundCall) -> Outcome:
    """Join two functions of the same indices: the outputs of both, one after the other.

    Checks: both take the same number of indices.

    Example:
        print(calc_Join("(i,j -> i)", "(i,j -> i+j)"));
    """
    one, two = over_common_parameters(first.value, second.value)
    _require_count(one.space.dimensions, two.space.dimensions, second.span, "the other function takes")
    renamed = two.function.renamed(one.space.names)
    return Outcome(FunctionValue(AffineFunction(one.space, one.function.outputs + renamed.outputs)))


@command(Topic.CALCULATOR, name="calc_Intersection")
def calc_intersection(first: SetText, second: SetText, *, call: BoundCall) -> Outcome:
    """Intersect two domains.

    Example:
        print(calc_Intersection("{i | 0<=i<N}", "{i | 2<=i<=M}"));
    """
    one, two = _same_shape(first, second)
    return Outcome(SetValue((one & two).simplify()))


@command(Topic.CALCULATOR, name="calc_Union")
def calc_union(first: SetText, second: SetText, *, call: BoundCall) -> Outcome:
    """Unite two domains.

    Example:
        print(calc_Union("{i | 0<=i<N}", "{i | i==N}"));
    """
    one, two = _same_shape(first, second)
    return Outcome(SetValue((one | two).simplify()))


@command(Topic.CALCULATOR, name="calc_Difference")
def calc_difference(first: SetText, second: SetText, *, call: BoundCall) -> Outcome:
    """Subtract a domain from another.

    Example:
        print(calc_Difference("{i | 0<=i<N}", "{i | i==3}"));
    """
    one, two = _same_shape(first, second)
    return Outcome(SetValue((one - two).simplify()))


@command(Topic.CALCULATOR, name="calc_Image", forms="domain function | function domain")
def calc_image(domain: SetText, function: FunctionGiven, *, call: BoundCall) -> Outcome:
    """Compute the image of a domain.

    Checks: the function takes the indices of the domain.

    Example:
        print(calc_Image("{i,j | 0<=i<=j<N}", "(i,j -> i+j)"));
    """
    points, map_ = over_common_parameters(domain.value, function.value)
    _require_count(points.space.dimensions, map_.space.dimensions, function.span, "the function takes")
    return Outcome(SetValue(points.domain.image(map_.function, _image_names(map_.function)).simplify()))


@command(Topic.CALCULATOR, name="calc_PreImage", forms="domain function | function domain")
def calc_pre_image(domain: SetText, function: FunctionGiven, *, call: BoundCall) -> Outcome:
    """Compute the pre-image of a domain.

    Checks: the function gives as many indices as the domain has.

    Example:
        print(calc_PreImage("{i | 0<=i<N}", "(i,j -> i+j)"));
    """
    points, map_ = over_common_parameters(domain.value, function.value)
    _require_count(points.space.dimensions, len(map_.function.outputs), function.span, "the function gives")
    return Outcome(SetValue(points.domain.preimage(map_.function).simplify()))


@command(Topic.CALCULATOR, name="calc_IsEmpty")
def calc_is_empty(domain: SetText, *, call: BoundCall) -> Outcome:
    """Print `true` if a domain has no points for any parameters, else `false`.

    Example:
        print(calc_IsEmpty("{i | i<0 && 0<i}"));"""
    return Outcome(_truth(domain.value.domain.is_empty()))


@command(Topic.CALCULATOR, name="calc_IsEquivalent")
def calc_is_equivalent(first: SetText, second: SetText, *, call: BoundCall) -> Outcome:
    """Print `true` if two domains have the same points for all parameters, else `false`.

    Example:
        print(calc_IsEquivalent("{i | 0<i}", "{i | 1<=i}"));"""
    one, two = _same_shape(first, second)
    return Outcome(_truth(one.equals(two)))


@command(Topic.CALCULATOR, name="calc_SimplifyInContext")
def calc_simplify_in_context(domain: SetText, context: SetText, *, call: BoundCall) -> Outcome:
    """Remove from a domain the constraints that a context implies.

    Example:
        print(calc_SimplifyInContext("{i | 0<=i<N}", "{i | 0<=i}"));"""
    one, two = _same_shape(domain, context)
    return Outcome(SetValue(one.gist(two).simplify()))


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _same_shape(first: SetArgument, second: SetArgument) -> tuple[Domain, Domain]:
    one, two = over_common_parameters(first.value, second.value)
    _require_count(one.space.dimensions, two.space.dimensions, second.span, "the other domain has")
    return one.domain, two.domain


def _require_count(count: int, arguments: int, span: Span, what: str) -> None:
    if count != arguments:
        message = f"{count_text(count, 'index')} {'is' if count == 1 else 'are'} needed here, and {what} {arguments}"
        raise Rejected(Diagnostic(MAP_SHAPE, message, Label(span), help="give both as many indices"))


def _image_names(function: AffineFunction) -> tuple[str, ...]:
    """An output that is one index keeps its name; the others are `x0`, `x1`, ..."""
    names = function.domain.names
    spare = fresh_names(len(function.outputs), "x", (*names, *function.domain.parameters))
    lines: list[str] = []
    for name, output in zip(spare, function.outputs, strict=True):
        plain = str(output)
        lines.append(plain if plain in names and plain not in lines else name)
    return tuple(lines)


def _inverse(function: FunctionArgument, domain: SetArgument | None) -> FunctionValue:
    value = function.value
    if domain is None:
        points = Domain.universe(value.space)
    else:
        value, where = over_common_parameters(value, domain.value)
        _require_count(value.space.dimensions, where.space.dimensions, domain.span, "the domain has")
        points = where.domain
    inverse = left_inverse(value.function, points, _image_names(value.function))
    if inverse is None:
        on = "" if domain is None else f" on {domain.value}"
        raise Rejected(
            Diagnostic(
                PRECONDITION,
                f"{value} has no inverse{on} that is an integer affine function",
                Label(function.span),
                help="calc_InverseInContext may use equalities of a domain" if domain is None else None,
            )
        )
    return FunctionValue(inverse)
