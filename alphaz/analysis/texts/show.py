"""Programs and parts of them as text, in the usual style."""

from dataclasses import replace

from alphaz.analysis.depth import deep
from alphaz.analysis.texts.domain_texts import can_be_written, domain_text
from alphaz.analysis.texts.program_reflection import (
    bundle_tree,
    declarations_tree,
    equation_tree,
    expression_tree,
    program_tree,
)
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import UNREADABLE
from alphaz.model.expression import Expression
from alphaz.model.program import Equation, Program, System, UseEquation, Variable
from alphaz.poly import Domain
from alphaz.syntax import tree
from alphaz.syntax.alpha_printer import NotExpressible, print_bundle
from alphaz.syntax.latex import program_latex
from alphaz.syntax.printer import print_declaration, print_domain, print_equation, print_expression, print_program


def show(program: Program, system: str | None = None) -> str:
    """Returns the program (or one system of it, by name) in point-free form."""
    return _text(program, system, array=False)


def ashow(program: Program, system: str | None = None) -> str:
    """Returns the program (or one system of it, by name) in array form."""
    return _text(program, system, array=True)


def alpha(program: Program, system: str | None = None) -> str:
    """Returns the program (or one system of it) in the successor language (`*.alpha`).

    Raises Rejected (AZ107) for constructs without a counterpart in that language."""
    try:
        with deep():
            text = print_bundle(_systems(bundle_tree(program), system))
    except NotExpressible as reason:
        message = f"the successor's language has no word for {reason}"
        raise Rejected(Diagnostic(UNREADABLE, message, Label(program.systems[0].span))) from None
    return "".join([*identity_lines(program), text])


def latex(program: Program, system: str | None = None) -> str:
    """Returns the program (or one system of it, by name) as displayed mathematics."""
    with deep():
        return program_latex(_systems(program_tree(program, array=True), system))


def _text(program: Program, system: str | None, array: bool) -> str:
    text = print_program(_systems(program_tree(program, array), system))
    return "".join([*identity_lines(program), text])


def identity_lines(program: Program) -> list[str]:
    """Returns lines for the neutral elements of functions, and an empty one."""
    lines = [f"//@ identity {e.name} = {e.identity}\n" for e in program.externals if e.identity is not None]
    return [*lines, "\n"] if lines else []


def _systems(whole: tree.ProgramText, system: str | None) -> tree.ProgramText:
    systems = whole.systems if system is None else tuple(s for s in whole.systems if s.name.text == system)
    return replace(whole, systems=systems)


def expression_text(node: Expression, indices: tuple[str, ...], array: bool = True) -> str:
    """Returns the text of one expression whose context has these indices."""
    return print_expression(expression_tree(node, indices, array))


def equation_shown(program: Program, system: System, equation: Equation | UseEquation) -> str:
    """Returns one equation of the system, in array form."""
    with deep():
        return print_equation(equation_tree(program, system, equation, array=True))


def variable_shown(system: System, variable: Variable) -> str:
    """Returns the declaration of one variable of the system."""
    (declared,) = declarations_tree(system, (variable,))
    return f"{variable.kind} {print_declaration(declared)}"


def domain_shown(domain: Domain) -> str:
    """Returns a domain with its own index names; a set without a notation in the language as constraints with
    floors."""
    if not can_be_written(domain):
        return str(domain)
    return print_domain(domain_text(domain, domain.space.names, NOWHERE))
