"""Obligations and readers of a C function against its inventory, at some points.

A set that an obligation states must contain all violations that follow from the inventory: it may only have those
constraints on one participant that all its instances meet, the equalities of their cells and points, and the order that
follows from their dates. Readers must be those of the claims' needs. So a domain, a cell, a point or a date of the
inventory that disagrees with the obligations is found where one of the points shows it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from alphaz.certificate.c_program import CClaim, CInventory, CReader, CRecord, CStatement
from alphaz.certificate.certificate import ObligationRecord
from alphaz.certificate.points import is_in, points, value_of
from alphaz.certificate.violations import Absent, ConstraintRow, Division, LinearSum, ViolationCase

Cases = tuple[ViolationCase, ...]
Row = tuple[frozenset[tuple[str, int]], int]
_ONE, _OTHER = "x", "y"


@dataclass(frozen=True, slots=True, eq=False)
class _Instance:
    """A participant: a statement with the names of its iterators in the obligation, or the caller (None)."""

    statement: CStatement | None
    names: Mapping[str, str]
    source: Cases
    domain: Cases

    @staticmethod
    def of(statement: CStatement | None, names: Mapping[str, str], source: Cases) -> "_Instance":
        """Returns the participant for a domain over the names of the statement."""
        return _Instance(statement, names, source, _moved_cases(source, names))

    def own(self, sums: Sequence[LinearSum]) -> tuple[LinearSum, ...]:
        return tuple(_renamed(affine, self.names) for affine in sums)


def link_faults(record: CRecord) -> Iterator[str]:
    """Yields the readers and the obligations that do not follow from the inventory."""
    if record.inventory is not None:
        yield from _of_claims(record.inventory)
        yield from _of_readers(record.inventory)
        links = _Links(record.inventory)
        for entry in record.obligations:
            fault = links.fault(entry)
            if fault:
                yield f"obligation {entry.id} is another than that of the inventory: {fault}"


# --- claims and readers -----------------------------------------------------------------------------------------------


def _of_claims(inventory: CInventory) -> Iterator[str]:
    for at, claim in enumerate(inventory.claims):
        statement = inventory.statements[claim.statement]
        found = points(claim.domain, inventory.parameters, statement.names, Random(at))
        if not all(is_in(statement.domain, point) for point in found):
            yield f"claim {at} is about instances that {statement.name} does not have"


def _of_readers(inventory: CInventory) -> Iterator[str]:
    for at, reader in enumerate(inventory.readers):
        fault = "" if reader.claim is None else _reader_fault(inventory, reader)
        if fault:
            yield f"reader {at} of {reader.text} {fault}"
    for held in inventory.outputs:
        yield from _of_output(inventory, held.variable)
    for at, claim in enumerate(inventory.claims):
        names = inventory.statements[claim.statement].names
        for need in range(len(claim.needs)):
            readers = [reader for reader in inventory.readers if (reader.claim, reader.need) == (at, need)]
            for point in points(claim.domain, inventory.parameters, names, Random(at)):
                if not any(is_in(reader.domain, _moved(point, names, reader.names)) for reader in readers):
                    yield f"no reader of need {need} of claim {at} for an instance"
                    break


def _of_output(inventory: CInventory, variable: str) -> Iterator[str]:
    readers = [reader for reader in inventory.readers if reader.claim is None and reader.text == f"output {variable}"]
    value = next((value for value in inventory.values if value.key == variable), None)
    for definition in () if value is None else value.definitions:
        for point in points(definition.domain, inventory.parameters, value.indices if value else (), Random(variable)):
            moved = [_moved(point, value.indices if value else (), reader.names) for reader in readers]
            if not any(is_in(reader.domain, at) for reader, at in zip(readers, moved, strict=True)):
                yield f"no reader of the output {variable} at a point"
                return


def _moved(point: Mapping[str, int], names: Sequence[str], others: Sequence[str]) -> dict[str, int]:
    """Returns the point with other names for some of its coordinates."""
    renaming = dict(zip(names, others, strict=False))
    return {renaming.get(name, name): value for name, value in point.items()}


def _reader_fault(inventory: CInventory, reader: CReader) -> str:
    claim = inventory.claims[reader.claim or 0]
    statement = inventory.statements[claim.statement]
    if reader.need is None or not 0 <= reader.need < len(claim.needs) or len(reader.names) != len(statement.names):
        return "is for no need of its claim"
    need = claim.needs[reader.need]
    if not 0 < need.access < len(statement.accesses):
        return "reads no access of its statement"
    instance = _Instance.of(statement, dict(zip(statement.names, reader.names, strict=True)), claim.domain)
    access = statement.accesses[need.access]
    if (reader.array, _rows(reader.cell)) != (access.array, _rows(instance.own(access.subscripts))):
        return "reads another cell than its statement"
    point = _rows(instance.own(need.point))
    if reader.key == need.key and _rows(reader.point) != point:
        for at in points(reader.domain, inventory.parameters, reader.names, Random(0)):
            if _at(reader.point, at) != _at(instance.own(need.point), at):
                return "needs another value than its claim"
    return ""


def _at(sums: Sequence[LinearSum], point: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(value_of(affine, point) for affine in sums)


# --- obligations ------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Links:
    """The obligations of one inventory."""

    inventory: CInventory
    # Points of participants, by the domain and the names.
    found: dict[tuple[int, tuple[str, ...]], tuple[_Instance, list[dict[str, int]]]] = field(default_factory=dict)

    def fault(self, entry: ObligationRecord) -> str:
        """Returns the first constraint of an obligation that the inventory does not give; empty if there is none."""
        numbers = entry.key.families
        match entry.key.kind:
            case "C0" if "statement" in numbers:
                instance = self._instance(self.inventory.statements[numbers["statement"]], "s")
                return self._stated_fault(entry, (instance,), None)
            case "C6":
                left, right = (self.inventory.statements[numbers[role]] for role in ("one", "other"))
                x, y = self._instance(left, _ONE), self._instance(right, _OTHER)
                a, b = left.accesses[numbers["access"]], right.accesses[numbers["other access"]]
                return self._stated_fault(entry, (x, y), _equal(x.own(a.subscripts), y.own(b.subscripts)))
            case "R1" | "R2" | "R4" | "R6" if "source" in numbers:
                return self._of_two(entry, numbers)
            case "R3":
                reader = self.inventory.readers[numbers["reader"]]
                claim = self.inventory.claims[numbers["source"]]
                r, w = self._reader(reader), self._claim(claim, "w")
                fault = self._stated_fault(entry, (r, w), self._meeting(reader, claim, w))
                return fault or self._order_fault(entry, w, r)
            case "R1":
                reader = self.inventory.readers[numbers["reader"]]
                body, belongs = self._body(reader, numbers["item"])
                return self._stated_fault(entry, (self._reader(reader), *body), belongs)
            case "C1":
                reader = self.inventory.readers[numbers["reader"]]
                fault = self._stated_fault(entry, (self._reader(reader),), None)
                return fault or next(filter(None, (self._absent_fault(reader, a) for a in entry.violations.absent)), "")
            case "C4":
                return self._stated_fault(entry, (self._reader(self.inventory.readers[numbers["reader"]]),), None)
        return ""

    def _of_two(self, entry: ObligationRecord, numbers: Mapping[str, int]) -> str:
        """Returns the fault of an obligation about two claims."""
        left, right = (self.inventory.claims[numbers[role]] for role in ("source", "other"))
        x, y = self._claim(left, _ONE), self._claim(right, _OTHER)
        rows = _equal(x.own(left.point), y.own(right.point)) | _equal(self._cell(left, x), self._cell(right, y))
        if entry.key.kind == "R1":
            a, b = left.shares[numbers["share"]], right.shares[numbers["other share"]]
            rows |= _equal(x.own(a.body), y.own(b.body))
        fault = self._stated_fault(entry, (x, y), rows)
        return fault or (self._order_fault(entry, x, y) if entry.key.kind == "R2" else "")

    def _instance(self, statement: CStatement, role: str) -> _Instance:
        names = {name: f"{name}.{role}" for name in statement.names}
        return _Instance.of(statement, names, statement.domain)

    def _claim(self, claim: CClaim, role: str) -> _Instance:
        statement = self.inventory.statements[claim.statement]
        names = {name: f"{name}.{role}" for name in statement.names}
        return _Instance.of(statement, names, claim.domain)

    def _reader(self, reader: CReader) -> _Instance:
        if reader.claim is None:
            return _Instance(None, {name: name for name in reader.names}, reader.domain, reader.domain)
        statement = self.inventory.statements[self.inventory.claims[reader.claim].statement]
        return _Instance(
            statement, dict(zip(statement.names, reader.names, strict=False)), reader.domain, reader.domain
        )

    def _body(self, reader: CReader, number: int) -> tuple[tuple[_Instance, ...], set[Row] | None]:
        """Returns the points of an item of the sum that is read, and the equalities that they belong to it, if the sum
        has one case.
        """
        values = [value for value in self.inventory.values if value.key == reader.key]
        sums = [definition.items for value in values for definition in value.definitions if definition.items]
        if len(sums) != 1 or not 0 <= number < len(sums[0]):
            return (), None
        item = sums[0][number]
        names = {name: f"{name}.b" for name in item.names}
        body = _Instance.of(None, names, item.domain)
        return (body,), _equal(body.own(item.projection), reader.point)

    def _cell(self, claim: CClaim, instance: _Instance) -> tuple[LinearSum, ...]:
        return instance.own(self.inventory.statements[claim.statement].accesses[0].subscripts)

    def _meeting(self, reader: CReader, claim: CClaim, w: _Instance) -> set[Row]:
        return _equal(w.own(claim.point), reader.point) | _equal(self._cell(claim, w), reader.cell)

    def _stated_fault(self, entry: ObligationRecord, instances: Sequence[_Instance], rows: set[Row] | None) -> str:
        """Returns the fault in the constraints on one participant, and in the equalities of two."""
        for part in entry.violations.parts:
            used = _names_in(part)
            own = [i for i in instances if used <= {*self.inventory.parameters, *i.names.values()}]
            if rows is not None and _is_equalities(part) and _stated_rows(part) <= rows:
                continue
            if own and used - {*self.inventory.parameters} and entry.key.kind != "C0":
                if not all(is_in(part, point) for point in self._points(own[0])):
                    return "an instance is left out"
            elif rows is not None and not own and _is_equalities(part) and entry.key.families.get("item") is None:
                return "it is about other cells or points"
        if entry.key.kind == "C0":
            return self._bounds_fault(entry, instances[0])
        return ""

    def _bounds_fault(self, entry: ObligationRecord, instance: _Instance) -> str:
        """Returns the fault in a bound: some part must contain each instance, and another each cell outside."""
        found = self._points(instance)
        access = instance.statement.accesses[entry.key.families["access"]] if instance.statement else None
        array = next((array for array in self.inventory.arrays if access and array.name == access.array), None)
        if access is None or array is None or entry.violations.auxiliary:
            return ""
        *domains, outside = entry.violations.parts
        if not all(is_in(part, point) for part in domains for point in found):
            return "an instance is left out"
        cell = instance.own(access.subscripts)[array.prefix :]
        own = {name for subscript in cell for name in subscript.terms}
        if not all(
            _names_in((case,)) <= {*own, *self.inventory.parameters, *instance.names.values()} for case in outside
        ):
            return "it is about other names"
        if len(array.extents) != len(cell):
            return ""
        extents = [_renamed(extent, instance.names) for extent in array.extents]
        for point in (*_far(found), *self._edges(instance, cell, extents)):
            is_inside = all(0 <= value_of(s, point) < value_of(e, point) for s, e in zip(cell, extents, strict=True))
            if not is_inside and not is_in(outside, point):
                return "a cell outside is left out"
        return ""

    def _edges(
        self, instance: _Instance, cell: Sequence[LinearSum], extents: Sequence[LinearSum]
    ) -> Iterator[dict[str, int]]:
        """Yields points whose cell is the first outside."""
        for subscript, extent in zip(cell, extents, strict=True):
            for row in (_difference(subscript, extent), LinearSum(subscript.terms, subscript.constant + 1)):
                case = ViolationCase((ConstraintRow(row, True),), ())
                yield from points(
                    (case,), self.inventory.parameters, tuple(instance.names.values()), Random(3), is_brief=True
                )

    def _points(self, instance: _Instance) -> list[dict[str, int]]:
        names = tuple(instance.names.values())
        key = id(instance.source), names
        if key not in self.found:
            found = points(instance.domain, self.inventory.parameters, names, Random(1), is_brief=True)
            self.found[key] = instance, list(found)
        return self.found[key][1]

    # --- order --------------------------------------------------------------------------------------------------------

    def _order_fault(self, entry: ObligationRecord, first: _Instance, second: _Instance) -> str:
        """Returns the fault in the part that `first` does not precede `second`."""
        one, other = ({*self.inventory.parameters, *i.names.values()} for i in (first, second))
        parts = [part for part in entry.violations.parts if not _is_equalities(part)]
        orders = [part for part in parts if not (_names_in(part) <= one or _names_in(part) <= other)]
        # An order that follows from the text alone has no names.
        orders += [part for part in parts if not _names_in(part) and part[:1] != (ViolationCase((), ()),)]
        for point in self._pairs(first, second) if orders else ():
            if self._precedes(first, second, point) is False and not all(is_in(part, point) for part in orders):
                return "an order is left out"
        return ""

    def _pairs(self, first: _Instance, second: _Instance) -> Iterator[dict[str, int]]:
        """Yields instances of both, also of the same iterations of outer loops."""
        names = (*first.names.values(), *second.names.values())
        common = [(a, second.names[name]) for name, a in first.names.items() if name in second.names]
        for depth in sorted({0, len(common) // 2, len(common)}):
            same = tuple(ConstraintRow(LinearSum({a: 1, b: -1}, 0), True) for a, b in common[:depth] if a != b)
            cases = [
                ViolationCase((*left.rows, *right.rows, *same), (*left.divisions, *right.divisions))
                for left in first.domain
                for right in _moved_cases(second.domain, {}, "'")
            ]
            yield from points(cases, self.inventory.parameters, names, Random(depth), is_brief=True)

    def _precedes(self, first: _Instance, second: _Instance, point: Mapping[str, int]) -> bool | None:
        """Returns True if one instance ends before the other begins, by their dates; None if that is open."""
        if first.statement is None or second.statement is None:
            return second.statement is None
        for one, other in zip(first.statement.date, second.statement.date, strict=False):
            if one.kind == other.kind == "loop" and one.number == other.number:
                loop = self.inventory.loops[one.number]
                if loop.order != "sequential" or loop.iterator not in first.names or loop.iterator not in second.names:
                    return None
                left, right = point[first.names[loop.iterator]], point[second.names[loop.iterator]]
                if left != right:
                    return (left < right) == (loop.step > 0)
            elif one.kind == other.kind == "place":
                if one.number != other.number:
                    return one.number < other.number
            else:
                return None
        return False

    def _absent_fault(self, reader: CReader, absent: Absent) -> str:
        """Returns the fault in a writer that is said to exist: it must be one that the inventory has."""
        claims = [
            claim
            for claim in self.inventory.claims
            if (claim.role == "value" or (reader.is_sum and claim.role == "start"))
            and claim.key == reader.key
            and self.inventory.statements[claim.statement].accesses[0].array == reader.array
        ]
        if any((held.array, held.variable) == (reader.array, reader.key) for held in self.inventory.inputs):
            return ""
        return "" if any(self._is_writer(reader, claim, absent) for claim in claims) else "there is no such writer"

    def _is_writer(self, reader: CReader, claim: CClaim, absent: Absent) -> bool:
        statement = self.inventory.statements[claim.statement]
        if len(statement.names) != len(absent.names) or absent.absent:
            return len(statement.names) == len(absent.names)
        w = _Instance.of(statement, dict(zip(statement.names, absent.names, strict=True)), claim.domain)
        stated = {row for part in absent.parts if _is_equalities(part) for row in _stated_rows(part)}
        wanted = {row for row in self._meeting(reader, claim, w) if row[0]}
        if not wanted <= stated | _constants(wanted):
            return False
        r = self._reader(reader)
        own = [part for part in absent.parts if _names_in(part) <= {*self.inventory.parameters, *absent.names}]
        for point in self._joint(own, absent.names):
            if not is_in(w.domain, point):
                return False
        for point in self._pairs(w, r):
            is_stated = all(is_in(part, point) for part in absent.parts if not _is_equalities(part))
            if is_stated and self._precedes(w, r, point) is False:
                return False
        return True

    def _joint(self, parts: Sequence[Cases], names: Sequence[str]) -> Iterator[dict[str, int]]:
        """Yields points of all parts at once, for one case of each."""
        random = Random(2)
        for _ in range(3):
            chosen = [random.choice(part) for part in parts if part]
            rows = tuple(row for case in chosen for row in case.rows)
            divisions = tuple(division for case in chosen for division in case.divisions)
            yield from points(
                (ViolationCase(rows, divisions),), self.inventory.parameters, names, random, is_brief=True
            )


def _constants(rows: set[Row]) -> set[Row]:
    return {row for row in rows if not row[0] and row[1] == 0}


def _far(found: Sequence[Mapping[str, int]]) -> Iterator[dict[str, int]]:
    """Yields points, and others with one coordinate far away."""
    for point in found:
        yield dict(point)
        for name in point:
            yield {**point, name: -9_999}
            yield {**point, name: 9_999_999}


def _is_equalities(part: Cases) -> bool:
    return len(part) == 1 and all(row.equal for row in part[0].rows) and not part[0].divisions


def _stated_rows(part: Cases) -> set[Row]:
    return {_row(row.sum) for row in part[0].rows if row.sum.terms or row.sum.constant}


def _equal(left: Sequence[LinearSum], right: Sequence[LinearSum]) -> set[Row]:
    """Returns the rows that two points are one."""
    return {_row(_difference(a, b)) for a, b in zip(left, right, strict=False)}


def _difference(left: LinearSum, right: LinearSum) -> LinearSum:
    terms = dict(left.terms)
    for name, factor in right.terms.items():
        terms[name] = terms.get(name, 0) - factor
    return LinearSum(terms, left.constant - right.constant)


def _rows(sums: Sequence[LinearSum]) -> list[Row]:
    return [(frozenset((n, f) for n, f in affine.terms.items() if f), affine.constant) for affine in sums]


def _row(affine: LinearSum) -> Row:
    """Returns an equality, with one sign of the two that it may have."""
    terms = sorted((name, factor) for name, factor in affine.terms.items() if factor)
    sign = -1 if terms and terms[0][1] < 0 else 1
    return frozenset((name, sign * factor) for name, factor in terms), sign * affine.constant


def _names_in(part: Cases) -> set[str]:
    """Returns the names in a part that its cases do not declare."""
    names: set[str] = set()
    for case in part:
        own = {division.name for division in case.divisions}
        names |= {name for division in case.divisions for name in division.sum.terms} - own
        names |= {name for row in case.rows for name in row.sum.terms} - own
    return names


def _renamed(affine: LinearSum, names: Mapping[str, str]) -> LinearSum:
    return LinearSum({names.get(name, name): factor for name, factor in affine.terms.items()}, affine.constant)


def _moved_cases(cases: Cases, names: Mapping[str, str], title: str = "") -> Cases:
    """Returns cases over other names; the title is added to the names of divisions."""
    return tuple(_moved_case(case, names, title) for case in cases)


def _moved_case(case: ViolationCase, names: Mapping[str, str], title: str) -> ViolationCase:
    renaming = {**names, **{division.name: f"{division.name}{title}" for division in case.divisions}}
    rows = tuple(ConstraintRow(_renamed(row.sum, renaming), row.equal) for row in case.rows)
    divisions = tuple(Division(renaming[d.name], _renamed(d.sum, renaming), d.by) for d in case.divisions)
    return ViolationCase(rows, divisions)
