"""The outline of a file: a tree of names with their places."""

from collections.abc import Iterator
from dataclasses import dataclass

from alphaz.diagnostics import Rejected, Source, Span
from alphaz.ide.features.names import calls_in, parse_script_or_none
from alphaz.syntax import tree
from alphaz.syntax.partial_programs import salvage_program


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """`kind` is system, input, output, local, equation, call or command; `place` is its name, `span` all of it."""

    kind: str
    name: str
    detail: str
    span: Span
    place: Span
    inside: tuple["OutlineEntry", ...] = ()


def of_program(source: Source) -> list[OutlineEntry]:
    """Returns the systems with their variables and equations."""
    try:
        text = salvage_program(source).text
    except Rejected:
        return []
    return [
        OutlineEntry(
            kind="system",
            name=system.name.text,
            detail="",
            span=system.span,
            place=system.name.span,
            inside=tuple(_inside(system)),
        )
        for system in text.systems
    ]


def _inside(system: tree.SystemText) -> Iterator[OutlineEntry]:
    for kind, declarations in (("input", system.inputs), ("output", system.outputs), ("local", system.locals)):
        for declaration in declarations:
            domain = "" if declaration.domain is None else " ".join(declaration.domain.span.text.split())
            for name in declaration.names:
                yield OutlineEntry(kind=kind, name=name.text, detail=domain, span=declaration.span, place=name.span)
    for equation in system.equations:
        if isinstance(equation, tree.UseText):
            yield OutlineEntry(
                kind="call",
                name=f"use {equation.system.text}",
                detail="",
                span=equation.span,
                place=equation.system.span,
            )
        else:
            yield OutlineEntry(
                kind="equation",
                name=equation.name.text,
                detail="equation",
                span=equation.span,
                place=equation.name.span,
            )


def of_script(source: Source) -> list[OutlineEntry]:
    """Returns its commands, in order."""
    text = parse_script_or_none(source)
    entries = []
    for statement in () if text is None else text.statements:
        for call in list(calls_in(statement.value))[:1]:
            inside = " ".join(call.span.text[len(call.name.text) :].split())
            entries.append(
                OutlineEntry(
                    kind="command", name=call.name.text, detail=inside, span=statement.span, place=call.name.span
                )
            )
    return entries
