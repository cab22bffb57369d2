"""Wide records: where a dataclass is made of more than four values, they are passed by keyword."""

import ast
from collections.abc import Iterator, Mapping, Sequence

from tests.architecture.source_tree import Module

MOST = 4


def wide_records_by_position(everything: Sequence[Module]) -> Iterator[str]:
    """Calls of dataclasses with more arguments by position, where none of them is a starred one."""
    records = {module.name: frozenset(_dataclasses(module.tree)) for module in everything}
    for module in everything:
        known = _known(module, records)
        for node in ast.walk(module.tree):
            match node:
                case ast.Call(ast.Name(name), arguments) if name in known and len(arguments) > MOST:
                    if not any(isinstance(argument, ast.Starred) for argument in arguments):
                        yield f"{module.place}:{node.lineno}: {name} of {len(arguments)} values by position"


def _dataclasses(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(item) for item in node.decorator_list):
            yield node.name


def _known(module: Module, records: Mapping[str, frozenset[str]]) -> set[str]:
    """The dataclasses that the module defines or imports, by the names that they have there."""
    results = set(records.get(module.name, ()))
    for node in module.tree.body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            there = records.get(node.module, records.get(f"{node.module}.__init__", frozenset()))
            results |= {alias.asname or alias.name for alias in node.names if alias.name in there}
    return results
