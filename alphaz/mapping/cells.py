"""Memory: cell(v, x) = (space of v, m_v(x), each component modulo its factor), with the defaults filled in.

Source: verifier.md section 3; the AlphaZ Verifier thesis 3.2 and 3.3. The thesis takes every modulus to be 1 (none).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import FACTOR, MAP_SHAPE, MAPPING
from alphaz.mapping.factors import Factor, is_parametric, not_positive, value_at
from alphaz.mapping.statement import Cell
from alphaz.mapping.target_mapping import MemoryMap, TargetMapping
from alphaz.model.program import System, Variable
from alphaz.poly import (
    Affine,
    AffineFunction,
    Constraint,
    Domain,
    Floor,
    Piece,
    Space,
    at_least,
    equal,
    fresh_names,
)
from alphaz.poly.plain import solve


def cells_of(system: System, mapping: TargetMapping) -> dict[str, Cell]:
    """Returns the cell of every variable. Raises Rejected where a map does not fit its variable or its space (AZ404,
    AZ411), or a factor is not positive (AZ612).
    """
    cells = {v.name: _cell(v, mapping.memory_of(v.name), system.context) for v in system.variables}
    _check_spaces({v.name: v for v in system.variables}, tuple(cells.values()))
    return cells


def ghosts_of(system: System, mapping: TargetMapping, cells: Mapping[str, Cell]) -> dict[str, Cell]:
    """Returns the cells of received copies, by variable: those of the ghost maps, else those of the variable itself.

    Raises Rejected as `cells_of` does.
    """
    entries = {entry.variable: entry for entry in mapping.ghosts}
    variables = {v.name: v for v in system.variables}
    stated = {name: _cell(variables[name], entry, system.context) for name, entry in entries.items()}
    _check_spaces(variables, (*cells.values(), *stated.values()))
    return {**cells, **{name: cell for name, cell in stated.items() if not _is_same(cell, cells[name])}}


def _is_same(one: Cell, other: Cell) -> bool:
    return (one.space, one.function, one.moduli) == (other.space, other.function, other.moduli)


def _cell(variable: Variable, entry: MemoryMap | None, context: Domain) -> Cell:
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
        factors, dimensions = (
            count_text(number, word)
            for number, word in ((len(moduli), "mod factor"), (len(function.outputs), "dimension"))
        )
        raise _misfit(entry, f"{factors} for a memory map with {dimensions}")
    if any(isinstance(m, int) and m < 0 for m in moduli):
        raise _misfit(entry, "a mod factor is negative")
    for factor in moduli:
        _check_positive(entry, factor, context)
    return Cell(variable=variable.name, space=entry.space, function=function, moduli=moduli, span=entry.span)


def _check_positive(entry: MemoryMap, factor: Factor, context: Domain) -> None:
    wrong = not_positive(factor, context)
    if wrong is not None:
        where = ", ".join(f"{name}={value}" for name, value in wrong.items())
        message = f"the mod factor {factor} of {entry.variable} is {value_at(factor, wrong)} where {where}"
        remedy = "a mod factor is positive for all parameters of the system: add a constant, or narrow the parameters"
        raise Rejected(Diagnostic(FACTOR, message, Label(entry.span), help=remedy))


def _rebound(variable: Variable, entry: MemoryMap, function: AffineFunction) -> AffineFunction:
    names = variable.domain.space.names
    if len(function.domain.names) != len(names):
        has, needs = len(function.domain.names), len(names)
        raise _misfit(entry, f"the memory map of {variable.name} has {has} indices; {variable.name} has {needs}")
    return function.renamed(names)


def _misfit(entry: MemoryMap, message: str) -> Rejected:
    return Rejected(Diagnostic(MAP_SHAPE, message, Label(entry.span)))


def _check_spaces(variables: Mapping[str, Variable], cells: Sequence[Cell]) -> None:
    """Checks that variables of one space agree on its number of dimensions, its element type, and
    parametric factors.
    """
    first: dict[str, Cell] = {}
    for cell in cells:
        first_cell = first.setdefault(cell.space, cell)
        here, there = len(cell.function.outputs), len(first_cell.function.outputs)
        if here != there:
            raise _conflict(
                cell, first_cell, f"dimensions: {there} for {first_cell.variable}, {here} for {cell.variable}"
            )
        factors = zip(cell.moduli, first_cell.moduli, strict=True)
        unlike = next((pair for pair in factors if pair[0] != pair[1] and any(map(is_parametric, pair))), None)
        if unlike is not None:
            raise _conflict(
                cell, first_cell, f"mod factors: {unlike[1]} for {first_cell.variable}, {unlike[0]} for {cell.variable}"
            )
        mine, other = variables[cell.variable].type, variables[first_cell.variable].type
        if mine != other:
            raise _conflict(cell, first_cell, f"types: {other} for {first_cell.variable}, {mine} for {cell.variable}")


def _conflict(cell: Cell, other_cell: Cell, what: str) -> Rejected:
    places = (Label(other_cell.span, f"{other_cell.variable} is in this space too"),)
    message = f"the variables of memory space {cell.space} have different {what}"
    remedy = "give all variables of a space the same number of dimensions, the same type and the same mod factors where"
    remedy += " these have parameters, or spaces of their own"
    return Rejected(Diagnostic(MAPPING, message, Label(cell.span, "set here"), places, help=remedy))


def location(cell: Cell, parameters: Mapping[str, int], point: Sequence[int]) -> tuple[str, tuple[int, ...]]:
    """Returns the cell that holds `variable[point]`, by plain integers."""
    values = {**parameters, **dict(zip(cell.function.domain.names, point, strict=True))}
    at = (
        component % value_at(modulus, parameters) if modulus else component
        for component, modulus in zip(cell.function.at(values), cell.moduli, strict=True)
    )
    return cell.space, tuple(at)


# A conjunction of constraints, and a union of them.
Conjunction = tuple[Constraint, ...]
Union = tuple[Conjunction, ...]


@dataclass(frozen=True, slots=True)
class OneCell:
    """The condition that two points have one cell: the `constraints`, over (new) names of `floors` too, and one
    conjunction of each of `choices`.

    There is a choice for each parametric factor f, by the distance of the components in factors. A distance of 2 f or
    more is taken to be equal, since q f is no affine expression: `sure` are the choices without that.
    """

    constraints: Conjunction
    floors: tuple[Floor, ...]
    choices: tuple[Union, ...] = ()
    sure: tuple[Union, ...] = ()

    @property
    def auxiliary(self) -> tuple[str, ...]:
        """Returns the names of the floors, which are existentially quantified."""
        return tuple(floor.name for floor in self.floors)

    def pieces(self, surely: bool = False) -> tuple[Piece, ...]:
        """Returns the same condition over the names of the points alone."""
        chosen = product(*(self.sure if surely else self.choices))
        return tuple(Piece((*self.constraints, *chain.from_iterable(constraint)), self.floors) for constraint in chosen)

    def domain(self, space: Space, surely: bool = False) -> Domain:
        """Returns the points of a space (which excludes the auxiliary names) that satisfy the condition."""
        whole = space.with_names((*space.names, *self.auxiliary))
        points = Domain.where(whole, self.constraints)
        for choice in self.sure if surely else self.choices:
            points &= Domain.where(whole, *choice)
        return points.onto(space.names)


def one_cell(
    left: Cell, left_point: Sequence[Affine], right: Cell, right_point: Sequence[Affine], used_names: Sequence[str]
) -> OneCell:
    """Returns the condition `cell(left) == cell(right)` for two cells of one space.

    The points are expressions over `used_names`. Equal factors: m = m' + factor q; different ones: equal residues.
    """
    names = iter(fresh_names(2 * len(left.moduli), "q", used_names))
    constraints: list[Constraint] = []
    floors: list[Floor] = []
    choices: list[Union] = []
    sure: list[Union] = []

    def residue(component: Affine, modulus: int) -> Affine:
        if not modulus:
            return component
        floors.append(Floor(next(names), component, modulus))
        rest = component - Affine.name(floors[-1].name) * modulus
        constraints.extend((at_least(rest, 0), at_least(-rest, 1 - modulus)))
        return rest

    pairs = zip(_at(left, left_point), left.moduli, _at(right, right_point), right.moduli, strict=True)
    for here, modulus, there, other in pairs:
        apart = here - there
        if not isinstance(modulus, int) or not isinstance(other, int):
            assert modulus == other, "the variables of a space have the same parametric factors"
            assert isinstance(modulus, Affine)
            near = tuple((equal(apart, modulus * times),) for times in (0, 1, -1))
            sure.append(near)
            choices.append((*near, (at_least(apart, modulus * 2),), (at_least(-apart, modulus * 2),)))
        elif modulus != other:
            constraints.append(equal(residue(here, modulus), residue(there, other)))
        elif modulus:
            floors.append(Floor(next(names), apart, modulus))
            constraints.append(equal(apart, Affine.name(floors[-1].name) * modulus))
        else:
            constraints.append(equal(here, there))
    return OneCell(tuple(constraints), tuple(floors), tuple(choices), tuple(sure))


def _at(cell: Cell, point: Sequence[Affine]) -> tuple[Affine, ...]:
    by_name = dict(zip(cell.function.domain.names, point, strict=True))
    return tuple(output.substitute(by_name) for output in cell.function.outputs)


def is_one_to_one(cell: Cell) -> bool:
    """Returns True if no two points share a cell, for a structural reason: full rank, no factors. False
    means unknown.
    """
    return not any(cell.moduli) and rank(cell.function) == cell.function.domain.dimensions


def rank(function: AffineFunction) -> int:
    """Returns the rank of the linear part over the indices."""
    return solve.rank([output.coefficient(name) for name in function.domain.names] for output in function.outputs)
