"""Symbolic counts of cells: the size of a memory space in the parameters, compared for all values of these.

sympy is imported late: the import takes half a second."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from alphaz.mapping.factors import of_factor
from alphaz.mapping.spaces import callers_own, space_of_cells
from alphaz.mapping.target_mapping import MemoryMap
from alphaz.model.program import System, Variable
from alphaz.poly import Affine, Domain
from alphaz.poly.algorithms.bounds import bounding_box, least
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerName, IntegerOperation
from alphaz.search.memory.placement import CostTable, Placement
from alphaz.search.memory.space_formats import Stored, cell_of


@dataclass(frozen=True, slots=True)
class CellCount:
    """A number of cells, as an expression of sympy over the parameters."""

    value: Any

    def __str__(self) -> str:
        """`N*(N+T)`."""
        import sympy  # noqa: PLC0415 - loaded where it is used

        plain = str(sympy.factor(self.value) if self.value.is_polynomial() else self.value)
        return plain.replace("**", "^").replace(" ", "")

    def __add__(self, other: "CellCount") -> "CellCount":
        return CellCount(self.value + other.value)

    def at(self, values: Mapping[str, int]) -> int:
        """Returns the number for these values of the parameters."""
        return int(self.value.subs({symbol: values[symbol.name] for symbol in self.value.free_symbols}))

    def is_never_more(self, other: "CellCount", context: Domain) -> bool:
        """Returns True if this count is at most the other one for all parameters of the context. False: not known."""
        return _is_never_negative(other.value - self.value, context)

    def fewer_where(self, other: "CellCount", context: Domain) -> str:
        """Returns a condition such as `T>N` under which this is less than the other; empty if no simple one is
        known."""
        import sympy  # noqa: PLC0415 - loaded where it is used

        difference = sympy.expand(other.value - self.value)
        if not difference.is_polynomial() or difference == 0:
            return ""
        constant, factors = sympy.factor_list(difference)
        undecided = [f for f, times in factors if times % 2 and not _is_never_negative(f - 1, context)]
        if len(undecided) != 1 or sympy.Poly(undecided[0]).total_degree() != 1:
            return ""
        condition = undecided[0] if constant > 0 else -undecided[0]
        terms = sympy.Add.make_args(condition)
        left = sum((t for t in terms if t.could_extract_minus_sign() is False), sympy.Integer(0))
        return f"{left}>{left - condition}".replace(" ", "")


def allocated_cells(prices: CostTable, together: tuple[MemoryMap, ...]) -> CellCount:
    """Returns the cells of one space, as the generated code allocates it; zero if the caller owns the array.

    Raises Unbounded if there are infinitely many."""
    system = prices.system
    cells = {entry.variable: cell_of(system, entry) for entry in together}
    variables = [system.variable(entry.variable) for entry in together]
    if callers_own(system, cells, variables, prices.overwritable) is not None:
        return _product([IntegerConstant(0)])
    stored = prices.formats.of_space(together)
    if stored is not None:
        return elements(stored)
    whole, moduli = space_of_cells(system, cells, variables)
    extents = bounding_box(whole, system.context).extents
    pairs = zip(extents, moduli, strict=True)
    return _product(of_factor(modulus) if modulus else extent for extent, modulus in pairs)


def box_of(system: System, variable: Variable) -> CellCount:
    """The elements of an array over the box of a variable."""
    return _product(bounding_box(variable.domain.in_context(system.context), system.context).extents)


def elements(stored: Stored) -> CellCount:
    """Returns the elements of an array in a storage format."""
    return _product(stored.layout.extents)


def total(prices: CostTable, placement: Placement) -> CellCount:
    """Returns the cells of all spaces."""
    counts = [allocated_cells(prices, together) for together in placement.spaces.values()]
    return sum(counts[1:], counts[0])


def _product(extents: Iterable[Integer]) -> CellCount:
    import sympy  # noqa: PLC0415 - loaded where it is used

    return CellCount(sympy.expand(sympy.Mul(*map(_expression, extents))))


def _is_never_negative(value: Any, context: Domain) -> bool:
    import sympy  # noqa: PLC0415 - loaded where it is used

    if not value.is_polynomial():
        return False
    moved = {}
    for symbol in value.free_symbols:
        low = least(context, Affine.name(symbol.name))
        if low is None:
            return False
        moved[symbol] = symbol + low
    shifted = sympy.expand(value.subs(moved, simultaneous=True))
    return all(c >= 0 for c in shifted.as_coefficients_dict().values())


def _expression(integer: Integer) -> Any:
    import sympy  # noqa: PLC0415 - loaded where it is used

    match integer:
        case IntegerConstant(value):
            return sympy.Integer(value)
        case IntegerName(name):
            return sympy.Symbol(name, integer=True)
        case IntegerOperation(symbol, operands):
            return _combine_symbols(symbol, [_expression(operand) for operand in operands])


def _combine_symbols(symbol: str, operands: list[Any]) -> Any:
    import sympy  # noqa: PLC0415 - loaded where it is used

    match symbol, operands:
        case "+", _:
            return sympy.Add(*operands)
        case "*", _:
            return sympy.Mul(*operands)
        case "-" | "neg", [*left, right]:
            return sum(left) - right
        case "min", _:
            return sympy.Min(*operands)
        case "max", _:
            return sympy.Max(*operands)
        case "exact_div", [left, right]:
            return left / right
        case "floor_div" | "quotient", [left, right]:
            return sympy.floor(left / right)
        case "remainder" | "divides", [left, right]:
            return sympy.Mod(left, right)
        case "if", [condition, then, otherwise]:
            return sympy.Piecewise((then, condition), (otherwise, True))
        case "and", _:
            return sympy.And(*operands)
        case "or", _:
            return sympy.Or(*operands)
    relation = {"==": sympy.Eq, "<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt, ">=": sympy.Ge}[symbol]
    return relation(*operands)
