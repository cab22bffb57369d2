"""Commands that select parts of a program. A part can be printed, and replaces its name or number in other commands."""

from typing import Annotated

from alphaz.analysis.texts.node_numbers import find_node
from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.message_words import did_you_mean, listing
from alphaz.diagnostics.rules import ARGUMENT, UNKNOWN_TARGET
from alphaz.mapping.design import Design
from alphaz.model.program import Equation, defined_by
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.parameter_types import Natural, NodeNumber, OneName, SystemName
from alphaz.scripting.commands.kinds.program_parts import PartKind, ProgramPart, SelectedPart

SystemPart = Annotated[SelectedPart, PartKind(ProgramPart.SYSTEM)]
SystemOrBody = Annotated[SelectedPart, PartKind(ProgramPart.SYSTEM, ProgramPart.BODY)]


@command(Topic.BASIC, name="GetSystem")
def get_system(design: Design, name: SystemName, *, call: BoundCall) -> SelectedPart:
    """Select a system.

    Example:
        sums = GetSystem(prog, "sums");
        print(sums);
        Simplify(prog, sums);
    """
    return SelectedPart(ProgramPart.SYSTEM, design, name)


@command(Topic.BASIC, name="GetBody", aliases=("GetSystemBody",))
def get_body(system: SystemPart, number: Natural = 0, *, call: BoundCall) -> SelectedPart:
    """Select a body of a system: there is one, number 0. Bodies of the successor language become cases of it.

    Example:
        body = GetBody(GetSystem(prog, "sums"));"""
    if number != 0:
        message = f"system `{system.system}` has one body, number 0"
        raise Rejected(Diagnostic(ARGUMENT, message, Label(call.at("number"))))
    return SelectedPart(ProgramPart.BODY, system.design, system.system)


@command(Topic.BASIC, name="GetEquation")
def get_equation(body: SystemOrBody, name: OneName, *, call: BoundCall) -> SelectedPart:
    """Select the equation of a variable, in a system or its body.

    Example:
        equation = GetEquation(GetSystem(prog, "sums"), "B");
        print(equation);
    """
    _require_equation(body, name, call.at("name"))
    return SelectedPart(ProgramPart.EQUATION, body.design, body.system, name)


@command(Topic.BASIC, name="GetExpression")
def get_expression(body: SystemOrBody, name: OneName, *, call: BoundCall) -> SelectedPart:
    """Select the right-hand side of the equation of a variable; commands take it as the number of its node.

    Example:
        right = GetExpression(GetSystem(prog, "sums"), "C");
        SerializeReduction(prog, right, "(i,k -> i,k)");"""
    _require_equation(body, name, call.at("name"))
    equation = body.design.system(body.system).equation(name)
    if not isinstance(equation, Equation):
        message = f"`{name}` is computed by a call of `{equation.system}`, and has no right-hand side"
        raise Rejected(Diagnostic(ARGUMENT, message, Label(call.at("name"))))
    return SelectedPart(
        part=ProgramPart.EXPRESSION, design=body.design, system=body.system, name=name, node=equation.expression
    )


@command(Topic.BASIC, name="GetNode")
def get_node(design: Design, node: NodeNumber, *, call: BoundCall) -> SelectedPart:
    """Select an expression by the number of its node, which PrintAST shows.

    It remains that expression if a transformation renumbers nodes.

    Example:
        term = GetNode(prog, "0,0,0,1,0,1");
        AddLocal(prog, "sums", "S", term);"""
    site = find_node(design.program, node)
    return SelectedPart(
        part=ProgramPart.EXPRESSION,
        design=design,
        system=site.system.name,
        name=defined_by(site.equation)[0],
        node=site.expression,
    )


@command(Topic.BASIC, name="GetVariable")
def get_variable(system: SystemPart, name: OneName, *, call: BoundCall) -> SelectedPart:
    """Select a variable of a system.

    Example:
        variable = GetVariable(GetSystem(prog, "sums"), "B");
        print(variable);
    """
    names = [variable.name for variable in system.design.system(system.system).variables]
    if name not in names:
        raise _unknown(f"system `{system.system}` has no variable `{name}`", name, names, call.at("name"))
    return SelectedPart(ProgramPart.VARIABLE, system.design, system.system, name)


def _require_equation(body: SelectedPart, name: str, span: Span) -> None:
    names = [variable for equation in body.design.system(body.system).equations for variable in defined_by(equation)]
    if name not in names:
        raise _unknown(f"no equation of system `{body.system}` defines `{name}`", name, names, span)


def _unknown(message: str, name: str, names: list[str], span: Span) -> Rejected:
    remedy = did_you_mean(name, names) or f"there is {listing(names)}"
    return Rejected(Diagnostic(UNKNOWN_TARGET, message, Label(span), help=remedy))
