"""The model run for small parameters: sample sizes, elements, and symbolic values of cells."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import chain, islice
from math import prod

from alphaz.equivalence.argument_layout import ArgumentPlace
from alphaz.equivalence.concrete_instances import Point
from alphaz.equivalence.concrete_steps import ConcreteStep, in_order
from alphaz.equivalence.copy_propagation import CopyOrigins
from alphaz.equivalence.operators import identity_tree, is_identity_of, starts_at_zero
from alphaz.equivalence.value_differences import Terms, ValueDifference, terms_of
from alphaz.equivalence.value_graph import (
    Apply,
    EquationValue,
    Item,
    Position,
    ReductionValue,
    Ref,
    Term,
    constant_of,
    is_inner,
)
from alphaz.equivalence.value_numbering import IDEMPOTENT, Total, ValueNumbers, combine_totals
from alphaz.mapping.storage_formats import index
from alphaz.model.program import System
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, equal
from alphaz.poly.algorithms.functional_relations import left_inverse
from alphaz.poly.algorithms.smallest import by_sum as points_by_sum
from alphaz.scop.c_model import CKernel, KernelStatement
from alphaz.scop.value_tree import CALL, IndexLeaf, LiteralValue, OperationValue, ReadValue, Tree

_OPERATORS = ("+", "*", "min", "max", "and", "or", "xor")


class Fault(Exception):
    """An error of the run: the statement, the instance, and a description; of a wrong value, `difference` computes the
    part that differs, and `output` is the cell. `is_unwritten`: an output is never written."""

    def __init__(
        self,
        statement: KernelStatement | None,
        instance: Mapping[str, int],
        description: str,
        difference: Callable[[], ValueDifference | None] = lambda: None,
        is_unwritten: bool = False,
        output: str = "",
    ) -> None:
        super().__init__(description)
        self.statement, self.instance, self.what, self.difference = statement, instance, description, difference
        self.is_unwritten, self.output = is_unwritten, output


@dataclass(slots=True)
class ChainLink:
    """The term last combined into a cell, and the link before."""

    before: "ChainLink | None"
    statement: KernelStatement
    instance: Mapping[str, int]
    reads: tuple["CellValue", ...]


# The key, the point and the operator of a sum, with its last step.
CompleteSum = tuple[str, Point, str, ChainLink]


@dataclass(slots=True)
class CellValue:
    """The contents of a cell: its value number, and its decomposition as a sum, by operator."""

    name: int
    totals: dict[str, Total]
    chain: ChainLink | None = None


@dataclass(slots=True)
class Equations:
    """The values of the equations for one choice of parameters."""

    values: Mapping[str, EquationValue]
    origins: CopyOrigins
    parameters: Mapping[str, int]
    names: ValueNumbers
    number_by_point: dict[tuple[str, Point], int] = field(default_factory=dict)
    # The same by all references, also those to copies.
    number_by_reference: dict[tuple[str, Point], int] = field(default_factory=dict)
    points: dict[int, list[tuple[str, Point]]] = field(default_factory=dict)
    sums: dict[tuple[str, Total], list[tuple[str, Point]]] = field(default_factory=dict)
    totals: dict[int, dict[str, Total]] = field(default_factory=dict)
    operators: dict[str, None] = field(default_factory=dict)
    # The value numbers of constants in the equations.
    numbers: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        constants = map(constant_of, self.values.values())
        self.numbers = frozenset(self.names.constant(constant_) for constant_ in constants if constant_ is not None)

    def name(self, key: str, point: Point) -> int | None:
        """Returns the number of a value; None if there is none."""
        number = self.number_by_reference.get((key, point))
        if number is None:
            number = self._number(*self.origins.at(key, point, self.parameters))
            if number is not None:
                self.number_by_reference[key, point] = number
        return number

    def _number(self, key: str, point: Point) -> int | None:
        """Returns the number of a value that is no copy."""
        known_number = self.number_by_point.get((key, point))
        if known_number is not None:
            return known_number
        value = self.values[key]
        bindings = {**self.parameters, **dict(zip(value.indices, point, strict=True))}
        number = self._value_number(key, point, value, bindings)
        if number is None:
            return None
        self.number_by_point[key, point] = number
        if not self._is_number(value, number):
            self.points.setdefault(number, []).append((key, point))
        return number

    def _is_number(self, value: EquationValue, name: int) -> bool:
        """Returns True if a value is a constant by the laws of arithmetic: it then has the number of the constant."""
        if (
            not self.names.is_real
            or constant_of(value) is not None
            or any(definition.sum for definition in value.definitions)
        ):
            return False
        return name in self.numbers

    def _value_number(self, key: str, point: Point, value: EquationValue, values: Mapping[str, int]) -> int | None:
        if value.is_input:
            number = self.names.name(("input", key, point))
            self.names.types[number] = value.type
            return number
        for definition in value.definitions:
            if definition.region.has(values):
                total = None if definition.sum is None else self._total(definition.sum, value, point)
                name = None if definition.term is None else self.term(definition.term, values)
                if definition.sum is not None and total is not None:
                    operator = definition.sum.operator
                    name = self._only(definition.sum, point, name, value.type)
                    name = self.names.summed(operator, total) if name is None else name
                    self.sums.setdefault((operator, total), []).append((key, point))
                    self.operators.setdefault(operator)
                    self.totals.setdefault(name, {})[operator] = total
                return name
        return None

    def _only(self, sum_: ReductionValue, point: Point, name: int | None, type_: ScalarType) -> int | None:
        """Returns the value number of a sum with one term, which is that of the term, or of an empty sum, which is that
        of its identity; neutral terms do not count, and repeated ones of a minimum or maximum count once."""
        named = [(item, body) for _, _, item, _, body in self.items(sum_, point)]
        inside = [body for body in named if not self._is_nothing(sum_.operator, body[1])]
        if sum_.operator in IDEMPOTENT:
            inside = list({name: (item, name) for item, name in inside}.values())
        if len(inside) == 1 and inside[0][0].sign == 1:
            return inside[0][1]
        if not inside and (sum_.operator == "*" or starts_at_zero(sum_.operator)):
            return self.names.constant(Fraction(sum_.operator == "*"))
        neutral = None if inside else self.names.neutral(sum_.operator, type_)
        return name if neutral is None else neutral

    def _is_nothing(self, operator: str, name: int | None) -> bool:
        """Returns True if a value is that of an empty sum."""
        if name is None:
            return False
        if operator == "*" or starts_at_zero(operator):
            return name == self.names.constant(Fraction(operator == "*"))
        return operator in IDEMPOTENT and self.totals.get(name, {}).get(operator) == 0

    def term(self, term: Term, values: Mapping[str, int]) -> int | None:
        match term:
            case Ref(key, point):
                return self.name(key, tuple(coordinate.at(values) for coordinate in point))
            case LiteralValue(value):
                return self.names.constant(value)
            case Position(affine):
                return self.names.constant(Fraction(affine.at(values)))
            case Apply(operator, operands, type_):
                inside = [self.term(operand, values) for operand in operands]
                numbers = [number for number in inside if number is not None]
                return self.names.applied(operator, numbers, type_) if len(numbers) == len(inside) else None

    def _total(self, sum_: ReductionValue, value: EquationValue, point: Point) -> Total | None:
        total: Total = 0
        for _, _, item, _, name in self.items(sum_, point):
            if name is None:
                return None
            if self._is_nothing(sum_.operator, name):
                continue
            whole = self.totals.get(name, {}).get(sum_.operator)
            single = self.names.single(sum_.operator, name) if whole is None else whole
            total = combine_totals(sum_.operator, total, single, item.sign)
        return total

    def items(
        self, sum_: ReductionValue, point: Point
    ) -> Iterator[tuple[int, Point, Item, Mapping[str, int], int | None]]:
        """Yields all terms that are combined for a point: number of the item, body point, and the number of the
        value."""
        for number, item in enumerate(sum_.items):
            for body in self._bodies(item).get(point, ()):
                values = {**self.parameters, **dict(zip(item.names, body, strict=True))}
                yield number, body, item, values, self.term(item.term, values)

    def difference(self, in_c: int, number: int | None) -> ValueDifference | None:
        """Returns the part in which a value of C differs from one of the equations."""
        if number is None or self.names.is_real:
            return None
        return terms_of(self.names.number_by_term, self._terms_of_sums()).difference(in_c, number)

    def _terms_of_sums(self) -> Mapping[int, Terms]:
        """Returns the terms of all reductions by `+`, by value number."""
        sums: dict[int, Terms] = {}
        for (operator, _), ((key, point), *_) in self.sums.items():
            for definition in self.values[key].definitions if operator == "+" else ():
                if definition.sum is not None and definition.term is None:
                    named = [(name, item.sign) for _, _, item, _, name in self.items(definition.sum, point)]
                    number = self.number_by_point[key, point]
                    # A sum with one term has the number of the term.
                    if number not in dict(named):
                        sums[number] = Counter((name, sign) for name, sign in named if name is not None)
        return sums

    _kept: dict[int, dict[Point, list[Point]]] = field(default_factory=dict)

    def _bodies(self, item: Item) -> dict[Point, list[Point]]:
        if id(item) not in self._kept:
            bodies: dict[Point, list[Point]] = {}
            for body in item.region.domain.points(dict(self.parameters)):
                values = {**self.parameters, **dict(zip(item.names, body, strict=True))}
                bodies.setdefault(tuple(affine.at(values) for affine in item.projection), []).append(body)
            self._kept[id(item)] = bodies
        return self._kept[id(item)]


@dataclass(frozen=True, slots=True)
class SymbolicExecution:
    """One execution of a statement: the values that it read and wrote."""

    statement: KernelStatement
    instance: Mapping[str, int]
    reads: tuple[CellValue, ...]
    written: CellValue


@dataclass(frozen=True, slots=True)
class SymbolicRun:
    """One run of the model. `complete` are the sums that were complete in a cell, with all their terms; `begun` are
    cells set to the identity of an operator, as are all of its sums that are `empty`, and `idle` are cells that other
    statements left at the identity."""

    parameters: Mapping[str, int]
    equations: Equations
    events: tuple[SymbolicExecution, ...]
    complete: tuple[CompleteSum, ...]
    begun: tuple[tuple[str, ChainLink], ...]
    idle: tuple[tuple[str, ChainLink], ...]
    fault: Fault | None

    def points_of(self, name: int) -> Mapping[str, set[Point]]:
        """Returns the points of all values of this number, by key."""
        points: dict[str, set[Point]] = {}
        for key, point in self.equations.points.get(name, ()):
            points.setdefault(key, set()).add(point)
        return points

    def empty(self, operator: str) -> Sequence[tuple[str, Point]]:
        return self.equations.sums.get((operator, 0), ())


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """Which arrays of C hold which variables when the function is called, and when it returns; `places` say where the
    points of a variable are in its array."""

    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    places: Mapping[str, ArgumentPlace]

    def held(self, array: str) -> tuple[Constraint, ...] | None:
        """Returns the conditions of the cells of an array that hold points, if the array has other cells that may not
        be accessed."""
        variable = self.inputs.get(array) or self.outputs.get(array)
        return None if variable is None else self.places[variable].held


def run(
    kernel: CKernel, values: Mapping[str, EquationValue], origins: CopyOrigins, binding: Binding,
    parameters: Mapping[str, int],
    names: ValueNumbers,
) -> SymbolicRun:  # fmt: skip
    """Executes the model sequentially, in the order of the text."""
    equations = Equations(values, origins, parameters, names)
    memory: dict[tuple[str, Point], CellValue] = {}
    steps, filled = in_order(kernel, parameters)
    lookups = _looked_at(steps, values, binding, parameters)
    for array, variable in binding.inputs.items():
        place = binding.places[variable]
        for point in lookups[variable]:
            cell = place.cell_at(point, parameters)
            name = equations.name(variable, point)
            assert name is not None
            memory[array, cell] = CellValue(name, {})
    for variable in values:
        if not is_inner(variable) and variable not in binding.inputs.values():
            for point in lookups[variable]:
                equations.name(variable, point)
    events: list[SymbolicExecution] = []
    complete: list[CompleteSum] = []
    begun: list[tuple[str, ChainLink]] = []
    idle: list[tuple[str, ChainLink]] = []
    fault = None
    try:
        blank = {array: _blank(literal, equations) for array, literal in filled.items()}
        for step, point in steps:
            events.append(_execute(step, point, memory, blank, equations, complete, begun, idle))
        _compare(memory, equations, binding, lookups, parameters)
    except Fault as error:
        fault = error
    # A cell may be overwritten before it is read.
    read = {id(value.chain) for value in chain(memory.values(), *(event.reads for event in events))}
    return SymbolicRun(
        parameters=parameters,
        equations=equations,
        events=tuple(events),
        complete=tuple(_ends(complete)),
        begun=tuple(one for one in begun if id(one[1]) in read),
        idle=tuple(idle),
        fault=fault,
    )


def _ends(complete: Sequence[CompleteSum]) -> Iterator[CompleteSum]:
    """Yields complete sums without those between the first and the last of a cell to which only zeros were added."""
    every = {(*sum_, id(chain)) for *sum_, chain in complete}
    continued = {(*sum_, id(chain.before)) for *sum_, chain in complete} & every
    for key, point, operator, link in complete:
        own = key, point, operator
        if (*own, id(link)) not in continued or (*own, id(link.before)) not in every:
            yield key, point, operator, link


def _looked_at(
    steps: Sequence[tuple[ConcreteStep, Point]],
    values: Mapping[str, EquationValue],
    binding: Binding,
    parameters: Mapping[str, int],
) -> Mapping[str, list[Point]]:
    """Returns the points of variables, by name: for large ones those in the cells that the instances access."""
    accessed: dict[str, set[Point]] = {}
    for step, at in steps:
        for array, cell in (access.at(at) for access in (step.target, *step.reads)):
            accessed.setdefault(array, set()).add(cell)
    cells: dict[str, set[Point]] = {}
    for array, variable in (*binding.inputs.items(), *binding.outputs.items()):
        cells.setdefault(variable, set()).update(accessed.get(array, ()))
    return {
        name: list(elements(value, binding.places.get(name), cells.get(name, ()), parameters))
        for name, value in values.items()
        if not is_inner(name)
    }


def _execute(
    step: ConcreteStep,
    point: Point,
    memory: dict[tuple[str, Point], CellValue],
    blank: Mapping[str, CellValue],
    equations: Equations,
    complete: list[CompleteSum],
    begun: list[tuple[str, ChainLink]],
    idle: list[tuple[str, ChainLink]],
) -> SymbolicExecution:
    statement, at = step.statement, step.instance(point)
    reads = []
    for read in step.reads:
        access = read.at(point)
        if access not in memory and access[0] in blank:
            memory[access] = blank[access[0]]
        if access not in memory and read.access.array.is_stale:
            memory[access] = CellValue(equations.names.name(("stale", access)), {})
        if access not in memory:
            inside = ", ".join(map(str, access[1][len(read.access.array.prefix) :]))
            label = read.access.array.label
            raise Fault(statement, at, f"{label}[{inside}] is read and nothing has been written there")
        if read.is_outside(access[1]):
            raise Fault(statement, at, f"{read.access.array.label} has no such element")
        reads.append(memory[access])
    place = step.target.at(point)
    if step.target.is_outside(place[1]):
        raise Fault(statement, at, f"{step.target.access.array.label} has no such element")
    written = _evaluated(statement.value, reads, at, equations)
    own = None if step.own is None else reads[step.own].chain
    link = ChainLink(own, statement, at, tuple(reads))
    written = CellValue(written.name, written.totals, link)
    _recognise(written, equations, complete, begun, idle)
    if statement.is_blank_copy:
        memory.pop(place, None)
    else:
        memory[place] = written
    return SymbolicExecution(statement, at, link.reads, written)


def _blank(literal: LiteralValue, equations: Equations) -> CellValue:
    """Returns the value that fills a buffer: the identity of a minimum or maximum also has a value number."""
    initial = _evaluated(literal, (), {}, equations)
    for operator in equations.operators:
        for key, point in equations.sums.get((operator, total_of(initial, operator, equations.names)), ())[:1]:
            if initial.name not in equations.points:
                initial.name = equations.number_by_point[key, point]
    return initial


def _recognise(
    cell_value: CellValue,
    equations: Equations,
    complete: list[CompleteSum],
    begun: list[tuple[str, ChainLink]],
    idle: list[tuple[str, ChainLink]],
) -> None:
    assert cell_value.chain is not None
    for operator in equations.operators:
        total = total_of(cell_value, operator, equations.names)
        sums = equations.sums.get((operator, total), ())
        # There may be as many empty sums as instances that start one, or add nothing: they are handled together.
        if total == 0:
            begins = _is_identity(operator, cell_value.chain.statement)
            (begun if begins else idle).append((operator, cell_value.chain))
        else:
            complete += ((key, point, operator, cell_value.chain) for key, point in sums)
        for key, point in sums[:1]:
            if cell_value.name not in equations.points:
                cell_value.name = equations.number_by_point[key, point]
    for operator, total in equations.totals.get(cell_value.name, {}).items():
        cell_value.totals[operator] = total


def _is_identity(operator: str, statement: KernelStatement) -> bool:
    """Returns True if a statement sets a cell to the empty sum."""
    return identity_tree(operator, statement.value, statement.target.array.type)


def _evaluated(tree: Tree, reads: Sequence[CellValue], values: Mapping[str, int], equations: Equations) -> CellValue:
    names = equations.names
    match tree:
        case ReadValue(number):
            return reads[number]
        case LiteralValue(value):
            every = {**dict.fromkeys(_OPERATORS), **equations.operators}
            totals = {op: 0 for op in every if is_identity_of(op, tree, tree.type)}
            return CellValue(names.constant(value), totals)
        case IndexLeaf(affine):
            return CellValue(names.constant(Fraction(affine.at(values))), {})
    operands = [_evaluated(operand, reads, values, equations) for operand in tree.operands]
    if names.is_ignored(tree.operator, tree.type):
        return operands[0]
    name = names.applied(tree.operator, [operand.name for operand in operands], tree.type)
    totals = _totals(tree, operands, names)
    if name not in equations.points:
        for operator, total in totals.items():
            for key, point in equations.sums.get((operator, total), ())[:1]:
                name = equations.number_by_point[key, point]
    if name not in equations.points:
        return CellValue(name, totals)
    # A value of the equations is one value, however it was computed, unless it is a sum there too, or neutral in one.
    neutral = {operator: 0 for operator, total in totals.items() if total == 0 and operator in IDEMPOTENT}
    return CellValue(name, {**equations.totals.get(name, {}), **neutral})


def name_of(tree: Tree, link: ChainLink, equations: Equations) -> int:
    """Returns the number of a part of the value that a statement computed."""
    return _evaluated(tree, link.reads, link.instance, equations).name


def total_of(cell_value: CellValue, operator: str, names: ValueNumbers) -> Total:
    if names.is_padding(operator, cell_value.name):
        return 0
    return cell_value.totals[operator] if operator in cell_value.totals else names.single(operator, cell_value.name)


def _totals(tree: OperationValue, operands: Sequence[CellValue], names: ValueNumbers) -> dict[str, Total]:
    match tree.operator, operands:
        case operator, [left, right] if operator in _OPERATORS or operator.startswith(CALL):
            return {
                operator: combine_totals(operator, total_of(left, operator, names), total_of(right, operator, names))
            }
        case "-", [left, right]:
            return {"+": combine_totals("+", total_of(left, "+", names), total_of(right, "+", names), -1)}
        case "neg", [only]:
            if identity_tree("max", tree, tree.type):
                return {"max": 0}
            return {"+": combine_totals("+", 0, total_of(only, "+", names), -1)}
    return {}


def _compare(
    memory: Mapping[tuple[str, Point], CellValue],
    equations: Equations,
    binding: Binding,
    lookups: Mapping[str, Sequence[Point]],
    parameters: Mapping[str, int],
) -> None:
    for array, variable in binding.outputs.items():
        place = binding.places[variable]
        for point in lookups[variable]:
            cell = place.cell_at(point, parameters)
            cell_value = memory.get((array, cell))
            text = f"{variable}[{','.join(map(str, point))}]" if point else variable
            if cell_value is None:
                raise Fault(None, {}, f"{text} is never written", is_unwritten=True)
            expected = equations.name(variable, point)
            if cell_value.name != expected:
                statement = cell_value.chain.statement if cell_value.chain is not None else None
                difference = partial(equations.difference, cell_value.name, expected)
                what = f"{text} differs from its value in the equations"
                raise Fault(statement, {}, what, difference, output=text)


# A run executes a few thousand instances. Arrays of constant extents may have millions of elements.
_MOST_ELEMENTS = 20_000


def elements(
    value: EquationValue, place: ArgumentPlace | None, accessed: Collection[Point], parameters: Mapping[str, int]
) -> Iterator[Point]:
    """Yields all points of a variable; if they may be more than `_MOST`, those in accessed cells of its array, and none
    for a variable without an array."""
    domain = value.domain.fixed(parameters)
    if _box_size(domain) <= _MOST_ELEMENTS:
        yield from domain.points(dict(parameters))
    elif place is not None and accessed:
        yield from _accessed(domain, place, accessed, parameters)


def _accessed(
    domain: Domain, place: ArgumentPlace, accessed: Collection[Point], parameters: Mapping[str, int]
) -> Iterator[Point]:
    names = tuple(index(axis) for axis in range(domain.space.dimensions))
    points = domain.renamed(names)
    function = AffineFunction(points.space, place.cells)
    cells = tuple(f"c{position}" for position in range(len(place.cells)))
    inverse = left_inverse(function, points, cells)
    if inverse is None:
        for cell in sorted(accessed):
            there = (equal(dimension, Affine(constant=at)) for dimension, at in zip(place.cells, cell, strict=True))
            yield from (points & Domain.where(points.space, there)).points(dict(parameters))
        return
    pieces = points.pieces()
    for cell in sorted(accessed):
        values = {**parameters, **dict(zip(cells, cell, strict=True))}
        point = tuple(output.at(values) for output in inverse.outputs)
        index_values = {**parameters, **dict(zip(names, point, strict=True))}
        if any(piece.holds(index_values) for piece in pieces) and place.cell_at(point, parameters) == cell:
            yield point


def _box_size(domain: Domain) -> float:
    """Returns the number of integer points of a box around a domain whose parameters are fixed."""
    ends = ((domain.least(name), domain.greatest(name)) for name in domain.space.names)
    return prod(float("inf") if low is None or high is None else high - low + 1 for low, high in ends)


_MOST_SIZES = 10
_LARGEST = 9


def smallest(system: System) -> Mapping[str, int] | None:
    """Returns the legal parameters of the least sum; None if no small ones are legal."""
    return next(iter(by_sum(system)), None)


def legal(system: System, parameter_sets: Iterable[Mapping[str, int]]) -> Iterator[Mapping[str, int]]:
    """Yields those that the context allows, each once."""
    context = system.context.pieces()
    seen_sets: set[frozenset[tuple[str, int]]] = set()
    for parameters in parameter_sets:
        key = frozenset(parameters.items())
        if key not in seen_sets and any(piece.holds(parameters) for piece in context):
            seen_sets.add(key)
            yield parameters


def by_sum(system: System) -> Iterator[Mapping[str, int]]:
    """Yields legal parameters in the order of their sums, computed lazily."""
    return points_by_sum(system.context, _LARGEST)


def sample_parameters(system: System) -> list[Mapping[str, int]]:
    """Returns some legal parameters: all increased equally from the smallest, and each additionally by itself."""
    start = smallest(system)
    if start is None:
        return []
    names = system.parameters
    # With the last of these, unrolled loops and loops of small tiles have more than one iteration.
    candidates = [{n: start[n] + by for n in names} for by in (0, 1, 2, 3, 9)]
    candidates += [{**candidates[3], n: candidates[3][n] + 1} for n in names] + [
        {**candidates[2], n: candidates[2][n] + 2} for n in names
    ]
    return list(islice(legal(system, candidates), _MOST_SIZES))
