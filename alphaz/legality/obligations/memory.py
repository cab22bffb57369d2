"""Memory obligations.

M1 overwrite, M2 outputs survive, M3 inputs: for every read r (operation C reads v[f(e)] at e) and every write w,
    { (e, w, b) : cell(w) = cell(v, f(e)), w does not write v[f(e)], b first writes v[f(e)],
                  not w ≺ b, not C ≺ w, w != C }
is empty. An operation reads before it writes, so w = C is no violation (except for a call that reads and writes in
place: the called system reads and writes throughout the operation). M2 is the case where END reads, M3 where v is an
input. M4 no race: { (w, w') : cell(w) = cell(w'), they write different values, neither precedes the other } is empty.
(Writes of one value are ordered by S2 and S3.)

Where a value is accumulated without an initialisation of its own, b is every body operation: w precedes the first of
them if and only if it precedes them all, once S3 holds. The accumulation reads its running value, so it is a reader.
Cells are compared with their mod factors. Source: verifier.md section 3; the AlphaZ Verifier thesis 4.3 and 4.3.1,
which takes only writes that follow the producer (with parallel dimensions, unordered ones are just as wrong) and no
factors.

In a program of many nests almost every pair of families is ordered by the leading constants of its dates. Such pairs
need no obligation, so `Nests` skips them without enumerating them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from math import inf

from alphaz.analysis.checks.obligation_finding import point_text
from alphaz.diagnostics import Label, Rule, Span, Witness
from alphaz.diagnostics.rules import INPUT_LOST, OUTPUT_LOST, OVERWRITE, RACE
from alphaz.legality.obligations.conflict_pairs import NOTHING_YET, is_atomic, is_never_read, overwrite, race
from alphaz.legality.obligations.order_obligations import DeferredObligation, OrderObligation
from alphaz.legality.obligations.space_time import labels
from alphaz.legality.obligations.witness_text import date_labels, operation, overwriting, witness, written_text
from alphaz.mapping.cells import is_one_to_one, location
from alphaz.mapping.statement import Cell
from alphaz.model.program import Kind
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import ConcreteInstance, Phase, StatementInstances, Values, in_order
from alphaz.order.precedence import Order, always_before

# The moment of a family, and the constants of the ordering dimensions that lead its dates.
Key = tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Nests:
    """All `families` in their order and by their keys, with the sorted keys."""

    families: tuple[StatementInstances, ...]
    _numbers: dict[Key, list[int]] = field(init=False, repr=False)
    _keys: list[Key] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        numbers: dict[Key, list[int]] = {}
        for number, family in enumerate(self.families):
            numbers.setdefault(_key(family), []).append(number)
        object.__setattr__(self, "_numbers", numbers)
        object.__setattr__(self, "_keys", sorted(numbers))

    def between(self, first: StatementInstances, last: StatementInstances) -> Iterator[StatementInstances]:
        """Yields, in their order, the families that are neither always before the first nor always after the last."""
        return (self.families[number] for number in self._between(first, last))

    def pairs(self) -> Iterator[tuple[StatementInstances, StatementInstances]]:
        """Yields every pair of families, including each family with itself, of which neither is always before the
        other.
        """
        for position, family in enumerate(self.families):
            yield from (
                (family, self.families[number]) for number in self._between(family, family) if number >= position
            )

    def _between(self, first: StatementInstances, last: StatementInstances) -> list[int]:
        keys = (*self._from(_key(first), _key(last)), *self._around(_key(first)))
        numbers = sorted(number for key in keys for number in self._numbers[key])
        return [number for number in numbers if not always_before(last, self.families[number])]

    def _from(self, first: Key, last: Key) -> list[Key]:
        """Returns the nests from that of the first to those inside that of the last, in the order of
        their constants.
        """
        return self._keys[bisect_left(self._keys, first) : bisect_right(self._keys, (*last, inf))]

    def _around(self, first: Key) -> Iterator[Key]:
        """Yields the nests that contain the nest of the first."""
        return (first[:length] for length in range(len(first)) if first[:length] in self._numbers)


def _key(family: StatementInstances) -> Key:
    return (family.moment, *family.nest)


OWN_CELLS = "no two points of the variable share a cell: its memory map has full rank and no factors"


def overwrites(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields M1 to M3: for every read, every write into its memory space, and every first write of the value read.

    There is no obligation for writes that are always ordered before or after the pair, or for other memory spaces.
    """
    spaces = _by_space(operations)
    for read in operations.reads:
        for first in operations.firsts[read.variable]:
            for writer in spaces[operations.mapping.cells[read.variable].space].between(first, read.reader):
                settled = _harmless(operations, read, first, writer)
                yield DeferredObligation(partial(_unchanged_obligation, operations, read, first, writer), settled)


def races(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields M4 for every two families that write into one memory space, unless one always precedes the other."""
    for nests in _by_space(operations).values():
        for one, two in nests.pairs():
            settled = OWN_CELLS if one is two and _writes_once(operations, one) else ""
            yield DeferredObligation(partial(_in_turn, operations, one, two), settled)


def _by_space(operations: OperationTable) -> dict[str, Nests]:
    spaces: dict[str, list[StatementInstances]] = {}
    for family in operations.families:
        spaces.setdefault(operations.mapping.cells[family.variable].space, []).append(family)
    return {space: Nests(tuple(families)) for space, families in spaces.items()}


def _writes_once(operations: OperationTable, family: StatementInstances) -> bool:
    """Returns True if, for a structural reason, no two values of the family share a cell."""
    return is_one_to_one(operations.mapping.cells[family.variable])


def _harmless(operations: OperationTable, read: Read, first: StatementInstances, writer: StatementInstances) -> str:
    """Returns the structural reason why a write cannot destroy the value of a read; empty where none is known."""
    if is_never_read(read, first):
        return NOTHING_YET
    own_cells = writer.variable == read.variable and _writes_once(operations, writer)
    return OWN_CELLS if own_cells else ""


# --- M1, M2, M3 ---------------------------------------------------------------------------------------------------


def _unchanged_obligation(
    operations: OperationTable, read: Read, first: StatementInstances, writer: StatementInstances
) -> OrderObligation:
    cells = operations.mapping.cells
    mine, other = cells[read.variable], cells[writer.variable]
    conflict = overwrite(operations, read, first, writer)
    consumer, b, w = (conflict.occurrence(role) for role in ("reader", "producer", "writer"))
    atomic = is_atomic(read, writer)

    def recheck(order: Order, values: Values) -> bool:
        lost, used, made = w.event(values), consumer.event(values), b.event(values)
        return (
            read.happens(operations.mapping.facts, values)
            and writer.has(values, lost.point)
            and first.has(values, made.point)
            and made.target == read.function.at(values)
            and not (writer.variable == read.variable and lost.target == made.target)
            and location(other, values, lost.target) == location(mine, values, made.target)
            and not (atomic and lost.is_same(used))
            and not order.compare(lost, made).precedes
            and not order.compare(used, lost).precedes
        )

    def explain(order: Order, values: Values) -> Witness:
        lost, used, made = w.event(values), consumer.event(values), b.event(values)
        sentence = _story(read, (used, made, lost), point_text(*location(mine, values, made.target)), order)
        events = (("reader", used), ("producer", made), ("writer", lost))
        reason = overwriting(order.compare(lost, made), order.compare(used, lost))
        return witness(operations.mapping, order, values, events, sentence, reason)

    rule = _rule(operations, read)
    return OrderObligation(
        rule,
        _claim(read, writer),
        conflict.violation_space.in_one_cell(other, w.target, mine, conflict.other.index),
        conflict.alternatives,
        recheck,
        explain,
        _message(rule, read, writer),
        _remedy(rule, read, writer),
        *_places(operations, (other, mine), read, (writer, first)),
        pair=frozenset({writer, first}),
        read=read,
        families=(("writer", writer), ("first", first)),
        occurrences=conflict.occurrences,
        compared=lambda order, values: tuple(
            comparison
            for comparison in (
                order.compare(w.event(values), b.event(values)),
                order.compare(consumer.event(values), w.event(values)),
            )
            if not comparison.precedes
        ),
        listed=False,
    )


def _rule(operations: OperationTable, read: Read) -> Rule:
    if read.reader.moment is Phase.END:
        return OUTPUT_LOST
    variable = operations.declared(read.variable)
    if variable is not None and variable.kind is Kind.INPUT:
        return INPUT_LOST
    return OVERWRITE


def _story(
    read: Read, events: tuple[ConcreteInstance, ConcreteInstance, ConcreteInstance], cell: str, order: Order
) -> str:
    used, write, lost = events
    value = point_text(read.variable, write.target)
    why = overwriting(order.compare(lost, write), order.compare(used, lost))
    text = written_text(write)
    if used.family.moment is Phase.END:
        as_output = f" (the output {point_text(read.named, used.point)})" if read.named != read.variable else ""
        return f"{value}{as_output}, {text}, is overwritten in cell {cell} by {operation(lost)}, and lost at the end"
    verb = "accumulates into" if read.is_running else "reads"
    return f"{operation(used)}, {verb} {value}, {text}, but {operation(lost)}, overwrites its cell {cell}, {why}"


def _claim(read: Read, writer: StatementInstances) -> str:
    if read.reader.moment is Phase.END:
        return f"no {writer.name} overwrites a point of output {read.named}"
    what = f" ({read.reference.span.text})" if read.reference is not None else ""
    return f"no {writer.name} overwrites a {read.variable} before {read.reader.name} reads it{what}"


def _message(rule: Rule, read: Read, writer: StatementInstances) -> str:
    if rule is OUTPUT_LOST:
        return f"points of output {read.named} are overwritten by {writer.name}"
    if read.is_running:
        return f"{writer.name} overwrites {read.variable} while it is accumulated"
    return f"{writer.name} overwrites {read.variable} while {read.reader.name} still needs it"


def _remedy(rule: Rule, read: Read, writer: StatementInstances) -> str:
    if writer.direct and writer.operation is read.reader.operation:
        return f"let {writer.name} copy one of the two: the called system may read one while it writes the other"
    if writer.whole is not None and writer.variable == read.variable and read.within is not None:
        return f"allocate {read.variable} for each call at a date of its own, or let the calls follow each other"
    if writer.variable == read.variable:
        return f"give {read.variable} a memory map (or larger mod factors): these values need different cells"
    if rule is OUTPUT_LOST:
        return f"give {writer.variable} a memory space other than that of {read.named}"
    return f"give {writer.variable} and {read.variable} different memory spaces, or let the reads come first"


def _places(
    operations: OperationTable,
    cells: tuple[Cell, Cell],
    read: Read,
    families: tuple[StatementInstances, StatementInstances],
) -> tuple[Span, tuple[Label, ...]]:
    """Returns the command that set the memory map, then the reference, then the dates."""
    stated = [c for c in dict.fromkeys(cells) if _is_stated(operations, c)]
    maps = [Label(c.span, f"memory of {c.variable}") for c in stated]
    dates = [label for f in dict.fromkeys((read.reader, *families)) for label in date_labels(f)]
    primary, *rest = [*maps, *dates] or [Label(cells[0].span)]
    return primary.span, (*labels(read), *rest)


def _is_stated(operations: OperationTable, cell: Cell) -> bool:
    """Returns True if a command sets the memory map of the variable."""
    variable = operations.declared(cell.variable)
    return variable is None or cell.span != variable.span


# --- M4 -----------------------------------------------------------------------------------------------------------


def _in_turn(operations: OperationTable, one: StatementInstances, two: StatementInstances) -> OrderObligation:
    cells = operations.mapping.cells
    mine, other = cells[one.variable], cells[two.variable]
    conflict = race(operations, one, two)
    a, b = (conflict.occurrence(role) for role in ("writer", "other"))

    def recheck(order: Order, values: Values) -> bool:
        first, second = a.event(values), b.event(values)
        return (
            one.has(values, first.point)
            and two.has(values, second.point)
            and not (one.variable == two.variable and first.target == second.target)
            and not (one is two and first.point > second.point)
            and not (first.is_same(second) and not (one.direct and two.direct))
            and location(mine, values, first.target) == location(other, values, second.target)
            and not order.compare(first, second).precedes
            and not order.compare(second, first).precedes
        )

    def explain(order: Order, values: Values) -> Witness:
        first, second = a.event(values), b.event(values)
        cell = point_text(*location(mine, values, first.target))
        reason = order.compare(*in_order(first, second)).reason
        sentence = f"{operation(first)}, and {operation(second)}, write cell {cell}, {reason}"
        return witness(operations.mapping, order, values, (("writer", first), ("other", second)), sentence, reason)

    both = dict.fromkeys((one, two))
    stated = [c for c in dict.fromkeys((mine, other)) if _is_stated(operations, c)]
    places = [Label(c.span, f"memory of {c.variable}") for c in stated] + [x for f in both for x in date_labels(f)]
    primary, *rest = places or [Label(mine.span)]
    names = " and ".join(f.name for f in both)
    return OrderObligation(
        rule=RACE,
        claim=f"writes of {names} into one cell are ordered",
        violation_space=conflict.violation_space.in_one_cell(mine, a.target, other, b.target),
        alternatives=conflict.alternatives,
        recheck=recheck,
        explain=explain,
        message=f"unordered writes of {names} into one cell",
        remedy="give the two writes different cells, or order them in a dimension that is not parallel",
        span=primary.span,
        related=tuple(rest),
        pair=frozenset({one, two}),
        families=(("writer", one), ("other", two)),
        occurrences=conflict.occurrences,
        compared=lambda order, values: (order.compare(*in_order(a.event(values), b.event(values))),),
        listed=False,
    )
