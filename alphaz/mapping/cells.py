"""Memory: cell(v, x) = (space of v, m_v(x), each component modulo its factor), with the defaults filled in.

Source: verifier.md section 3; the AlphaZ Verifier thesis 3.2 and 3.3. The thesis takes every modulus to be 1 (none).
"""

from collections.abc import Mapping, Sequence

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import MAP_SHAPE, MAPPING
from alphaz.mapping.statement import Cell
from alphaz.mapping.target import MemoryMap, TargetMapping
from alphaz.model.program import System, Variable
from alphaz.poly import Affine, AffineFunction, Constraint, at_least, equal, fresh_names


def cells_of(system: System, mapping: TargetMapping) -> dict[str, Cell]:
    """The cell of every variable. Raises Rejected (AZ404, AZ411) where a map does not fit its variable or its space."""
    cells = {v.name: _cell(v, mapping.memory_of(v.name)) for v in system.variables}
    _check_spaces(system, tuple(cells.values()))
    return cells


def _cell(variable: Variable, entry: MemoryMap | None) -> Cell:
    space = variable.domain.space
    if entry is None:
        own = AffineFunction.identity(space)
        return Cell(
            variable=variable.name,
            space=variable.name,
            function=own,
            moduli=(0,) * space.dimensions,
            span=variable.span,
        )
    function = AffineFunction.identity(space) if entry.function is None else _rebound(variable, entry, entry.function)
    moduli = entry.moduli or (0,) * len(function.outputs)
    if len(moduli) != len(function.outputs):
        raise _misfit(entry, f"{len(moduli)} mod factors for a memory map with {len(function.outputs)} dimensions")
    if any(m < 0 for m in moduli):
        raise _misfit(entry, "a mod factor is negative")
    return Cell(variable=variable.name, space=entry.space, function=function, moduli=moduli, span=entry.span)


def _rebound(variable: Variable, entry: MemoryMap, function: AffineFunction) -> AffineFunction:
    wanted = variable.domain.space.names
    if len(function.domain.names) != len(wanted):
        has, needs = len(function.domain.names), len(wanted)
        raise _misfit(entry, f"the memory map of {variable.name} has {has} indices; {variable.name} has {needs}")
    return function.renamed(wanted)


def _misfit(entry: MemoryMap, message: str) -> Rejected:
    return Rejected(Diagnostic(MAP_SHAPE, message, Label(entry.span)))


def _check_spaces(system: System, cells: Sequence[Cell]) -> None:
    """Variables of one space agree on its number of dimensions, and on the type of what it holds."""
    first: dict[str, Cell] = {}
    for cell in cells:
        known = first.setdefault(cell.space, cell)
        here, there = len(cell.function.outputs), len(known.function.outputs)
        if here != there:
            raise _conflict(cell, known, f"dimensions: {there} for {known.variable}, {here} for {cell.variable}")
        mine, other = system.variable(cell.variable).type, system.variable(known.variable).type
        if mine != other:
            raise _conflict(cell, known, f"types: {other} for {known.variable}, {mine} for {cell.variable}")


def _conflict(cell: Cell, known: Cell, what: str) -> Rejected:
    places = (Label(known.span, f"{known.variable} lives there too"),)
    message = f"the variables of memory space {cell.space} have different {what}"
    remedy = "give all variables of a space the same number of dimensions and the same type, or spaces of their own"
    return Rejected(Diagnostic(MAPPING, message, Label(cell.span, "set here"), places, help=remedy))


def location(cell: Cell, parameters: Mapping[str, int], point: Sequence[int]) -> tuple[str, tuple[int, ...]]:
    """The cell that holds `variable[point]`, by plain integers."""
    values = {**parameters, **dict(zip(cell.function.domain.names, point, strict=True))}
    at = (
        component % modulus if modulus else component
        for component, modulus in zip(cell.function.at(values), cell.moduli, strict=True)
    )
    return cell.space, tuple(at)


def one_cell(
    left: Cell, left_point: Sequence[Affine], right: Cell, right_point: Sequence[Affine], taken: Sequence[str]
) -> tuple[tuple[Constraint, ...], tuple[str, ...]]:
    """`cell(left) == cell(right)` for two cells of one space, with auxiliary names (to be projected out).

    The points are expressions over `taken`. Equal factors: m = m' + factor q; different ones: the residues are equal.
    """
    names = iter(fresh_names(2 * len(left.moduli), "q", taken))
    constraints: list[Constraint] = []
    auxiliary: list[str] = []

    def residue(component: Affine, modulus: int) -> Affine:
        if not modulus:
            return component
        auxiliary.append(next(names))
        rest = component - Affine.name(auxiliary[-1]) * modulus
        constraints.extend((at_least(rest, 0), at_least(-rest, 1 - modulus)))
        return rest

    pairs = zip(_at(left, left_point), left.moduli, _at(right, right_point), right.moduli, strict=True)
    for here, modulus, there, other in pairs:
        if modulus != other:
            constraints.append(equal(residue(here, modulus), residue(there, other)))
        elif modulus:
            auxiliary.append(next(names))
            constraints.append(equal(here - there, Affine.name(auxiliary[-1]) * modulus))
        else:
            constraints.append(equal(here, there))
    return tuple(constraints), tuple(auxiliary)


def _at(cell: Cell, point: Sequence[Affine]) -> tuple[Affine, ...]:
    by_name = dict(zip(cell.function.domain.names, point, strict=True))
    return tuple(output.substitute(by_name) for output in cell.function.outputs)


def is_one_to_one(cell: Cell) -> bool:
    """Whether no two points share a cell, for a structural reason: full rank, no factors. False: unknown."""
    return not any(cell.moduli) and rank(cell.function) == cell.function.domain.dimensions


def rank(function: AffineFunction) -> int:
    """The rank of the linear part over the indices, by fraction-free elimination."""
    rows = [[o.coefficient(n) for n in function.domain.names] for o in function.outputs]
    found = 0
    for column in range(function.domain.dimensions):
        pivot = next((r for r in rows if r[column]), None)
        if pivot is None:
            continue
        found += 1
        rows = [
            [pivot[column] * x - row[column] * p for x, p in zip(row, pivot, strict=True)]
            for row in rows
            if row is not pivot
        ]
    return found
