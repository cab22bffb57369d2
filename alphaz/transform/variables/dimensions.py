"""Common changes of basis: to fewer dimensions, to as many as other variables have, or to the dates.

reduceDimVariable: the indices that determine the others on the domain.      (i,j -> i) where j == i+1
alignDimVariable:  zeros after the indices, up to the most that a variable of the system has.
ApplySTMap:        every local at its dates."""

from alphaz.diagnostics import NOWHERE, Span
from alphaz.mapping.design import Design
from alphaz.poly import Affine, AffineFunction
from alphaz.poly.algorithms.functional import determining
from alphaz.transform.engine.refuse import find_system, find_variable, refusal
from alphaz.transform.variables.basis import change_of_basis


def reduced_dimensions(design: Design, system: str, variable: str, span: Span = NOWHERE) -> AffineFunction:
    """Returns the function to the fewest of the variable's indices that is injective on its domain; the identity if all
    are needed."""
    home = find_system(design.program, system, span)
    domain = find_variable(home, variable, span).domain.in_context(home.context)
    kept = determining(domain)
    return AffineFunction(domain.space, tuple(Affine.name(n) for n in kept))


def aligned_dimensions(design: Design, system: str, variable: str, span: Span = NOWHERE) -> AffineFunction:
    """Returns the function to the largest number of indices of any local or output of the system: zeros follow the
    variable's own."""
    home = find_system(design.program, system, span)
    space = find_variable(home, variable, span).domain.space
    most = max(v.domain.space.dimensions for v in (*home.locals, *home.outputs, home.variable(variable)))
    padding = (Affine(),) * (most - space.dimensions)
    return AffineFunction(space, (*(Affine.name(n) for n in space.names), *padding))


def apply_space_time_maps(design: Design, system: str, span: Span = NOWHERE) -> Design:
    """Change the basis of every local to its dates, so that its indices are time and space.

    *Rewrites*: as CoB, for each local whose space-time map takes its indices; its map is then the identity on them.

    *Checks*: there is such a local; each map is injective on its domain, with an integer affine inverse.
    """
    home = find_system(design.program, system, span)
    mapped = []
    for variable in home.locals:
        entry = design.mapping(system).space_time_of(variable.name)
        if entry is not None and entry.function.domain.dimensions == variable.domain.space.dimensions:
            mapped.append((variable.name, entry.function))
    if not mapped:
        raise refusal(
            f"no local of {system} has a space-time map", span, help="setSpaceTimeMap gives locals their dates"
        )
    for name, function in mapped:
        design = change_of_basis(design, system, name, function, span)
    return design
