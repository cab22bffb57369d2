"""The meaning of C up to renaming: indices by their values, variables by the order of their declarations."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import count
from typing import Any

from alphaz.c import tree as c
from alphaz.codegen.c.readable_c import is_index

Meaning = tuple[object, ...]
Known = Mapping[str, c.Expression]


def meaning(body: tuple[c.Statement, ...]) -> Meaning:
    """Two texts with one meaning do the same, statement by statement; braces and comments have none."""
    return _Reader().row(body, {})


@dataclass(frozen=True)
class _Reader:
    numbers: Iterator[int] = field(default_factory=count)

    def row(self, body: tuple[c.Statement, ...], around: Known) -> Meaning:
        found: list[object] = []
        known = dict(around)
        for statement in body:
            if isinstance(statement, c.Declare):
                found += self._declared(statement, known)
            else:
                found += self._one(statement, known)
        return tuple(found)

    def _declared(self, statement: c.Declare, known: dict[str, c.Expression]) -> Iterator[object]:
        if is_index(statement):
            assert statement.value is not None
            known[statement.name] = _resolved(statement.value, known)
            return
        value = None if statement.value is None else _resolved(statement.value, known)
        known[statement.name] = self._new()
        yield replace(statement, name=str(known[statement.name]), value=value)

    def _one(self, statement: c.Statement, known: Known) -> Iterator[object]:
        match statement:
            case c.Comment() | c.Blank():
                return
            case c.Block(body):
                yield from self.row(body, known)
            case c.Omp(directive, clauses, body):
                yield directive, _resolved(clauses, known), self.row(body or (), known)
            case c.While(condition, body):
                yield "while", _resolved(condition, known), self.row(body, known)
            case c.If(condition, then, otherwise):
                yield "if", _resolved(condition, known), self.row(then, known), self.row(otherwise, known)
            case c.For((c.Declare(type_, iterator, first),), condition, steps, body):
                inside = {**known, iterator: self._new()}
                moving = _resolved(condition, inside), _resolved(steps, inside)
                here = type_, inside[iterator], _resolved(first, known), *moving
                yield "for", *here, self.row(body, inside)
            case c.Assign() | c.Evaluate() | c.Return():
                yield _resolved(statement, known)
            case _:
                raise AssertionError(f"no statement of loops: {statement}")

    def _new(self) -> c.Name:
        return c.Name(f"#{next(self.numbers)}")


def _resolved(code: Any, known: Known) -> Any:
    """The same with names replaced."""
    match code:
        case c.Name(name):
            return known.get(name, code)
        case tuple():
            return tuple(_resolved(each, known) for each in code)
    if not is_dataclass(code) or isinstance(code, type):
        return code
    return replace(
        code, **{each.name: _resolved(getattr(code, each.name), known) for each in fields(code) if each.compare}
    )
