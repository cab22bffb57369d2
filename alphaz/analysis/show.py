"""Programs and parts of them as text, in the style in which people write."""

from dataclasses import replace

from alphaz.analysis.depth import deep
from alphaz.analysis.domain_texts import can_be_written, domain_text
from alphaz.analysis.reflect import equation_tree, expression_tree, program_tree
from alphaz.diagnostics import NOWHERE
from alphaz.model.expression import Expression
from alphaz.model.program import Equation, Program, System, UseEquation
from alphaz.poly import Domain
from alphaz.syntax import tree
from alphaz.syntax.latex import program_latex
from alphaz.syntax.printer import print_affine, print_domain, print_expression, print_program


def show(program: Program, system: str | None = None) -> str:
    """The program (or one system of it, by name) in point-free form."""
    return _text(program, system, array=False)


def ashow(program: Program, system: str | None = None) -> str:
    """The program (or one system of it, by name) in array form."""
    return _text(program, system, array=True)


def latex(program: Program, system: str | None = None) -> str:
    """The program (or one system of it, by name) as displayed mathematics."""
    with deep():
        return program_latex(_systems(program_tree(program, array=True), system))


def _text(program: Program, system: str | None, array: bool) -> str:
    identities = [f"//@ identity {e.name} = {e.identity}\n" for e in program.externals if e.identity is not None]
    text = print_program(_systems(program_tree(program, array), system))
    return "".join([*identities, "\n" if identities else "", text])


def _systems(whole: tree.ProgramText, system: str | None) -> tree.ProgramText:
    wanted = whole.systems if system is None else tuple(s for s in whole.systems if s.name.text == system)
    return replace(whole, systems=wanted)


def equation_text(program: Program, system: System, equation: Equation | UseEquation, array: bool = True) -> str:
    """One equation, with its semicolon."""
    text = equation_tree(program, system, equation, array)
    if isinstance(text, tree.UseText):
        return _use_text(text)
    indices = "" if text.indices is None else f"[{','.join(name.text for name in text.indices)}]"
    return f"{text.name.text}{indices} = {print_expression(text.body)};"


def _use_text(text: tree.UseText) -> str:
    extension = "" if text.extension is None else f"{print_domain(text.extension)} "
    parameters = ",".join(print_affine(parameter) for parameter in text.parameters)
    inputs = ", ".join(print_expression(body) for body in text.inputs)
    outputs = ", ".join(name.text for name in text.outputs)
    return f"use {extension}{text.system.text}[{parameters}]({inputs}) returns ({outputs});"


def expression_text(node: Expression, indices: tuple[str, ...], array: bool = True) -> str:
    """One expression whose context has these indices."""
    return print_expression(expression_tree(node, indices, array))


def domain_shown(domain: Domain) -> str:
    """A domain with its own index names; what the language cannot write stands as constraints with floors."""
    if not can_be_written(domain):
        return str(domain)
    return print_domain(domain_text(domain, domain.space.names, NOWHERE))
