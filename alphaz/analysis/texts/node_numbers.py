"""Nodes by number: `0,2,0,1` is child 1 of the right-hand side of equation 2 of system 0.

Numbers follow the tree of PrintAST, in which a function precedes every variable and constant: a read `A[i-1]` is a
function (one level) with a variable inside (one more). Both numbers find the read."""

from collections.abc import Iterator
from dataclasses import dataclass

from alphaz.diagnostics import Diagnostic, Label, Rejected, rules
from alphaz.model.expression import Access, Constant, Expression
from alphaz.model.program import Equation, Program, System, UseEquation
from alphaz.model.walk import children


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """An expression and its place. `number` is that of PrintAST."""

    number: tuple[int, ...]
    system: System
    equation: Equation | UseEquation
    expression: Expression

    @property
    def text(self) -> str:
        return ",".join(map(str, self.number))


def roots(equation: Equation | UseEquation) -> tuple[Expression, ...]:
    """Returns the expressions of an equation: the right-hand side, or the inputs of a call."""
    return (equation.expression,) if isinstance(equation, Equation) else equation.inputs


def sites(program: Program) -> Iterator[Site]:
    """Yields every expression of the program, in the order of the text.

    The right-hand side of an equation is its child 0; the inputs of a use equation are its children 0, 1, ..."""
    for s, system in enumerate(program.systems):
        for e, equation in enumerate(system.equations):
            waiting: list[tuple[tuple[int, ...], Expression]] = [
                ((s, e, position), root) for position, root in reversed(list(enumerate(roots(equation))))
            ]
            while waiting:
                number, node = waiting.pop()
                yield Site(number, system, equation, node)
                waiting.extend(
                    ((*number, position), child) for position, child in reversed(list(enumerate(children(node))))
                )


def find_node(program: Program, text: str) -> Site:
    """Returns the expression with this number, written `0,0,1` or `(0,0,1)`. Raises Rejected if there is none."""
    try:
        number = tuple(int(part) for part in text.strip().removeprefix("(").removesuffix(")").split(","))
    except ValueError:
        raise _missing(program, text, "a node is named by numbers, as in `0,0,1`") from None
    for site in sites(program):
        inner = (*site.number, 0) if isinstance(site.expression, Access | Constant) else site.number
        if number in (site.number, inner):
            return site
    raise _missing(program, text, "PrintAST shows the numbers of all nodes")


def _missing(program: Program, text: str, remedy: str) -> Rejected:
    span = program.systems[0].span
    return Rejected(Diagnostic(rules.UNKNOWN_TARGET, f"there is no node `{text}`", Label(span), help=remedy))
