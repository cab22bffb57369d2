"""Comparison of two tables of facts about one program."""

from alphaz.model.expression import Facts
from alphaz.model.program import Equation, Program
from alphaz.model.walk import walk


def same_facts(program: Program, one: Facts, other: Facts) -> None:
    """Asserts that both say the same of each expression."""
    for system in program.systems:
        for equation in system.equations:
            for root in (equation.expression,) if isinstance(equation, Equation) else equation.inputs:
                for node in walk(root):
                    assert one.types[node] == other.types[node]
                    assert one.context_domain[node].equals(other.context_domain[node])
                    assert one.expression_domain[node].equals(other.expression_domain[node])
