"""StandardizeNames: an equation names its indices as in the declaration of its variable."""

from dataclasses import replace

from alphaz.analysis.depth import deep
from alphaz.mapping.design import Design
from alphaz.model.program import Equation, System, UseEquation
from alphaz.transform.engine.edit import with_system
from alphaz.transform.engine.naming import with_names
from alphaz.transform.engine.rewrite import rewrite


def standardize_names(design: Design) -> Design:
    """Rename the indices of each equation to those in the declaration of its variable.

    *Rewrites*: the names of the left-hand side, of restricts and index expressions; the body of a reduction has these
    and then its own; after `f @` with the same number of indices, they name the positions there. Mappings stay.

    *Checks*: none."""
    program = design.program
    with deep():
        for system in program.systems:
            equations = tuple(_standard(system, equation) for equation in system.equations)
            program = with_system(program, system.name, replace(system, equations=equations))
        return rewrite(design, program)


def _standard(system: System, equation: Equation | UseEquation) -> Equation | UseEquation:
    """The equation with the standard names; use equations have those of the called system already."""
    if isinstance(equation, UseEquation):
        return equation
    names = system.variable(equation.variable).domain.space.names
    return replace(equation, indices=names, expression=with_names(equation.expression, equation.indices, names))
