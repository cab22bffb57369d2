"""Program -> syntax tree: the inverse of elaboration. Reading the text of the tree gives an equivalent program."""

from dataclasses import replace
from itertools import groupby

from alphaz.analysis.depth import deep
from alphaz.analysis.texts.domain_texts import affine_text, domain_text, names_text, own_limits
from alphaz.analysis.texts.expression_reflection import expression_tree
from alphaz.model.program import Equation, External, Program, System, UseEquation, Variable, WhileLoop, input_names
from alphaz.poly import Domain
from alphaz.syntax import tree

__all__ = ["bundle_tree", "declarations_tree", "equation_tree", "expression_tree", "program_tree", "system_tree"]


def program_tree(program: Program, array: bool) -> tree.ProgramText:
    """Returns the whole program, in array form or point-free. Raises Rejected for a domain without a notation in the
    language."""
    externals = tuple(_external(external) for external in program.externals)
    with deep():
        return tree.ProgramText(externals, tuple(system_tree(program, system, array) for system in program.systems))


def bundle_tree(program: Program) -> tree.ProgramText:
    """Returns the whole program in array form, except for the arguments of calls, where indices have no names."""
    whole = program_tree(program, array=True)
    with deep():
        systems = tuple(
            replace(text, equations=tuple(_of_bundle(program, system, e) for e in system.equations))
            for text, system in zip(whole.systems, program.systems, strict=True)
        )
        return replace(whole, systems=systems)


def _of_bundle(program: Program, system: System, equation: Equation | UseEquation) -> tree.EquationText | tree.UseText:
    return equation_tree(program, system, equation, array=isinstance(equation, Equation))


def system_tree(program: Program, system: System, array: bool) -> tree.SystemText:
    """Returns one system of the program."""
    return tree.SystemText(
        tree.Name(system.name),
        _context(system),
        declarations_tree(system, system.inputs),
        declarations_tree(system, system.outputs),
        declarations_tree(system, system.locals),
        None if system.loop is None else _loop(system, system.loop),
        tuple(equation_tree(program, system, equation, array) for equation in system.equations),
        system.given and system.loop is None,
    )


def _external(external: External) -> tree.ExternalNode:
    arguments = tuple(None if a is None else tree.TypeName(a.name) for a in external.arguments)
    return tree.ExternalNode(tree.TypeName(external.type.name), tree.Name(external.name), arguments)


def _context(system: System) -> tree.DomainText:
    """The parameter domain: its names are the parameters."""
    return domain_text(system.context, system.parameters, system.span)


def declarations_tree(system: System, variables: tuple[Variable, ...]) -> tuple[tree.Declaration, ...]:
    """Returns the declarations; neighbours of one type and domain share one."""
    texts = [(tree.TypeName(v.type.name), _declared_domain(system, v.domain), v) for v in variables]
    grouped = groupby(texts, key=lambda text: text[:2])
    return tuple(
        tree.Declaration(type_, names_text(v.name for _, _, v in group), domain) for (type_, domain), group in grouped
    )


def _declared_domain(system: System, domain: Domain) -> tree.DomainText | None:
    """The domain without the constraints that the context implies; None for a scalar that always exists."""
    text = domain_text(own_limits(domain, system.context), domain.space.names, system.span)
    return None if text == tree.DomainText((tree.Polyhedron((), ()),)) else text


def _loop(system: System, loop: WhileLoop) -> tree.WhileText:
    domain = _declared_domain(system, loop.domain) or tree.DomainText((tree.Polyhedron((), ()),))
    return tree.WhileText(domain, expression_tree(loop.condition, loop.domain.space.names))


def equation_tree(
    program: Program, system: System, equation: Equation | UseEquation, array: bool
) -> tree.EquationText | tree.UseText:
    """Returns one equation. Point-free, its left-hand side has no indices, and the names are those of the
    declaration."""
    if isinstance(equation, UseEquation):
        return _use(program, system, equation, array)
    indices = equation.indices if array else system.variable(equation.variable).domain.space.names
    body = expression_tree(equation.expression, equation.indices, array, indices)
    return tree.EquationText(tree.Name(equation.variable), names_text(indices) if array else None, body)


def _use(program: Program, system: System, equation: UseEquation, array: bool) -> tree.UseText:
    callee = program.system(equation.system)
    extension = equation.extension.space.names
    inputs = tuple(
        expression_tree(body, input_names(system.parameters, extension, variable), array)
        for body, variable in zip(equation.inputs, callee.inputs, strict=True)
    )
    return tree.UseText(
        _declared_domain(system, equation.extension),
        tree.Name(equation.system),
        tuple(affine_text(parameter) for parameter in equation.parameters),
        inputs,
        names_text(equation.outputs),
    )
