"""Declarations of file scope: arrays, named constants and type names."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pycparser import c_ast

from alphaz.model.types import INT, LONG, ScalarType
from alphaz.scop.functions import Functions
from alphaz.scop.index_expressions import index
from alphaz.scop.index_values import constant, number
from alphaz.scop.lexical_checks import KNOWN_NAMES
from alphaz.scop.pycparser_queries import assigned, base, changed_in_head, nodes, parameters_of, scalar_type
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState
from alphaz.scop.scope import Context, NamedInteger
from alphaz.scop.substitution import names_in


def plainly_typed(tree: c_ast.FileAST) -> c_ast.FileAST:
    """Returns the tree with typedef names of arithmetic types replaced by these types."""
    names = _numbers(tree)
    for identifier in nodes(tree, c_ast.IdentifierType) if names else []:
        if len(identifier.names) == 1:
            identifier.names = list(names.get(identifier.names[0], identifier.names))
    return tree


def _numbers(tree: c_ast.FileAST) -> Mapping[str, list[str]]:
    values: dict[str, list[str]] = {}
    for declaration in (declaration for declaration in tree.ext if isinstance(declaration, c_ast.Typedef)):
        if (
            declaration.name in KNOWN_NAMES
            or not isinstance(declaration.type, c_ast.TypeDecl)
            or declaration.quals
            or declaration.type.quals
        ):
            continue
        if isinstance(declaration.type.type, c_ast.IdentifierType):
            names = declaration.type.type.names
            declaration.type.type.names = values.get(names[0], names) if len(names) == 1 else names
            if scalar_type(declaration.type) is not None:
                values[declaration.name] = declaration.type.type.names
    # A block may declare the name with another type.
    inside = {node.name for item in tree.ext if isinstance(item, c_ast.FuncDef) for node in nodes(item, c_ast.Typedef)}
    return {name: names for name, names in values.items() if name not in inside}


def name_constants(words: ReaderState, tree: c_ast.FileAST) -> None:
    """Records the constants of a file for its readers. A constant of unclear value gets no value."""
    changed = assigned(tree) | {name for node in nodes(tree, c_ast.For) for name in changed_in_head(node)}
    for item in tree.ext:
        for name, value, type_ in (*_enumerated(words, item), *_constant(words, item, changed)):
            words.constants[name] = NamedInteger(constant(value), type_)


def _enumerated(words: ReaderState, item: c_ast.Node) -> Iterator[tuple[str, int, ScalarType]]:
    """Yields the enumeration constants. Without a value, a constant is one more than the one before; if all fit, they
    are `int` (C11, 6.4.4.3)."""
    if not isinstance(item, c_ast.Decl | c_ast.Typedef):
        return
    for list_ in nodes(item, c_ast.EnumeratorList):
        value: int | None = -1
        for enumerator in list_.enumerators:
            if enumerator.value is not None:
                value = _value(words, enumerator.value)
            elif value is not None:
                value += 1
            if value is not None:
                yield enumerator.name, value, INT if -(1 << 31) <= value < 1 << 31 else LONG


def _constant(words: ReaderState, item: c_ast.Node, changed: Collection[str]) -> Iterator[tuple[str, int, ScalarType]]:
    """Yields a variable that is `const`, or is `static` and never assigned."""
    if not isinstance(item, c_ast.Decl) or item.init is None:
        return
    if "const" not in item.quals and ("static" not in item.storage or item.name in changed):
        return
    type_ = scalar_type(item.type)
    if type_ is None or type_.kind != "int" or type_.bits < 32 or not type_.signed:
        return
    value = _value(words, item.init)
    if value is not None and -(1 << (type_.bits - 1)) <= value < 1 << (type_.bits - 1):
        yield item.name, value, type_


def _value(words: ReaderState, node: c_ast.Node) -> int | None:
    try:
        return number(index(words, Context(), node, Existentials()))
    except NoIndex:
        return None


def used_names(functions: Functions, definition: Any) -> frozenset[str]:
    """Returns the names that a function and its callees use."""
    names: set[str] = set()
    waiting = [definition]
    visited: set[str] = set()
    while waiting:
        node_ = waiting.pop()
        if node_.decl.name in visited:
            continue
        visited.add(node_.decl.name)
        used = names_in(node_.body)
        names |= used | {name for pragma in nodes(node_.body, c_ast.Pragma) for name in _words(pragma)}
        waiting += [functions.defined[name] for name in used & functions.defined.keys()]
    return frozenset(names)


def _words(pragma: Any) -> list[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in str(pragma.string)).split()


def declared_outside(tree: c_ast.FileAST, functions: Functions, definition: Any) -> Mapping[str, Any]:
    """Returns the declarations of arrays and scalars of file scope that a function uses, by name. Of several
    declarations of one name, the one with an initial value."""
    # A name that an argument hides is visible only in other functions; these are then not supported.
    used = used_names(functions, definition) - {item.name for item in parameters_of(definition)}
    declarations: dict[str, Any] = {}
    for item in tree.ext:
        if not isinstance(item, c_ast.Decl) or not isinstance(item.type, c_ast.ArrayDecl | c_ast.TypeDecl):
            continue
        is_first = item.name not in declarations or item.init is not None
        if item.name in used and is_first and scalar_type(base(item.type)) is not None:
            declarations[item.name] = item
    return declarations
