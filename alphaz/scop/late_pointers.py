"""Pointers that are declared before they get a value: declared where they get it.

double *p;                             double *p = malloc(n * sizeof *p);
p = malloc(n * sizeof *p);

double *row;                           for (i = 0; i < n; i++) {
for (i = 0; i < n; i++) {                  double *row = a + i * m;
    row = a + i * m; .. row[j] .. }        .. row[j] .. }

Each use of the pointer comes after such an assignment in its block, and the names in its type (lengths of rows) keep
their values and meanings. A directive does not stand between: it would make one pointer of all threads one of each.
"""

from collections.abc import Iterable
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import blocks, nodes, with_blocks
from alphaz.scop.idioms import is_behind_directive
from alphaz.scop.substitution import mentioned, names_in, touched
from alphaz.scop.tree_queries import Statements, begins_with_itself, changes, words_of_directives


def with_late_pointers(tree: c.File) -> c.File:
    """Returns the file with such declarations at these assignments."""
    return replace(tree, items=tuple(with_blocks(i, _block) if isinstance(i, c.Function) else i for i in tree.items))


def _block(block: Statements) -> Statements:
    position = 0
    while position < len(block):
        item = block[position]
        if isinstance(item, c.Declare) and _is_late(item) and not is_behind_directive(block, position):
            is_steady = not names_in(item.type) & touched(block[position + 1 :])
            rest = _begun(block[position + 1 :], item) if is_steady else None
            if rest is not None and item.name in mentioned(rest):
                block = (*block[:position], *rest)
                continue
        position += 1
    return tuple(with_blocks(statement, _block) for statement in block)


def _is_late(item: c.Declare) -> bool:
    """Returns True for a pointer without a value, or with a null pointer."""
    value = item.value.operand if isinstance(item.value, c.Cast) else item.value
    is_null = value in (None, c.ZERO, c.Name("NULL"))
    is_plain = isinstance(item.type, c.Pointer) and not item.type.const and not item.type.volatile
    return is_plain and not item.storage and is_null


def _begun(block: Statements, pointer: c.Declare) -> Statements | None:
    """Returns the statements with the pointer declared where they assign it first; None if one may use it before."""
    name = pointer.name
    after: list[c.Statement] = []
    for position, statement in enumerate(block):
        if not _mentions(statement, name):
            after.append(statement)
            continue
        match statement:
            case c.Assign(c.Name(own), value, "=") if own == name:
                declared = replace(pointer, value=value, at=statement.at)
                is_clear = not changes(value) and not begins_with_itself(declared)
                return (
                    (*after, declared, *block[position + 1 :])
                    if is_clear and not is_behind_directive(block, position)
                    else None
                )
        inside = _begun_inside(statement, pointer)
        if inside is None:
            return None
        after.append(inside)
    return tuple(after)


def _begun_inside(statement: c.Statement, pointer: c.Declare) -> c.Statement | None:
    """Returns a statement with the pointer declared in its blocks; None if something else of it uses the pointer."""
    if isinstance(statement, c.Omp | c.Switch) or not any(True for _ in blocks(statement)):
        return None
    if _mentions(with_blocks(statement, lambda block: ()), pointer.name):
        return None
    parts = [_begun(block, pointer) for block in blocks(statement)]
    found = iter([part for part in parts if part is not None])
    return None if None in parts else with_blocks(statement, lambda block: next(found))


def _mentions(statement: c.Statement, name: str) -> bool:
    declared: Iterable[str] = (node.name for node in nodes(statement, (c.Typedef, c.Function)))
    return name in mentioned(statement) | words_of_directives(statement) | {*declared}
