"""Domains and functions as values of scripts, and the kinds of arguments that take them.

A text may replace such a value. Its names that are not indices are parameters: `{i | 0<=i<N}` has the parameter N."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from alphaz.analysis.elaborate.programs import elaborate_domain, elaborate_function
from alphaz.analysis.elaborate.scope import misread
from alphaz.analysis.texts.domain_texts import function_text
from alphaz.analysis.texts.show import domain_shown
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.rules import MAP_SHAPE
from alphaz.poly import Affine, AffineFunction, Domain, Space, instantiate
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue, MathValue
from alphaz.scripting.commands.kinds.kind import ArgumentKind, EarlierArguments, Unfit
from alphaz.syntax.parser import parse_domain_at, parse_function_at
from alphaz.syntax.printer import print_function
from alphaz.syntax.tree import AffineText, DomainText, FunctionText

PARAMETERS = "parameters"
"""The argument of a command that states the parameters, as a domain of them."""


@dataclass(frozen=True, slots=True)
class SetValue(MathValue):
    """A domain; printed in the notation of the language."""

    noun: ClassVar[str] = "a domain"

    domain: Domain

    @property
    def space(self) -> Space:
        return self.domain.space

    def over(self, parameters: tuple[str, ...]) -> "SetValue":
        """Returns the same points, for all values of the further parameters."""
        if parameters == self.space.parameters:
            return self
        outer = Space(parameters, self.space.names)
        own, names = (tuple(map(Affine.name, name)) for name in (self.space.parameters, self.space.names))
        return SetValue(instantiate(self.domain, outer, own, names))

    def of_parameters(self, space: Space) -> Domain:
        """Returns the whole space, for the parameters that are a point of this domain; all its names are parameters of
        `space`."""
        parameters, indices = (tuple(map(Affine.name, name)) for name in (self.space.parameters, self.space.names))
        return instantiate(self.domain, space, parameters, indices)

    def __str__(self) -> str:
        return domain_shown(self.domain)


@dataclass(frozen=True, slots=True)
class FunctionValue(MathValue):
    """An affine function; printed in the notation of the language."""

    noun: ClassVar[str] = "an affine function"

    function: AffineFunction

    @property
    def space(self) -> Space:
        return self.function.domain

    def over(self, parameters: tuple[str, ...]) -> "FunctionValue":
        return FunctionValue(AffineFunction(Space(parameters, self.space.names), self.function.outputs))

    def __str__(self) -> str:
        return print_function(function_text(self.function))


@dataclass(frozen=True, slots=True)
class SetArgument:
    """A domain, and its place."""

    value: SetValue
    span: Span


@dataclass(frozen=True, slots=True)
class FunctionArgument:
    """A function, and its place."""

    value: FunctionValue
    span: Span


class SetKind(ArgumentKind):
    expected = 'a domain, as in "{i,j | 0<=i<j}"'

    def fits(self, value: object) -> bool:
        return isinstance(value, SetValue) or (isinstance(value, str) and value.strip().startswith("{"))

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> SetArgument:
        if isinstance(argument.value, SetValue) and PARAMETERS not in earlier.values:
            return SetArgument(argument.value, argument.span)
        if not self.fits(argument.value):
            raise Unfit
        text = parse_domain_at(argument.text_span())
        return SetArgument(
            SetValue(elaborate_domain(text, _parameter_names(earlier, _parameters_of_domain(text)))), argument.span
        )

    def doubts(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[Diagnostic, ...]:
        if not isinstance(argument.value, str):
            return ()
        text = parse_domain_at(argument.text_span())
        return misread(text, _parameters_of_domain(text))


class FunctionKind(ArgumentKind):
    expected = 'an affine function, as in "(i,j->i+j,N)"'

    def fits(self, value: object) -> bool:
        return isinstance(value, FunctionValue) or (isinstance(value, str) and "->" in value)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> FunctionArgument:
        if isinstance(argument.value, FunctionValue) and PARAMETERS not in earlier.values:
            return FunctionArgument(argument.value, argument.span)
        if not self.fits(argument.value):
            raise Unfit
        text = parse_function_at(argument.text_span())
        parameters = _parameter_names(earlier, _parameters_of_function(text))
        return FunctionArgument(FunctionValue(elaborate_function(text, parameters)), argument.span)

    def doubts(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[Diagnostic, ...]:
        if not isinstance(argument.value, str):
            return ()
        text = parse_function_at(argument.text_span())
        return misread(text, _parameters_of_function(text))


def _parameter_names(earlier: EarlierArguments, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the stated parameters; else those in the text."""
    stated = earlier.values.get(PARAMETERS)
    if not isinstance(stated, SetArgument):
        return names
    return (*stated.value.space.parameters, *stated.value.space.names)


A = TypeVar("A", SetValue, FunctionValue)
B = TypeVar("B", SetValue, FunctionValue)


def over_common_parameters(first: A, second: B) -> tuple[A, B]:
    """Returns both over the parameters of both, in the order of occurrence. Raises Rejected if a parameter is an
    index."""
    parameters = tuple(dict.fromkeys((*first.space.parameters, *second.space.parameters)))
    for value in (first, second):
        both = sorted(set(parameters) & set(value.space.names))
        if both:
            message = f"`{both[0]}` is an index of {value}, and a parameter of the other"
            raise Rejected(Diagnostic(MAP_SHAPE, message, Label(NOWHERE), help="give one of the two another name"))
    return first.over(parameters), second.over(parameters)


def _parameters_of_domain(text: DomainText) -> tuple[str, ...]:
    indices = {name.text for polyhedron in text.polyhedra for name in polyhedron.names}
    sides = (side for polyhedron in text.polyhedra for chain in polyhedron.constraints for side in chain.sides)
    return _others(_names(affine for side in sides for affine in side.affines), indices)


def _parameters_of_function(text: FunctionText) -> tuple[str, ...]:
    return _others(_names(text.outputs), {name.text for name in text.names})


def _others(names: Iterator[str], indices: set[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name not in indices))


def _names(affines: Iterable[AffineText]) -> Iterator[str]:
    return (term.name for affine in affines for term in affine.terms if term.name is not None)
