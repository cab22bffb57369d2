"""Memory spaces: their variables, their cells, and the spaces that are arrays of the caller."""

from collections.abc import Collection, Mapping, Sequence

from alphaz.mapping.factors import Factor, is_parametric
from alphaz.mapping.statement import Cell
from alphaz.model.program import Kind, System, Variable
from alphaz.poly import Affine, AffineFunction, Domain, fresh_names
from alphaz.poly.algorithms.bounds import image_modulo

Cells = Mapping[str, Cell]


def occupants(system: System, cells: Cells) -> dict[str, list[Variable]]:
    """Returns the variables of each space, in the order of the system."""
    spaces: dict[str, list[Variable]] = {}
    for variable in system.variables:
        spaces.setdefault(cells[variable.name].space, []).append(variable)
    return spaces


def callers_own(
    system: System, cells: Cells, together: Sequence[Variable], overwritable: Collection[str] = ()
) -> Variable | None:
    """Returns the variable of one space whose array, made by the caller, can serve as the space; None if there is none.

    That is an input alone in its space, or an output, or an input that may be overwritten, with the identity as its
    map when no other variable of the space leaves its domain. An output is taken first: its array is needed anyway.
    """
    if [v.kind for v in together] == [Kind.INPUT]:
        return together[0]
    for variable in lenders(together, overwritable):
        if is_own(cells[variable.name]):
            others = (other for other in together if other is not variable)
            if all(lives_inside(system, cells[other.name], other, variable) for other in others):
                return variable
    return None


def lenders(together: Sequence[Variable], overwritable: Collection[str]) -> tuple[Variable, ...]:
    """Returns the variables whose arrays the caller has and others may use: outputs, then inputs that may be
    overwritten.
    """
    outputs = tuple(v for v in together if v.kind is Kind.OUTPUT)
    return (*outputs, *(v for v in together if v.name in overwritable))


def is_closed(together: Sequence[Variable], overwritable: Collection[str]) -> bool:
    """Returns True if no other variable may use the space: it is the caller's array of an input that is not
    overwritten.
    """
    return [v.kind for v in together] == [Kind.INPUT] and together[0].name not in overwritable


def is_own(cell: Cell) -> bool:
    """Returns True if a variable is stored at its own points."""
    return cell.function.is_identity and not any(cell.moduli)


def lives_inside(system: System, cell: Cell, variable: Variable, owner: Variable) -> bool:
    """Returns True if all cells of the variable are points of the owner. False means unknown (mod factors are
    parametric).
    """
    if any(map(is_parametric, cell.moduli)):
        return False
    return cells_of_variable(system, cell, variable).is_subset(owner.domain.in_context(system.context))


def cells_of_variable(system: System, cell: Cell, variable: Variable, folded: Sequence[bool] = ()) -> Domain:
    """Returns the cells of a variable in its space; 0 in dimensions that a mod factor folds, including parametric
    factors.
    """
    outputs, moduli = list(cell.function.outputs), []
    for position, factor in enumerate(cell.moduli):
        fold = not isinstance(factor, int) or (bool(folded) and folded[position])
        outputs[position] = Affine() if fold else outputs[position]
        moduli.append(0 if fold or not isinstance(factor, int) else factor)
    function = AffineFunction(cell.function.domain, tuple(outputs))
    fresh = fresh_names(len(outputs), "m", system.parameters)
    return image_modulo(variable.domain.in_context(system.context), function, moduli, fresh)


def space_of_cells(system: System, cells: Cells, together: Sequence[Variable]) -> tuple[Domain, tuple[Factor, ...]]:
    """Returns all cells of a space, and the mod factors common to all of its variables; where there is one, cells are
    0.
    """
    return cells_of_members(system, [(cells[v.name], v) for v in together])


def cells_of_members(system: System, members: Sequence[tuple[Cell, Variable]]) -> tuple[Domain, tuple[Factor, ...]]:
    """Returns the same for variables with their cells in one space; one may have several."""
    first, variable = members[0]
    moduli = tuple(
        m if all(cell.moduli[position] == m for cell, _ in members) else 0 for position, m in enumerate(first.moduli)
    )
    folded = [m != 0 for m in moduli]
    whole = cells_of_variable(system, first, variable, folded)
    for cell, variable in members[1:]:
        whole = whole | cells_of_variable(system, cell, variable, folded)
    return whole, moduli
