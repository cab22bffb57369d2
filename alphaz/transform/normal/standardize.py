"""StandardizeNames: an equation calls its indices what the declaration of its variable calls them."""

from dataclasses import replace

from alphaz.analysis.depth import deep
from alphaz.mapping.design import Design
from alphaz.model.program import Equation, System, UseEquation
from alphaz.transform.engine.edit import with_system
from alphaz.transform.engine.naming import with_names
from alphaz.transform.engine.rewrite import rewrite


def standardize_names(design: Design) -> Design:
    """Give all that stands in an equation the names of the indices that its variable is declared with.

    *Rewrites*: the names of the left-hand side, of restricts and index expressions; the body of a reduction has these
    and then its own; behind `f @`, where there are as many indices, they name the positions there. Mappings stay.

    *Checks*: nothing needs to hold.
    """
    program = design.program
    with deep():
        for system in program.systems:
            equations = tuple(_standard(system, equation) for equation in system.equations)
            program = with_system(program, system.name, replace(system, equations=equations))
        return rewrite(design, program)


def _standard(system: System, equation: Equation | UseEquation) -> Equation | UseEquation:
    """Those of a call have the names of the called system already."""
    if isinstance(equation, UseEquation):
        return equation
    names = system.variable(equation.variable).domain.space.names
    return replace(equation, indices=names, expression=with_names(equation.expression, equation.indices, names))
