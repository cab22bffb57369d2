"""Kinds of mathematical arguments: maps, domains, expressions, parsed at their place in the script.

A value of the calculator is replaced by its text, which is parsed over the parameters of the system."""

import re
from dataclasses import dataclass, replace

from alphaz.analysis.elaborate.programs import elaborate_domain, elaborate_function
from alphaz.analysis.elaborate.scope import misread
from alphaz.analysis.texts.domain_texts import can_be_written
from alphaz.analysis.texts.node_numbers import find_node
from alphaz.diagnostics import Diagnostic, Rejected, Source, Span
from alphaz.mapping.factors import Factor, factor_of
from alphaz.poly import AffineFunction, Domain
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue, MathValue
from alphaz.scripting.commands.kinds.kind import ArgumentKind, EarlierArguments, NumbersKind, PrefixKind, Unfit
from alphaz.scripting.commands.kinds.set_values import SetValue
from alphaz.syntax.parser import parse_domain_at, parse_expression_at, parse_function, parse_function_at
from alphaz.syntax.tree import ExpressionNode

# Mod factors with parameters.
_SUMS = re.compile(r"[\w\s+*(),-]*[A-Za-z_][\w\s+*(),-]*")
# A name times a name, or times a sum.
_PRODUCT = re.compile(r"[A-Za-z_]\w*\s*\*\s*[A-Za-z_(]")


@dataclass(frozen=True, slots=True)
class Map:
    """An affine map over the parameters of the system, and its place."""

    function: AffineFunction
    span: Span


class MapKind(ArgumentKind):
    """`(i,j -> j-i,i,j)`; spaces do not matter."""

    expected = 'an affine map, as in "(i,j->j-i,i,j)"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str | MathValue) and "->" in str(value)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> Map:
        if not isinstance(argument.value, str | MathValue) or not str(argument.value).strip():
            raise Unfit
        text = argument.text_span()
        function = elaborate_function(parse_function_at(text), parameters_of(earlier))
        return Map(function, text)

    def doubts(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[Diagnostic, ...]:
        return _misread_map(argument, earlier)


class CellMapKind(MapKind):
    """A memory map. Positions in packed formats are polynomials, and not such maps."""

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> Map:
        try:
            return super().convert(argument, earlier)
        except Rejected as rejected:
            first, *others = rejected.diagnostics
            if _PRODUCT.search(str(argument.value)) is None:
                raise
            remedy = 'positions of packed triangles and bands are storage formats: `setStorageFormat(.., "packed row")`'
            raise Rejected(replace(first, help=remedy), *others) from None


class ModuliKind(NumbersKind):
    """Numbers, and affine expressions in the parameters."""

    expected = 'mod factors, as in "2,0,0" or "(N+2,0)" (0 is none)'

    def fits(self, value: object) -> bool:
        return super().fits(value) or (isinstance(value, str) and _SUMS.fullmatch(value) is not None)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[Factor, ...]:  # type: ignore[override]
        if super().fits(argument.value):
            return super().convert(argument, earlier)
        if not self.fits(argument.value):
            raise Unfit
        text = str(argument.value).strip()
        inner = text[1:-1] if text.startswith("(") and text.endswith(")") else text
        try:
            function = elaborate_function(
                parse_function(Source("mod factors", f"( -> {inner})")), parameters_of(earlier)
            )
        except Rejected as rejected:
            raise Unfit(rejected.diagnostics[0].message) from None
        return tuple(map(factor_of, function.outputs))


class DomainKind(ArgumentKind):
    """`{i,j | 0<=i<j}`, a union with `||`."""

    expected = 'a domain, as in "{i,j | 0<=i<j}"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str | MathValue) and str(value).strip().startswith("{")

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> Domain:
        if not self.fits(argument.value):
            raise Unfit
        if isinstance(argument.value, SetValue) and not can_be_written(argument.value.domain):
            raise Unfit("it needs an integer division, which programs cannot write")
        return elaborate_domain(parse_domain_at(argument.text_span()), parameters_of(earlier))

    def doubts(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[Diagnostic, ...]:
        if not isinstance(argument.value, str):
            return ()
        return misread(parse_domain_at(argument.text_span()), parameters_of(earlier))


class ExpressionKind(ArgumentKind):
    """The text of an expression; its names are resolved later, together with the names of its indices."""

    expected = 'an expression, as in "A[i] + B[i-1]"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> ExpressionNode:
        if not isinstance(argument.value, str) or not argument.value.strip():
            raise Unfit
        return parse_expression_at(argument.text_span())


class VectorKind(PrefixKind):
    """`-1,0` or `(-1,0)`; or the function from each point to the reused one, `(i,k -> i-1,k)`."""

    expected = 'a vector, as in "-1,0", or the function from a point to the one that is reused, as in "(i,k->i-1,k)"'

    def fits(self, value: object) -> bool:
        return super().fits(value) or (isinstance(value, str | MathValue) and "->" in str(value))

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[int, ...]:
        if not isinstance(argument.value, str | MathValue) or "->" not in str(argument.value):
            return super().convert(argument, earlier)
        function = elaborate_function(parse_function_at(argument.text_span()), parameters_of(earlier))
        here = AffineFunction.identity(function.domain).outputs
        if len(here) != len(function.outputs):
            raise Unfit("it leads to another space")
        steps = [other - one for one, other in zip(here, function.outputs, strict=True)]
        if not all(step.is_constant for step in steps):
            raise Unfit("it is not the same step everywhere")
        return tuple(step.constant for step in steps)

    def doubts(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[Diagnostic, ...]:
        return _misread_map(argument, earlier)


def _misread_map(argument: ArgumentValue, earlier: EarlierArguments) -> tuple[Diagnostic, ...]:
    """A caret alone can be misread in a map."""
    if not isinstance(argument.value, str) or "^" not in argument.value or "->" not in argument.value:
        return ()
    return misread(parse_function_at(argument.text_span()), parameters_of(earlier))


def parameters_of(earlier: EarlierArguments) -> tuple[str, ...]:
    """Returns the parameters of the system that is an earlier argument, or of the one that contains the node."""
    if "system" in earlier.values:
        return earlier.system.parameters
    return find_node(earlier.design.program, str(earlier.values["node"])).system.parameters
