"""The inventory of a certificate as text, next to the lines of the program, the script or the C that it is about.

A person compares the two: no check of a certificate reads these files.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from alphaz.certificate.c_inventory import (
    CAccess,
    CArray,
    CBarrier,
    CDefinition,
    CHeld,
    CInventory,
    COrder,
    CPart,
    CRecord,
    CStatement,
    CTerm,
)
from alphaz.certificate.mapping_inventory import (
    BandRecord,
    CellRecord,
    Inventory,
    KeptRecord,
    OperationRecord,
    PlaceRecord,
    RanksRecord,
    ReadRecord,
    Record,
)
from alphaz.certificate.violation_sets import DomainParts, LinearSum, ViolationCase

LineOf = Callable[[PlaceRecord], str]
"""Returns the line of a text at a place, with its file and number."""


def inventory_text(record: Record | CRecord, line_of: LineOf) -> Iterator[str]:
    """Yields the lines of the text."""
    title = record.title if isinstance(record, CRecord) else f"{record.script}: {record.system}"
    yield f"{title} ({record.verdict})"
    if isinstance(record, CRecord):
        yield from map(_assumed, record.assumed)
        yield from _c_lines(record.inventory, line_of) if record.inventory is not None else ()
    elif record.inventory is not None:
        mapped = {
            entry.key.families["operation"]: entry.places[0]
            for entry in record.obligations
            if entry.key.kind == "S1" and entry.places
        }
        yield from _lines(record.inventory, mapped, line_of)


def _assumed(text: str) -> str:
    return f"  assumed: {text}"


# --- mappings ---------------------------------------------------------------------------------------------------------


def _lines(inventory: Inventory, mapped: dict[int, PlaceRecord], line_of: LineOf) -> Iterator[str]:
    yield f"  parameters {', '.join(inventory.parameters)}, where {_cases(inventory.context)}"
    yield "operations"
    for number, family in enumerate(inventory.operations):
        yield from _operation(number, family)
        if number in mapped:
            yield f"        {line_of(mapped[number])}"
        for at, read in enumerate(inventory.reads):
            if read.reader == number:
                yield from _read(at, read, line_of)
    yield from _titled(
        "cells",
        map(_cell, inventory.cells),
    )
    yield from _titled("tiles", map(_band, inventory.bands))
    yield from _ranks(inventory.ranks) if inventory.ranks is not None else ()
    yield from _titled("at equal dates", (f"{one} before {other}" for one, other in inventory.before))
    yield from _titled(
        "arrays of arguments",
        (
            f"{life.argument}{_sums(life.instance)}: allocated by {life.allocation}, used by "
            f"{', '.join(map(str, life.users))}, freed by {life.free}"
            for life in inventory.lifetimes
        ),
    )
    yield from _titled(
        "dropped copies",
        (
            f"{copy.variable}{_point(copy.names)} is {copy.source}{_sums(copy.index)} for {_cases(copy.domain)}"
            for copy in inventory.copies
        ),
    )
    yield from _titled(
        "buffers",
        (
            f"reads {', '.join(map(str, buffer.reads))}: the first {buffer.leading} components of the dates, and tiles "
            + ", ".join(f"of {side.size} in dimension {side.dimension}" for side in buffer.sides)
            for buffer in inventory.buffers
        ),
    )
    yield from _titled(
        "computed in place", (f"by operation {output.writer}: {_cases(output.domain)}" for output in inventory.in_place)
    )
    yield from _titled("one instance of each value", map(_kept, inventory.kept))


def _kept(kept: KeptRecord) -> str:
    value = f"{kept.variable}{_point(kept.names)} for {_cases(kept.domain)}"
    return f"{value}: that of {_point(kept.indices)} at {_sums(kept.target)}, for {_cases(kept.instances)}"


def _cell(cell: CellRecord) -> str:
    modulo = f" modulo {_sums(cell.factors)}" if any(f.terms or f.constant for f in cell.factors) else ""
    private = f", private to iterations of the first {cell.outer} dimensions" if cell.outer else ""
    return f"{cell.variable}{_point(cell.names)} in {cell.space}{_sums(cell.map)}{modulo}{private}"


def _ranks(ranks: RanksRecord) -> Iterator[str]:
    many = ranks.first != ranks.last
    where = f"dimensions {ranks.first} to {ranks.last}" if many else f"dimension {ranks.first}"
    yield f"ranks own {'blocks' if ranks.blocks else 'any places'} of {where}"
    yield "  values of lower places arrive at the " + ("beginning" if ranks.pipeline else "end") + " of their step"
    if ranks.border is not None:
        low, high = (_point(tuple(map(str, side))) for side in (ranks.border.low, ranks.border.high))
        yield f"  the first {low} and the last {high} places of a block wait for messages, the others need not"
    for scan in ranks.scans:
        reads = ", ".join(map(str, scan.reads))
        yield f"  a scan by {scan.operator} along index {scan.index} gives a rank the {scan.variable} of reads {reads}"
    yield from _titled("received copies", map(_cell, ranks.ghosts))


def _titled(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Yields the title and the lines, if there are any."""
    texts = list(lines)
    yield from [title, *(f"  {line}" for line in texts)] if texts else ()


def _operation(number: int, family: OperationRecord) -> Iterator[str]:
    role = f", {family.role}" if family.role not in ("", "value") else ""
    whole = "" if family.whole is None else f", part of operation {family.whole}"
    when = f"at {_sums(family.date, '()')}" if family.moment == "dated" else f"at the {family.moment}"
    direct = ", in place" if family.direct else ""
    yield f"{number:>4}  {family.name} writes {family.variable}{_sums(family.target)} {when}{role}{whole}{direct}"
    yield f"        for {_point(family.names)}: {_cases(family.domain)}"
    if family.kinds:
        yield f"        {', '.join(family.kinds)}"


def _read(number: int, read: ReadRecord, line_of: LineOf) -> Iterator[str]:
    running = ", its running value" if read.running else ""
    text = f", the access {read.text}" if read.text else ""
    yield f"      reads {read.variable}{_sums(read.index)} at {_sums(read.at)}{running} (read {number}{text})"
    yield f"        for {_point(read.names)}: {_cases(read.domain)}"
    if read.place is not None:
        yield f"        {line_of(read.place)}"


def _band(band: BandRecord) -> str:
    below = f" of dates that begin with {', '.join(map(str, band.prefix))}" if band.prefix else ""
    kind = "register tiles" if band.registers else "tiles"
    levels = []
    for level, sizes in enumerate(band.sizes):
        words = ["any" if size is None else "whole" if size == 0 else str(size) for size in sizes]
        waves = [
            str(band.first + at) for at, flag in enumerate(band.wavefront[level] if band.wavefront else ()) if flag
        ]
        wavefronts = f", in wavefronts of dimensions {', '.join(waves)}" if waves else ""
        more = ", recursive" if level in band.recursive else wavefronts
        levels.append(f"{' x '.join(words)}{more}")
    return f"{kind} of dimensions {band.first} to {band.last}{below}: {'; '.join(levels)}"


# --- C ----------------------------------------------------------------------------------------------------------------


def _c_lines(inventory: CInventory, line_of: LineOf) -> Iterator[str]:
    yield f"  parameters {', '.join(inventory.parameters)}"
    yield from _titled("arrays", map(_array, inventory.arrays))
    held = [(held, "input") for held in inventory.inputs] + [(held, "output") for held in inventory.outputs]
    yield from _titled("variables", (f"{kind} {_held(held)}" for held, kind in held))
    negative = (
        f"{_sum(entry.value)} for {_point(entry.names)}: {_cases(entry.domain)}" for entry in inventory.dividends
    )
    yield from _titled("never negative", negative)
    yield from _titled("barriers of a GPU", map(_barrier, inventory.barriers))
    yield "order"
    yield from _order(inventory.order, inventory, 2) if inventory.order is not None else ()
    yield "statements"
    for number, statement in enumerate(inventory.statements):
        yield from _statement(number, statement, line_of)
        for claim in (claim for claim in inventory.claims if claim.statement == number):
            verb = {"value": "is", "start": "begins the sum", "share": "adds to the sum"}[claim.role]
            yield f"      {verb} {claim.key}{_sums(claim.point)} for {_domain(claim.domain)}"
            for need in claim.needs:
                cell = _access(statement.accesses[need.access])
                yield f"        needs {need.key}{_sums(need.point)} in {cell}"
    yield from _titled("parts of sums", (line for part in inventory.parts for line in _part(part)))
    for equation in inventory.values:
        yield f"value {equation.type} {equation.key}{_point(equation.indices)}"
        yield from map(_definition, equation.definitions)


def _array(array: CArray) -> str:
    extents = "".join(f"[{_sum(extent)}]" for extent in array.extents)
    limit = "" if array.limit is None else f", where {_cases(array.limit.cases)}"
    held = "" if array.held is None else f", of which {_point(array.subscripts)} are held: {_case(array.held)}"
    writers = ", ".join(map(str, array.writers)) or "none"
    return f"{array.type} {array.name}{extents}{limit}{held}, written by statements {writers}"


def _held(held: CHeld) -> str:
    cell = "".join(f"[{_sum(subscript)}]" for subscript in held.cell)
    return f"{held.variable}{_point(held.names)} in {held.array}{cell} for {_cases(held.domain)}"


def _part(part: CPart) -> Iterator[str]:
    for item in part.items:
        title = f"statement {part.statement}{_point(part.names)} adds item {item.item} of case {item.definition}"
        yield f"{title} of {part.key} at {_point(item.names)} with {_cases(item.domain)}"


def _barrier(barrier: CBarrier) -> str:
    threads = f"threads {_point(barrier.threads)} of {_cases(barrier.members)}"
    return f"{threads}, reached for {_point(barrier.names)}: {_cases(barrier.domain)}"


def _order(node: COrder, inventory: CInventory, depth: int) -> Iterator[str]:
    numbers = ", ".join(map(str, node.numbers))
    if node.kind == "loop":
        loop = inventory.loops[node.numbers[0]]
        numbers = f"{loop.iterator}, {loop.order}, step {loop.step}"
    yield f"{' ' * depth}{node.kind} {numbers}".rstrip()
    for child in node.children:
        yield from _order(child, inventory, depth + 2)


def _statement(number: int, statement: CStatement, line_of: LineOf) -> Iterator[str]:
    accesses = statement.accesses
    value = "an expression" if statement.value is None else _term(statement.value, accesses)
    lock = "" if statement.lock is None else f" under the lock {statement.lock.name}"
    yield f"{number:>4}  {_access(accesses[0])} = {value}{lock}"
    yield f"        for {_point(statement.names)}: {_domain(statement.domain)}"
    if statement.place is not None:
        yield f"        {line_of(statement.place)}"


def _definition(definition: CDefinition) -> str:
    terms = [] if definition.term is None else [_term(definition.term, ())]
    terms += [
        f"{definition.operator} over {_point(item.names)} with {_cases(item.domain)} of {'-' if item.sign < 0 else ''}"
        f"{_term(item.term, ())} at {_sums(item.projection)}"
        for item in definition.items
    ]
    return f"    = {', and '.join(terms)}, for {_cases(definition.domain)}"


def _access(access: CAccess) -> str:
    return access.array + "".join(f"[{_sum(subscript)}]" for subscript in access.subscripts)


def _term(term: CTerm, accesses: Sequence[CAccess]) -> str:
    """Returns an expression; operators in a type are followed by it."""
    if term.operator == "read" and term.access is not None:
        return _access(accesses[term.access])
    if term.operator == "value":
        return f"{term.name}{_sums(term.at)}"
    if term.operator == "number":
        return term.name
    if term.operator == "index":
        return _sum(term.at[0]) if len(term.at) == 1 else _sums(term.at)
    operands = [_term(operand, accesses) for operand in term.operands]
    if len(operands) == 2 and not term.operator[:1].isalpha():
        return f"({operands[0]} {term.operator}:{term.type} {operands[1]})"
    return f"{term.operator}:{term.type}({', '.join(operands)})"


# --- sums and cases ---------------------------------------------------------------------------------------------------


def _cases(cases: Sequence[ViolationCase]) -> str:
    texts = [_case(case) for case in cases]
    return texts[0] if len(texts) == 1 else " or ".join(f"({text})" for text in texts) or "never"


def _domain(parts: DomainParts) -> str:
    return _cases(parts[0]) if len(parts) == 1 else " and ".join(f"({_cases(part)})" for part in parts) or "always"


def _case(case: ViolationCase) -> str:
    divisions = [f"{division.name} = floor(({_sum(division.sum)}) / {division.by})" for division in case.divisions]
    rows = [f"{_sum(row.sum)} {'==' if row.equal else '>='} 0" for row in case.rows]
    return " and ".join([*divisions, *rows]) or "always"


def _point(names: Sequence[str]) -> str:
    return f"[{','.join(names)}]"


def _sums(sums: Sequence[LinearSum], brackets: str = "[]") -> str:
    return f"{brackets[0]}{','.join(map(_sum, sums))}{brackets[1]}"


def _sum(total: LinearSum) -> str:
    terms = [*total.terms.items()]
    text = "".join(
        f" {'-' if factor < 0 else '+'} {'' if abs(factor) == 1 else abs(factor)}{name}" for name, factor in terms
    )
    constant = total.constant
    text += f" {'-' if constant < 0 else '+'} {abs(constant)}" if constant or not terms else ""
    return f"-{text[3:]}" if text.startswith(" -") else text[3:]
