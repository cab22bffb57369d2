"""The interface of a system for other equations and systems: its parameters, context and variables.

Systems are declared before any equation is elaborated, so that they may call each other in any order."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.analysis.elaborate.affine_forms import context_of, declared_domain
from alphaz.analysis.elaboration_findings import Findings
from alphaz.diagnostics import Label, Span
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import EMPTY_PLACE, REDECLARED, TYPE
from alphaz.diagnostics.work_limits import working_at
from alphaz.model.program import External, Kind, Variable
from alphaz.model.types import SCALAR_TYPES, ScalarType
from alphaz.poly import Domain, Space
from alphaz.syntax import tree
from alphaz.syntax.tree import parts


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """A system's interface. `variables` by name, in order; None if the declaration is wrong, so that its uses are not
    reported, too.

    `context` is None if the parameter domain is wrong."""

    text: tree.SystemText
    context: Domain | None
    variables: Mapping[str, Variable | None]

    @property
    def name(self) -> str:
        return self.text.name.text

    def of_kind(self, kind: Kind) -> tuple[Variable | None, ...]:
        """Returns the variables of one kind in the order of declaration, the wrong ones included."""
        declared = {Kind.INPUT: self.text.inputs, Kind.OUTPUT: self.text.outputs, Kind.LOCAL: self.text.locals}[kind]
        return tuple(self.variables[name.text] for declaration in declared for name in declaration.names)


def signature_of(text: tree.SystemText, findings: Findings) -> Signature:
    """Declares the parameters and the variables of a system."""
    context = context_of(text.parameters, findings)
    parameters = {name.text: name.span for name in text.parameters.polyhedra[0].names}
    spans: dict[str, Span] = {}
    variables: dict[str, Variable | None] = {}
    sections = ((Kind.INPUT, text.inputs), (Kind.OUTPUT, text.outputs), (Kind.LOCAL, text.locals))
    for kind, declarations in sections:
        for declaration in declarations:
            with working_at(declaration.span, "whether this declaration is right"):
                domain = _domain_of(declaration, context, findings)
            type_ = _type(declaration.type, findings)
            for name in declaration.names:
                earlier = spans.get(name.text) or parameters.get(name.text)
                if earlier is not None:
                    what = "parameter" if name.text not in spans else "variable"
                    _twice(what, name, earlier, findings)
                spans.setdefault(name.text, name.span)
                variables.setdefault(name.text, _variable(name, kind, type_, domain))
    return Signature(text, context, variables)


def _domain_of(declaration: tree.Declaration, context: Domain | None, findings: Findings) -> Domain | None:
    if context is None:
        return None
    if declaration.domain is None:
        return Domain.universe(Space(context.space.parameters)).in_context(context)
    domain = declared_domain(declaration.domain, context.space.parameters, findings)
    return None if domain is None else domain.in_context(context)


def _variable(name: tree.Name, kind: Kind, type_: ScalarType, domain: Domain | None) -> Variable | None:
    return None if domain is None else Variable(name=name.text, kind=kind, type=type_, domain=domain, span=name.span)


def _type(text: tree.TypeName, findings: Findings) -> ScalarType:
    """The type; `unsigned` is valid with integers alone, and ignored otherwise."""
    scalar_type = SCALAR_TYPES.get(text.text)
    if scalar_type is None:
        plain = text.text.removeprefix("unsigned ")
        message = f"there is no type `{text.text}`: only integers are unsigned"
        findings.report(TYPE, message, text.span, "no type of C", help_=f"write `{plain}`")
        scalar_type = SCALAR_TYPES[plain]
    return scalar_type


def _twice(what: str, name: tree.Name, earlier: Span, findings: Findings) -> None:
    findings.report(
        REDECLARED,
        f"`{name.text}` is declared twice",
        name.span,
        "declared again here",
        related=(Label(earlier, f"first declared here, as a {what}"),),
        help_="give one of the two another name",
    )


def unique(what: str, names: tuple[tree.Name, ...], findings: Findings) -> None:
    """Reports every name that is declared before."""
    first: dict[str, tree.Name] = {}
    for name in names:
        if name.text in first:
            _twice(what, name, first[name.text].span, findings)
        first.setdefault(name.text, name)


def externals_of(program: tree.ProgramText, findings: Findings) -> dict[str, External]:
    """Returns the declared functions by name; the first declaration of a name counts."""
    unique("function", tuple(text.name for text in program.externals), findings)
    externals: dict[str, External] = {}
    for text in program.externals:
        arguments = tuple(None if a is None else _type(a, findings) for a in text.arguments)
        if None in arguments and not _is_called(text.name.text, len(arguments), program):
            arguments = tuple(argument for argument in arguments if argument is not None)
            ignored = f"so that `{text.name.text}` has {count_text(len(arguments), 'argument')}"
            remedy = "leave out the comma, or name a type"
            findings.report(EMPTY_PLACE, f"an empty place is ignored, {ignored}", text.span, help_=remedy)
        external = External(text.name.text, _type(text.type, findings), arguments, span=text.span)
        externals.setdefault(text.name.text, external)
    return externals


def _is_called(function: str, arguments: int, program: tree.ProgramText) -> bool:
    """Returns True if the program calls the function with this number of arguments: then a place without a type is an
    argument, too."""
    for system in program.systems:
        waiting: list[tree.ExpressionNode] = [] if system.loop is None else [system.loop.condition]
        for equation in system.equations:
            waiting += (equation.body,) if isinstance(equation, tree.EquationText) else equation.inputs
        while waiting:
            node = waiting.pop()
            waiting += parts(node)
            if isinstance(node, tree.FunctionCall) and node.name.text == function and len(node.arguments) == arguments:
                return True
            if isinstance(node, tree.ReduceExpression) and node.operator == function and arguments == 2:
                return True
    return False
