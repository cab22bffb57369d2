"""Programs with some parts replaced (systems, equations, variables, nodes), and reads whose domain matters."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace

from alphaz.model.expression import Access, Case, Expression, Reduce, Restrict
from alphaz.model.program import Equation, Program, System, UseEquation, Variable
from alphaz.model.walk import children, rebuild
from alphaz.poly import Domain
from alphaz.transform.engine.checked_rewrite import without_context

AnyEquation = Equation | UseEquation


def with_system(program: Program, name: str, system: System) -> Program:
    """Returns the program with `system` instead of the one named `name`."""
    return replace(program, systems=tuple(system if s.name == name else s for s in program.systems))


def with_equation(system: System, old: AnyEquation, *new: AnyEquation) -> System:
    """Returns the system with the new equations instead of the old one (none: it is removed)."""
    equations: list[AnyEquation] = []
    for equation in system.equations:
        equations.extend(new if equation is old else (equation,))
    return replace(system, equations=tuple(equations))


def with_variable(system: System, old: Variable, *new: Variable) -> System:
    """Returns the system with the new variables instead of the old one (none: it is removed)."""
    variables: list[Variable] = []
    for variable in system.variables:
        variables.extend(new if variable is old else (variable,))
    return replace(system, variables=tuple(variables))


def add_to_system(system: System, variables: Iterable[Variable], equations: Iterable[AnyEquation]) -> System:
    """Returns the system with further variables and equations, at the end."""
    return replace(system, variables=(*system.variables, *variables), equations=(*system.equations, *equations))


def roots(equation: AnyEquation) -> tuple[Expression, ...]:
    """Returns the expressions of an equation: the right-hand side, or the inputs of a call."""
    return (equation.expression,) if isinstance(equation, Equation) else equation.inputs


def with_roots(equation: AnyEquation, expressions: Iterable[Expression]) -> AnyEquation:
    """Returns the equation with other expressions (the same number); itself if they are identical."""
    new = tuple(expressions)
    if all(a is b for a, b in zip(new, roots(equation), strict=True)):
        return equation
    return replace(equation, expression=new[0]) if isinstance(equation, Equation) else replace(equation, inputs=new)


def all_roots(system: System) -> Iterator[Expression]:
    """Yields every expression of the system, the condition of its loop included."""
    for equation in system.equations:
        yield from roots(equation)
    if system.loop is not None:
        yield system.loop.condition


def map_roots(system: System, change: Callable[[Expression], Expression]) -> System:
    """Returns the system with every expression (the condition of its loop included) mapped by `change`."""
    equations = tuple(with_roots(e, map(change, roots(e))) for e in system.equations)
    loop = system.loop and replace(system.loop, condition=change(system.loop.condition))
    return replace(system, equations=equations, loop=loop)


def replace_nodes(root: Expression, change: Callable[[Expression], Expression | None]) -> Expression:
    """Returns the tree in which every outermost node with a result of `change` is replaced by that result."""
    answer = change(root)
    if answer is not None:
        return answer
    return rebuild(root, tuple(replace_nodes(child, change) for child in children(root)))


def map_accesses(system: System, variable: str, change: Callable[[Access], Expression]) -> System:
    """Returns the system in which every read of the variable is replaced."""

    def answer(node: Expression) -> Expression | None:
        return change(node) if isinstance(node, Access) and node.variable == variable else None

    return map_roots(system, lambda root: replace_nodes(root, answer))


def fresh(stem: str, used_names: Collection[str]) -> str:
    """Returns `stem`, or `stem_1`, `stem_2`, ...: the first unused name."""
    name, count = stem, 0
    while name in used_names:
        count += 1
        name = f"{stem}_{count}"
    return name


def map_guarded_reads(system: System, variable: str, change: Callable[[Access], Expression], domain: Domain) -> System:
    """Returns the system with every read of the variable replaced; if its domain matters, the new one is restricted to
    `domain` of it.

    `domain` is over the indices of the replaced variable."""

    def visit(node: Expression, implicit: bool) -> Expression:
        if isinstance(node, Access) and node.variable == variable:
            new = change(node)
            return (
                Restrict(without_context(domain.preimage(node.function), system), new, span=node.span)
                if implicit
                else new
            )
        inside = implicit or isinstance(node, Case | Reduce)
        return rebuild(node, tuple(visit(child, inside) for child in children(node)))

    return map_roots(system, lambda root: visit(root, False))
