"""Numbers that a file gives names to, for all of its functions: of enumerations, and constants that are initialised."""

from collections.abc import Collection, Iterator

from pycparser import c_ast

from alphaz.c_reading.functions import assigned, changed_in_head, nodes, scalar_type
from alphaz.c_reading.indices import index
from alphaz.c_reading.number import constant, number
from alphaz.c_reading.scope import Nest, Number
from alphaz.c_reading.words import Asides, NoIndex, Words
from alphaz.model.types import INT, LONG, ScalarType


def name_constants(words: Words, tree: c_ast.FileAST) -> None:
    """Tells the readers of a file what its constants are. A constant whose value is not clear has none."""
    changed = assigned(tree) | {name for each in nodes(tree, c_ast.For) for name in changed_in_head(each)}
    for each in tree.ext:
        for name, value, type_ in (*_enumerated(words, each), *_constant(words, each, changed)):
            words.constants[name] = Number(constant(value), type_)


def _enumerated(words: Words, item: c_ast.Node) -> Iterator[tuple[str, int, ScalarType]]:
    """Those without a value have one more than the one before; all that are no larger are `int` (C11, 6.4.4.3)."""
    if not isinstance(item, c_ast.Decl | c_ast.Typedef):
        return
    for list_ in nodes(item, c_ast.EnumeratorList):
        found: int | None = -1
        for each in list_.enumerators:
            if each.value is not None:
                found = _value(words, each.value)
            elif found is not None:
                found += 1
            if found is not None:
                yield each.name, found, INT if -(1 << 31) <= found < 1 << 31 else LONG


def _constant(words: Words, item: c_ast.Node, changed: Collection[str]) -> Iterator[tuple[str, int, ScalarType]]:
    """What is `const`, or is seen in this file only, where nobody changes it."""
    if not isinstance(item, c_ast.Decl) or item.init is None:
        return
    if "const" not in item.quals and ("static" not in item.storage or item.name in changed):
        return
    type_ = scalar_type(item.type)
    if type_ is None or type_.kind != "int" or type_.bits < 32 or not type_.signed:
        return
    found = _value(words, item.init)
    if found is not None and -(1 << (type_.bits - 1)) <= found < 1 << (type_.bits - 1):
        yield item.name, found, type_


def _value(words: Words, node: c_ast.Node) -> int | None:
    try:
        return number(index(words, Nest(), node, Asides()))
    except NoIndex:
        return None
