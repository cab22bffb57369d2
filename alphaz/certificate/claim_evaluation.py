"""Claims about C, evaluated: at a few instances, with random numbers, a statement must give the value of the equations.

A statement and an equation that differ for some numbers are one for few of them. So this refuses a wrong expression
with a probability near one, whatever laws the proof has used; it does not prove that the expressions are equal.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from alphaz.certificate.c_arithmetic import (
    CALL,
    CONVERSION,
    CType,
    NoResult,
    Number,
    apply,
    convert,
    holds,
    in_long,
    literal,
    number,
    random_number,
    type_named,
)
from alphaz.certificate.c_inventory import CClaim, CDefinition, CEquation, CInventory, CStatement, CTerm
from alphaz.certificate.integer_points import is_in, points, value_of
from alphaz.certificate.violation_sets import LinearSum, conjunctions

Point = tuple[int, ...]
_ROUNDS = 8
_DEEPEST = 150
_NEUTRAL = {"+": 0, "*": 1, "and": 1, "or": 0, "xor": 0}
# The share of the magnitude that rounding in another order may make of a value.
_TOLERANCES = {"float": 1e-4, "double": 1e-10}


class _Differs(Exception):
    """The claim does not hold in an instance, with the reason."""


def value_mistakes(inventory: CInventory) -> Iterator[str]:
    """Yields the claims that do not hold for some instance and some numbers."""
    values = {value.key: value for value in inventory.values}
    operators = [sum_.operator for sum_ in inventory.sums]
    operators += [d.operator for value in inventory.values for d in value.definitions]
    additive = frozenset(operator for operator in operators if operator.startswith(CALL))
    definitions = [definition for value in inventory.values for definition in value.definitions]
    terms = [definition.term for definition in definitions if definition.term is not None]
    of_equations = _literals((*terms, *(item.term for definition in definitions for item in definition.items)))
    for at, claim in enumerate(inventory.claims):
        statement = inventory.statements[claim.statement]
        title = f"claim {at}, that {statement.name} gives {claim.key},"
        random = Random(f"{at} {claim.key}")
        instances = list(points(conjunctions(claim.domain), inventory.parameters, statement.names, random))
        if not instances:
            yield f"{title} holds for no instance that was found"
        own = () if statement.value is None else _literals((statement.value,))
        check = _Check(
            inventory=inventory,
            values=values,
            claim=claim,
            statement=statement,
            additive=additive,
            literals=(*of_equations, *own),
        )
        fault = next(filter(None, (check.fault(instance) for instance in instances)), "")
        if fault:
            yield f"{title} does not hold: {fault}"


@dataclass(frozen=True, slots=True, eq=False)
class _Check:
    """One claim; the `literals` are those of the statement and of all equations."""

    inventory: CInventory
    values: Mapping[str, CEquation]
    claim: CClaim
    statement: CStatement
    additive: frozenset[str]
    literals: Sequence[int | float]

    def fault(self, instance: Mapping[str, int]) -> str:
        """Returns the reason why the claim does not hold for an instance; empty if there is none."""
        at = ", ".join(f"{name}={value}" for name, value in instance.items())
        is_defined = False
        for round_ in range(_ROUNDS):
            try:
                try:
                    is_defined |= self._compare(_Numbers(self, instance, round_, takes_needs=True))
                except _Differs:
                    # A value that is needed may follow from others.
                    is_defined |= self._compare(_Numbers(self, instance, round_, takes_needs=False))
            except _Differs as reason:
                return f"{reason} (at {at})"
        return "" if is_defined else f"it is defined for no numbers (at {at})"

    def _compare(self, numbers: "_Numbers") -> bool:
        """Returns False if both the statement and the equation have no value. Raises _Differs."""
        computed = _if_defined(partial(numbers.of_c, self.value))
        wanted = _if_defined(partial(self._wanted, numbers))
        if computed is None or wanted is None:
            if computed is not wanted:
                raise _Differs("only one of them is defined for some numbers")
            return False
        is_kept = not self._is_value and self._is_in_order
        if not _are_close(computed, wanted, 0.0 if is_kept else numbers.tolerance):
            raise _Differs(f"it is {computed.value}, not {wanted.value}, for some numbers")
        return True

    def _wanted(self, numbers: "_Numbers") -> Number:
        return numbers.value(self.claim.key, numbers.at(self.claim.point)) if self._is_value else self._sum(numbers)

    @property
    def _is_value(self) -> bool:
        return self.claim.role == "value"

    @property
    def value(self) -> CTerm:
        """Returns the expression of the statement."""
        assert self.statement.value is not None
        return self.statement.value

    @property
    def _is_in_order(self) -> bool:
        array = self.statement.accesses[0].array
        return any(s.in_order for s in self.inventory.sums if (s.key, s.array) == (self.claim.key, array))

    def _sum(self, numbers: "_Numbers") -> Number:
        """Returns the old contents of the cell, if it is not a start, combined with the shares."""
        point = numbers.at(self.claim.point)
        definition, _ = numbers.definition(self.claim.key, point)
        type_ = _typed(self.values[self.claim.key].type)
        total = None if self.claim.role == "start" else numbers.read(self._own_access)
        for share in self.claim.shares:
            if not 0 <= share.item < len(definition.items):
                raise _Differs(f"the sum has no item {share.item}")
            item = definition.items[share.item]
            if len(item.names) != len(share.body):
                raise _Differs(f"item {share.item} of the sum has {len(item.names)} indices")
            there = {**numbers.parameters, **dict(zip(item.names, numbers.at(share.body), strict=True))}
            if not is_in(item.domain, there) or tuple(value_of(p, there) for p in item.projection) != point:
                raise _Differs("a share is of another sum")
            total = self._combined(definition.operator, type_, total, item.sign, numbers.term(item.term, there))
        return _start_of(definition.operator, type_) if total is None else total

    @property
    def _own_access(self) -> int:
        target, *reads = self.statement.accesses
        if target not in reads:
            raise _Differs("the statement does not read its own cell")
        return reads.index(target) + 1

    def _combined(self, operator: str, type_: CType, total: Number | None, sign: int, term: Number) -> Number:
        if total is None and sign == 1:
            return convert(term, type_)
        if sign == 1:
            return apply(operator, type_, (number(0) if total is None else total, term), self.additive)
        if sign != -1 or operator != "+":
            raise _Differs(f"the sum has an item with sign {sign}")
        return apply("-", type_, (number(0) if total is None else total, term), self.additive)


@dataclass(slots=True, eq=False)
class _Numbers:
    """Random numbers for one instance. With `takes_needs`, each value that is needed is one of them; otherwise only
    inputs and sums are, and all others are computed.
    """

    check: _Check
    instance: Mapping[str, int]
    round: int
    takes_needs: bool
    needed: dict[tuple[str, Point], Number] = field(default_factory=dict)
    cells: dict[int, Number] = field(default_factory=dict)
    tolerance: float = _TOLERANCES["double"]
    depth: int = 0

    def __post_init__(self) -> None:
        for need in self.check.claim.needs:
            target = need.key, self.at(need.point)
            value = self.needed.get(target) or (self.cells.get(need.access) if self.takes_needs else None)
            value = value or self._new(need.access, *target)
            if need.access in self.cells and self.cells[need.access] != value:
                raise _Differs("a cell holds two values")
            self.cells[need.access] = value
            if self.takes_needs:
                self.needed[target] = value

    def _new(self, access: int, key: str, point: Point) -> Number:
        """Returns a number that the cell can hold."""
        if not self.takes_needs or key.startswith("="):
            return self.value(key, point)
        cell, own = self._type_of_cell(access), _typed(self.check.values[key].type)
        return self._any(own if holds(cell, own) else cell, key, point)

    def _any(self, type_: CType, *title: object) -> Number:
        """Returns a random number, the same for the same title."""
        near = Random(self.round).choice((1.5, 1000.5, 2.0**31))
        return random_number(type_, Random(repr((self.round, title))), (near, *self.check.literals))

    def _type_of_cell(self, access: int) -> CType:
        if not 0 < access < len(self.check.statement.accesses):
            raise _Differs(f"the statement has no access {access}")
        name = self.check.statement.accesses[access].array
        return _typed(next((array.type for array in self.check.inventory.arrays if array.name == name), ""))

    @property
    def parameters(self) -> dict[str, int]:
        return {name: self.instance[name] for name in self.check.inventory.parameters}

    def at(self, point: Sequence[LinearSum]) -> Point:
        return tuple(value_of(affine, self.instance) for affine in point)

    def read(self, access: int) -> Number:
        if access not in self.cells:
            self.cells[access] = self._any(self._type_of_cell(access), access)
        return self.cells[access]

    def of_c(self, term: CTerm) -> Number:
        """Returns the value of an expression of C."""
        if term.operator == "read" and term.access is not None:
            return self.read(term.access)
        if term.operator in ("number", "index"):
            return convert(_leaf(term, self.instance), _typed(term.type))
        return self._applied(term, [self.of_c(operand) for operand in term.operands])

    def _applied(self, term: CTerm, operands: Sequence[Number]) -> Number:
        type_ = _typed(term.type)
        if term.operator.startswith(CONVERSION) or term.operator == "widened":
            return convert(operands[0], type_)
        return apply(term.operator, type_, operands, self.check.additive)

    def term(self, term: CTerm, there: Mapping[str, int]) -> Number:
        """Returns the value of an expression of the equations at a point."""
        if term.operator == "value":
            return self.value(term.name, tuple(value_of(affine, there) for affine in term.at))
        if term.operator in ("number", "index"):
            return _leaf(term, there)
        if term.type == "float":
            self.tolerance = _TOLERANCES["float"]
        return self._applied(term, [self.term(operand, there) for operand in term.operands])

    def value(self, key: str, point: Point) -> Number:
        """Returns a value of the equations: a random number if it is an input or a sum."""
        if (key, point) in self.needed:
            return self.needed[key, point]
        value = self.check.values[key]
        definition, there = self.definition(key, point) if value.definitions else (None, {})
        if definition is None or definition.term is None:
            return self._any(_typed(value.type), key, point)
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NoResult
        term_value = self.term(definition.term, there)
        self.depth -= 1
        return convert(term_value, _typed(value.type))

    def definition(self, key: str, point: Point) -> tuple[CDefinition, dict[str, int]]:
        """Returns the case of an equation at a point, with the values of its names there."""
        value = self.check.values.get(key)
        indices = () if value is None else value.indices
        if value is None or len(indices) != len(point):
            raise _Differs(f"there is no value {key} of {len(point)} indices")
        there = {**self.parameters, **dict(zip(indices, point, strict=True))}
        applicable = next((definition for definition in value.definitions if is_in(definition.domain, there)), None)
        if applicable is None:
            raise _Differs(f"{key} has no value at {list(point)}")
        return applicable, there


def _if_defined(compute: Callable[[], Number]) -> Number | None:
    try:
        return compute()
    except NoResult:
        return None


def _literals(terms: Iterable[CTerm]) -> tuple[int | float, ...]:
    """Returns the finite numbers in expressions."""
    literals: dict[int | float, None] = {}
    for term in terms:
        inside = _literals(term.operands)
        own = _if_defined(partial(_leaf, term, {})) if term.operator == "number" else None
        values = (*inside, own.value) if own is not None else inside
        literals |= dict.fromkeys(value for value in values if math.isfinite(value) and abs(value) < 2**62)
    return tuple(literals)


def _typed(name: str) -> CType:
    type_ = type_named(name)
    if type_ is None:
        raise _Differs(f"there is no type {name!r}")
    return type_


def _leaf(term: CTerm, there: Mapping[str, int]) -> Number:
    if term.operator == "index":
        return in_long(value_of(term.at[0], there))
    return literal(term.name, _typed(term.type))


def _start_of(operator: str, type_: CType) -> Number:
    """Returns the number from which a sum starts."""
    if operator in ("min", "max"):
        is_least = operator == "min"
        if type_.kind == "float":
            return Number(float("inf") if is_least else float("-inf"))
        return number(type_.range[is_least])
    return number(_NEUTRAL.get(operator, 0))


def _are_close(one: Number, other: Number, tolerance: float) -> bool:
    if isinstance(one.value, int) and isinstance(other.value, int):
        return one.value == other.value
    if one.value == other.value:
        return True
    return abs(one.value - other.value) <= tolerance * max(one.size, other.size)
