"""Annotations of assignments: which value of the equations each line of the text computes.

A line is marked while it is printed, and the marks are removed again: so every pass may move, copy and rename
assignments, and line numbers are those of the final text.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.piece import Floor

Statements = tuple[c.Statement, ...]

_MARK, _PLACE = "\x01", "\x02"
_MARKED = re.compile(rf"[ \t]*{_MARK}(.*)")
_PLACED = re.compile(rf"[ \t]*{_PLACE}(\d+)\s*")
FORMAT = "alphaz-claims"
VERSION = 1


def without(body: Statements, left_out: Sequence[c.Declare]) -> Statements:
    """Returns the same statements where some unused names are not declared: annotations use their values instead."""
    for declared in reversed(left_out):
        floors: list[Floor] = []
        value = None if declared.value is None else affine_of(declared.value, floors)
        body = tuple(_resolve_name(inner, declared.name, value, tuple(floors)) for inner in body)
    return body


def _resolve_name(statement: c.Statement, name: str, value: Affine | None, floors: tuple[Floor, ...]) -> c.Statement:
    match statement:
        case c.Assign(about=about) | c.Declare(about=about) | c.Evaluate(about=about) if (
            about is not None and name in about.names
        ):
            return replace(statement, about=None if value is None else about.substitute({name: value}, floors))
        case c.If(_, then, otherwise):
            inner = (
                tuple(_resolve_name(inner_statement, name, value, floors) for inner_statement in body)
                for body in (then, otherwise)
            )
            return replace(statement, then=next(inner), otherwise=next(inner))
        case c.For() | c.Block() | c.While() | c.Omp() if statement.body is not None:
            return replace(statement, body=tuple(_resolve_name(inner, name, value, floors) for inner in statement.body))
    return statement


def affine_of(code: c.Expression, floors: list[Floor]) -> Affine | None:
    """Returns an index expression as an affine one; None where it is not affine. Its quotients have names, added to
    `floors`.
    """
    match code:
        case c.Literal(text) if text.isdecimal():
            return Affine(constant=int(text))
        case c.Name(name):
            return Affine.name(name)
        case c.Unary("-", operand):
            negated = affine_of(operand, floors)
            return None if negated is None else -negated
        case c.Binary("+" | "-" | "*" as operator, left, right):
            one, other = affine_of(left, floors), affine_of(right, floors)
            if one is None or other is None:
                return None
            if operator == "*":
                factor, rest = (one, other) if one.is_constant else (other, one)
                return rest * factor.constant if factor.is_constant else None
            return one + other if operator == "+" else one - other
        case c.Binary("/", left, c.Literal(text)) | c.Call("floor_div", (left, c.Literal(text))) if text.isdecimal():
            # The generator uses `/` only for non-negative dividends.
            dividend = affine_of(left, floors)
            if dividend is None:
                return None
            floors.append(Floor(f"floor(({dividend})/{text})", dividend, int(text)))
            return Affine.name(floors[-1].name)
    return None


# --- printing ---------------------------------------------------------------------------------------------------------


def with_marks(body: Sequence[c.Statement]) -> Statements:
    """Returns the same statements with a mark before each annotated statement."""
    statements: list[c.Statement] = []
    for statement in body:
        match statement:
            case c.Assign(about=about) | c.Declare(about=about) | c.Evaluate(about=about) if about is not None:
                statements += [c.Opaque(_MARK + json.dumps(_value(about))), statement]
            case c.If(_, then, otherwise):
                statements.append(replace(statement, then=with_marks(then), otherwise=with_marks(otherwise)))
            case c.For() | c.Block() | c.While() | c.Omp() if statement.body is not None:
                statements.append(replace(statement, body=with_marks(statement.body)))
            case _:
                statements.append(statement)
    return tuple(statements)


def unmarked(text: str) -> tuple[str, Mapping[int, Mapping[str, object]]]:
    """Returns the text without marks, and the annotations of its lines, by line number."""
    lines: list[str] = []
    marks: dict[int, Mapping[str, object]] = {}
    for line in text.splitlines(keepends=True):
        mark = _MARKED.match(line)
        if mark is None:
            lines.append(line)
        else:
            marks[len(lines) + 1] = json.loads(mark[1])
    return "".join(lines), marks


def with_places(body: Sequence[c.Statement]) -> Statements:
    """Returns the same statements with a mark before each one that was read from a text."""
    statements: list[c.Statement] = []
    for statement in body:
        if statement.at is not None:
            statements.append(c.Opaque(f"{_PLACE}{statement.at.line}"))
        statements.append(_with_places_inside(statement))
    return tuple(statements)


def _with_places_inside(statement: c.Statement) -> c.Statement:
    match statement:
        case c.If(_, then, otherwise):
            return replace(statement, then=with_places(then), otherwise=with_places(otherwise))
        case c.Omp(body=(inner,)):  # Nothing may stand between a directive and its loop.
            return replace(statement, body=(_with_places_inside(inner),))
        case c.For() | c.Block() | c.While() | c.Omp() if statement.body is not None:
            return replace(statement, body=with_places(statement.body))
    return statement


def unplaced(text: str) -> tuple[str, Mapping[int, int]]:
    """Returns the text without marks of places, and by line number the line from which a statement was read."""
    lines: list[str] = []
    places: dict[int, int] = {}
    count, line_read = 0, None
    for line in text.splitlines(keepends=True):
        place = _PLACED.fullmatch(line)
        if place is not None:
            line_read = int(place[1])
            continue
        lines.append(line)
        if not _MARKED.match(line):
            count += 1
            if line_read is not None:
                places[count], line_read = line_read, None
    return "".join(lines), places


def claims_text(claims: Mapping[int, Mapping[str, object]]) -> str:
    """Returns the text of the file next to the C file: `NAME.claims.json`."""
    lines = ",\n".join(f"    {json.dumps({'line': line, **claims[line]})}" for line in sorted(claims))
    return f'{{\n  "format": "{FORMAT}",\n  "version": {VERSION},\n  "claims": [\n{lines}\n  ]\n}}\n'


def _value(about: c.ValueAnnotation) -> dict[str, object]:
    subject = "calls" if about.is_call else "variable"
    value: dict[str, object] = {subject: about.variable, "point": [_sum(affine) for affine in about.point]}
    quotients = [{"name": floor.name, "of": _sum(floor.affine), "by": floor.denominator} for floor in about.floors]
    adds = {"adds": [_sum(affine) for affine in about.body]} if about.body else {}
    return value | adds | ({"quotients": quotients} if quotients else {})


def _sum(affine: Affine) -> dict[str, int]:
    """Returns the coefficients by name, and the constant by the empty name."""
    return {**dict(affine.terms), **({"": affine.constant} if affine.constant or not affine.terms else {})}
