"""Tables of rows that are allocated one by one, as one array of rows.

double **d = malloc(n * sizeof(double *));          double (*d)[m] = malloc(n * sizeof *d);
for (int i = 0; i < n; i++)
    d[i] = malloc(m * sizeof(double));
.. d[i][j] ..                                       .. d[i][j] ..
for (int i = 0; i < n; i++)
    free(d[i]);
free(d);                                            free(d);

double *b[2];                                       double (*b)[m] = malloc(2 * sizeof *b);
b[0] = malloc(m * sizeof(double)); ..

No statement moves a row, or has the table itself. Rows lie apart, so an access outside of one is wrong in both texts.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes, with_blocks
from alphaz.scop.idioms import is_behind_directive
from alphaz.scop.pointer_swaps import start_of
from alphaz.scop.substitution import count, mentioned, names_in, touched
from alphaz.scop.tree_queries import (
    Statements,
    addressed,
    changes,
    freed,
    integer,
    is_as_wide_as_sizes,
    is_integer,
    is_simple,
    scalar_type,
    targets,
)


def with_arrays_of_rows(tree: c.File) -> c.File:
    """Returns the file with such tables as arrays."""
    return replace(tree, items=tuple(with_blocks(i, _block) if isinstance(i, c.Function) else i for i in tree.items))


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of pointers to elements of a type, and its number of rows; None if only the rows say it."""

    name: str
    type: c.Scalar | c.Named
    rows: c.Expression


@dataclass(frozen=True, slots=True)
class _Rows:
    """The allocation of rows from the first on: their number, the length of each, the function that allocates them, the
    statements that this leaves, and the number of statements that it takes."""

    rows: c.Expression
    length: c.Expression
    function: str
    rest: Statements
    taken: int


def _block(block: Statements) -> Statements:
    for position, item in enumerate(block):
        table = _table(item) if isinstance(item, c.Declare) else None
        if table is not None and not is_behind_directive(block, position):
            rest = _with_rows(table, block[position + 1 :])
            if rest is not None:
                return _block((*block[:position], *rest))
    return tuple(with_blocks(statement, _block) for statement in block)


def _table(item: c.Declare) -> _Table | None:
    """Returns the table that is declared; None for other declarations."""
    if item.storage:
        return None
    match item.type:
        case c.Pointer(c.Pointer(c.Scalar() | c.Named() as of)) if item.value is not None:
            allocated = _allocated(item.value)
            if allocated is None or allocated[0] != "malloc" or not _is_pointer_size(allocated[2], item.name, of):
                return None
            rows = allocated[1]
        case c.Array(c.Pointer(c.Scalar() | c.Named() as of), c.Literal() as rows) if item.value is None:
            pass
        case _:
            return None
    return _Table(item.name, of, rows) if scalar_type(of) is not None and not of.const else None


def _with_rows(table: _Table, behind: Statements) -> Statements | None:
    """Returns the statements after a declaration, with the array of rows; None if the table is used otherwise."""
    for position, statement in enumerate(behind):
        if table.name not in mentioned(statement):
            continue
        if is_behind_directive(behind, position):
            return None
        found = _row_loop(table, statement) or _single_rows(table, behind[position:])
        if found is None or _difference(found.rows, table.rows) != {}:
            return None
        between = behind[:position]
        after = (*found.rest, *behind[position + found.taken :])
        sizes = names_in((table.rows, found.length))
        if sizes & touched((*between, *after)) or changes((table.rows, found.length)):
            return None
        plain = _without_releases(table, found, after)
        return None if plain is None else (*between, _declaration(table, found, statement), *plain)
    return None


def _declaration(table: _Table, rows: _Rows, at: c.Statement) -> c.Declare:
    size = c.SizeOf(c.Unary("*", c.Name(table.name, at=at.at), at=at.at), at=at.at)
    arguments = (table.rows, size) if rows.function == "calloc" else (c.Binary("*", table.rows, size, at=at.at),)
    value = c.Call(rows.function, arguments, at=at.at)
    return c.Declare(c.Pointer(c.Array(table.type, rows.length)), table.name, value, at=at.at)


def _allocated(value: c.Expression) -> tuple[str, c.Expression, c.Type | c.Expression] | None:
    """Returns the function, the number and the element (the operand of `sizeof`) of an allocation; None for others."""
    if isinstance(value, c.Cast):
        value = value.operand
    match value:
        case c.Call("malloc", (size,)):
            factors = _factors(size)
        case c.Call("calloc", (number, c.SizeOf() as size)):
            factors = [number, size]
        case _:
            return None
    sizes = [factor for factor in factors if isinstance(factor, c.SizeOf)]
    numbers = [factor for factor in factors if not isinstance(factor, c.SizeOf)]
    if len(sizes) != 1 or not numbers:
        return None
    number = numbers[0]
    for factor in numbers[1:]:
        number = c.Binary("*", number, factor, at=number.at)
    assert isinstance(value.function, str)
    return value.function, number, sizes[0].of


def _factors(product: c.Expression) -> list[c.Expression]:
    match product:
        case c.Binary("*", left, right):
            return [*_factors(left), *_factors(right)]
        case c.Cast(type_, operand) if is_as_wide_as_sizes(type_):
            return _factors(operand) if isinstance(operand, c.Binary | c.SizeOf) else [operand]
    return [product]


def _is_pointer_size(of: c.Type | c.Expression, name: str, element: c.Type) -> bool:
    """Returns True for the operands of `sizeof(T *)` and `sizeof *d`."""
    match of:
        case c.Pointer(c.Scalar() | c.Named() as to):
            return scalar_type(to) == scalar_type(element)
    return of in (c.Unary("*", c.Name(name)), c.Index(c.Name(name), c.ZERO))


def _is_element_size(of: c.Type | c.Expression, row: c.Expression, table: _Table) -> bool:
    """Returns True for the operands of `sizeof(T)`, `sizeof *d[i]`, `sizeof **d`."""
    if isinstance(of, c.Scalar | c.Named):
        return scalar_type(of) == scalar_type(table.type)
    first = (row, c.Unary("*", c.Name(table.name)), c.Index(c.Name(table.name), c.ZERO))
    return any(of in (c.Unary("*", one), c.Index(one, c.ZERO)) for one in first)


def _row(table: _Table, statement: c.Statement) -> tuple[c.Expression, c.Expression, str] | None:
    """Returns the number, the length and the function of `d[i] = malloc(..)`; None for other statements."""
    match statement:
        case c.Assign(c.Index(c.Name(name), at) as row, value, "=") if name == table.name:
            allocated = _allocated(value)
            if allocated is not None and _is_element_size(allocated[2], row, table):
                return at, allocated[1], allocated[0]
    return None


def _row_loop(table: _Table, statement: c.Statement) -> _Rows | None:
    """Returns the rows that a loop allocates, each first in its iteration."""
    if not isinstance(statement, c.For) or not statement.body:
        return None
    end, row = _end_from_zero(statement), _row(table, statement.body[0])
    if end is None or row is None or row[0] != c.Name(end[0]) or end[0] in names_in(row[1]) | touched(statement.body):
        return None
    rest = statement.body[1:]
    if not all(_is_allocated(node.index, end[0]) for node in nodes(rest, c.Index) if node.base == c.Name(table.name)):
        return None
    left = (replace(statement, body=rest),) if rest else ()
    return _Rows(rows=end[1], length=row[1], function=row[2], rest=left, taken=1)


def _is_allocated(row: c.Expression, iterator: str) -> bool:
    """Returns True for the first row, and for that of an iteration or an earlier one."""
    behind = _difference(row, c.Name(iterator))
    return row == c.ZERO or (behind is not None and {*behind} <= {""} and behind.get("", 0) <= 0)


def _end_from_zero(loop: c.For) -> tuple[str, c.Expression] | None:
    """Returns the iterator of a loop in steps of one from 0, and its end."""
    start = start_of(loop)
    match loop.steps, loop.test:
        case (c.Step("++", _, c.Name(name)),), c.Binary("<" | "<=" as operator, c.Name(tested), end) if (
            start is not None and start[1] == c.ZERO and name == tested == start[0]
        ):
            return name, end if operator == "<" else c.Binary("+", end, c.Literal("1", at=loop.at), at=loop.at)
    return None


def _single_rows(table: _Table, statements: Statements) -> _Rows | None:
    """Returns the rows 0, 1, .. that the next statements allocate, all of one length."""
    rows = list[tuple[c.Expression, c.Expression, str]]()
    for statement in statements:
        row = _row(table, statement)
        if row is None or not (isinstance(row[0], c.Literal) and is_integer(row[0]) and integer(row[0]) == len(rows)):
            break
        rows.append(row)
    if not rows or len({(function, repr(length)) for _, length, function in rows}) > 1:
        return None
    _, length, function = rows[0]
    number = c.Literal(str(len(rows)))
    return _Rows(rows=number, length=length, function=function, rest=(), taken=len(rows))


def _without_releases(table: _Table, rows: _Rows, after: Statements) -> Statements | None:
    """Returns the statements without those that release rows; None if one uses the table other than for elements and
    rows, or after a release."""
    plain: list[c.Statement] = []
    released = Counter[object]()
    is_gone = False
    pointers = _pointers(table, after)
    for position, statement in enumerate(after):
        key = _released(table, rows, statement)
        if key is not None and not is_gone and not is_behind_directive(after, position):
            released[key] += 1
            continue
        is_whole = freed(statement) == c.Name(table.name)
        if (released or is_gone) and pointers & mentioned(statement) and not is_whole:
            return None
        is_gone |= any(freed(node) == c.Name(table.name) for node in nodes(statement, c.Evaluate))
        plain.append(statement)
    is_once = all(number == 1 for number in released.values()) and ("all" not in released or len(released) == 1)
    return tuple(plain) if is_once and _has_rows_only(table, plain) else None


def _pointers(table: _Table, statements: Statements) -> set[str]:
    """Returns the table and the pointers that get their values from it."""
    values = [(node.name, node.value) for node in nodes(statements, c.Declare) if not is_simple(node.type)]
    names = {table.name}
    while more := {name for name, value in values if value is not None and names_in(value) & names} - names:
        names |= more
    return names


def _released(table: _Table, rows: _Rows, statement: c.Statement) -> object:
    """Returns a key of the rows that a statement releases: of all "all", of one its number; None for other
    statements."""
    match statement:
        case c.For(body=(only,)):
            end, row = _end_from_zero(statement), freed(only)
            if end is not None and row == c.Index(c.Name(table.name), c.Name(end[0])):
                return "all" if _difference(end[1], rows.rows) == {} else None
        case _:
            end_ = integer(rows.rows) if isinstance(rows.rows, c.Literal) else None
            match freed(statement):
                case c.Index(c.Name(name), c.Literal() as place) if name == table.name and end_ is not None:
                    number = integer(place)
                    return number if number is not None and number < end_ else None
    return None


def _has_rows_only(table: _Table, statements: Sequence[c.Statement]) -> bool:
    """Returns True if all uses of a table are rows of it, which keep their place, or its release."""
    name = c.Name(table.name)
    rows = [node for node in nodes(statements, c.Index) if node.base == name]
    released = [one for one in map(freed, nodes(statements, c.Evaluate)) if one is not None]
    whole = [one for one in released if one == name]
    others = [one for one in released if one != name]
    pointers = [*others, *targets(statements), *addressed(statements), *(one.of for one in nodes(statements, c.SizeOf))]
    is_moved = any(pointer == name or (isinstance(pointer, c.Index) and pointer.base == name) for pointer in pointers)
    declares = table.name in {item.name for item in nodes(statements, c.Declare)}
    return count(statements, table.name) == len(rows) + len(whole) and len(whole) <= 1 and not is_moved | declares


def _difference(one: c.Expression, other: c.Expression) -> dict[str, int] | None:
    """Returns the coefficients of the difference of two sums of names and numbers, those that are not 0; None for other
    expressions."""
    left, right = _sum(one), _sum(other)
    if left is None or right is None:
        return {} if one == other else None
    left.subtract(right)
    return {name: factor for name, factor in left.items() if factor}


def _sum(value: c.Expression) -> Counter[str] | None:
    match value:
        case c.Name(name):
            return Counter({name: 1})
        case c.Literal() if is_integer(value) and (number := integer(value)) is not None:
            return Counter({"": number})
        case c.Cast(type_, operand) if is_as_wide_as_sizes(type_):
            return _sum(operand)
        case c.Binary("+" | "-" as operator, left, right):
            one, other = _sum(left), _sum(right)
            if one is None or other is None:
                return None
            one.update(other) if operator == "+" else one.subtract(other)
            return one
    return None
