"""Parts of programs as values of scripts: a system, its body, an equation, a variable, an expression.

A part prints as its text, and replaces its name (an expression, the number of its node) as an argument. It refers to
its program, and is the corresponding part of that program after a transformation."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeGuard

from alphaz.analysis.texts.node_numbers import sites
from alphaz.analysis.texts.show import ashow, equation_shown, expression_text, variable_shown
from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.message_words import did_you_mean, listing
from alphaz.diagnostics.rules import ARGUMENT, UNKNOWN_TARGET
from alphaz.mapping.design import Design
from alphaz.model.expression import Expression
from alphaz.model.program import defined_by
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue, MathValue
from alphaz.scripting.commands.kinds.kind import ArgumentKind, EarlierArguments, Unfit


class ProgramPart(StrEnum):
    SYSTEM = "a system"
    BODY = "a body"
    EQUATION = "an equation"
    VARIABLE = "a variable"
    EXPRESSION = "an expression"


@dataclass(frozen=True, slots=True, eq=False)
class SelectedPart(MathValue):
    """A part. `name` is the variable of an equation; `node` is the expression itself, because transformations renumber
    nodes."""

    part: ProgramPart
    design: Design
    system: str
    name: str = ""
    node: Expression | None = None

    def of(self, design: Design) -> "SelectedPart":
        """Returns the corresponding part of a program that was derived from this one."""
        return replace(self, design=design)

    @property
    def noun(self) -> str:
        return self.part.value

    @property
    def text(self) -> str:
        """Returns the text of the part."""
        program, home = self.design.program, self.design.system(self.system)
        match self.part:
            case ProgramPart.SYSTEM | ProgramPart.BODY:
                return ashow(program, self.system)
            case ProgramPart.EQUATION:
                return equation_shown(program, home, home.equation(self.name)) + "\n"
            case ProgramPart.VARIABLE:
                return variable_shown(home, home.variable(self.name)) + "\n"
        assert self.node is not None
        names = self.design.checked.facts.context_domain[self.node].space.names
        return expression_text(self.node, names) + "\n"

    @property
    def is_there(self) -> bool:
        """Returns True if the program still has the part."""
        home = next((system for system in self.design.program.systems if system.name == self.system), None)
        if home is None:
            return False
        match self.part:
            case ProgramPart.EQUATION:
                return any(self.name in defined_by(equation) for equation in home.equations)
            case ProgramPart.VARIABLE:
                return any(variable.name == self.name for variable in home.variables)
            case ProgramPart.EXPRESSION:
                return self._number is not None
        return True

    @property
    def _number(self) -> str | None:
        return next((site.text for site in sites(self.design.program) if site.expression is self.node), None)

    def __str__(self) -> str:
        if self.part is ProgramPart.EXPRESSION:
            return self._number or ""
        return self.name or self.system

    def __repr__(self) -> str:
        return f"<{self.part.split()[-1]} {self}>"


def reference_text(argument: ArgumentValue) -> ArgumentValue:
    """Returns the name or number of a selected part as an argument. Raises Rejected if the part no longer exists."""
    if not isinstance(argument.value, SelectedPart):
        return argument
    require_there(argument.value, argument.span)
    return ArgumentValue(str(argument.value), argument.span)


def require_there(selected: SelectedPart, span: Span) -> None:
    """Raises Rejected (AZ403) unless the program still has the part."""
    if not selected.is_there:
        message = f"the program has changed since {selected.part} was selected, and has it no more"
        raise Rejected(Diagnostic(UNKNOWN_TARGET, message, Label(span), help="select it again, after the change"))


def is_part(value: object, *parts: ProgramPart) -> TypeGuard[SelectedPart]:
    return isinstance(value, SelectedPart) and value.part in parts


class PartKind(ArgumentKind):
    """A part that another command has selected."""

    takes_parts = True

    def __init__(self, *parts: ProgramPart) -> None:
        self.parts = parts

    @property
    def expected(self) -> str:  # type: ignore[override]
        return " or ".join(self.parts) + ", as GetSystem and the others give it"

    def fits(self, value: object) -> bool:
        return is_part(value, *self.parts)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> SelectedPart:
        if not is_part(argument.value, *self.parts):
            raise Unfit
        require_there(argument.value, argument.span)
        return argument.value


@dataclass(frozen=True, slots=True)
class EquationName:
    """The equation of a variable of a system."""

    system: str
    name: str


class EquationKind(PartKind):
    """A selected equation, or the name of a variable that has one in one system alone."""

    def __init__(self) -> None:
        super().__init__(ProgramPart.EQUATION)

    def fits(self, value: object) -> bool:
        return isinstance(value, str) or super().fits(value)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> EquationName:  # type: ignore[override]
        if isinstance(argument.value, str):
            return _equation_named(argument.value.strip(), argument.span, earlier.design)
        selected = super().convert(argument, earlier)
        return EquationName(selected.system, selected.name)

    def suggestions(self, earlier: EarlierArguments) -> Iterable[str]:
        systems = earlier.design.program.systems
        return (name for system in systems for equation in system.equations for name in defined_by(equation))


def _equation_named(name: str, span: Span, design: Design) -> EquationName:
    systems = [s.name for s in design.program.systems if any(name in defined_by(e) for e in s.equations)]
    if len(systems) == 1:
        return EquationName(systems[0], name)
    if systems:
        message = f"`{name}` has an equation in {listing(systems)}"
        raise Rejected(Diagnostic(ARGUMENT, message, Label(span), help="give it as GetEquation does"))
    names = [n for s in design.program.systems for e in s.equations for n in defined_by(e)]
    message = f"no equation of the program defines `{name}`"
    raise Rejected(Diagnostic(UNKNOWN_TARGET, message, Label(span), help=did_you_mean(name, names)))
