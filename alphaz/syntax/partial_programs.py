"""Parses the correct parts of a program with syntax errors, and tells which language a text is in."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from alphaz.diagnostics import Diagnostic, Rejected, Source, Span
from alphaz.syntax import tree
from alphaz.syntax.grammar import program_grammar
from alphaz.syntax.parser import parse_bundle
from alphaz.syntax.recovery import Lost, RecoveredReading, read_partly

T = TypeVar("T", bound=tree.Node)

# Items that declare names, and first words of declarations.
_DECLARING = frozenset(("declaration", "external", "system"))
_DECLARED = frozenset(("SCALAR_TYPE", "AFFINE"))


@dataclass(frozen=True, slots=True)
class Salvaged:
    """The correct parts. `damaged` names the systems with dropped parts.

    `lost` are the names that may have been declared in those; `is_certain`: there are no others."""

    text: tree.ProgramText
    findings: tuple[Diagnostic, ...]
    damaged: frozenset[str]
    lost: frozenset[str]
    is_certain: bool = True


def salvage_program(source: Source) -> Salvaged:
    """Returns the correct parts of a program, all systems in most cases. Raises Rejected if there are none."""
    if is_alpha(source):
        return Salvaged(parse_bundle(source), (), frozenset(), frozenset())
    reading = read_partly(program_grammar(), "program", Span(source, 0, len(source.text)))
    text = reading.value
    if not reading.findings:
        return Salvaged(text, (), frozenset(), frozenset())
    if not isinstance(text, tree.ProgramText):
        raise Rejected(*reading.findings)
    saver = _Saver(reading)
    systems = [saver.system(system) for system in text.systems if saver.has(system.name, system.parameters)]
    damaged = frozenset(new.name.text for new, old in systems if new != old or saver.touches(old))
    every = tuple(_without_calls(system, damaged) for system, _ in systems)
    callers = {new.name.text for new, (old, _) in zip(every, systems, strict=True) if new != old}
    externals = saver.all(text.externals)
    result = tree.ProgramText(externals, every, span=text.span)
    known, guessed = saver.declaring(text)
    return Salvaged(
        text=result,
        findings=reading.findings,
        damaged=damaged | callers,
        lost=saver.names_at(known + guessed),
        is_certain=not guessed,
    )


@dataclass(frozen=True, slots=True)
class _Saver:
    reading: RecoveredReading

    def has(self, *nodes: tree.Node | Span) -> bool:
        """Returns True if none of these contains an error."""
        return not any(self.touches(node) for node in nodes)

    def touches(self, node: tree.Node | Span) -> bool:
        """Returns True if it contains an error; the placeholder of a dropped item has no place of its own."""
        span = node if isinstance(node, Span) else node.span
        return span.source is not self.reading.source or any(
            span.start < lost.end and lost.start < span.end for lost in self.reading.lost
        )

    def all(self, nodes: Iterable[T]) -> tuple[T, ...]:
        return tuple(node for node in nodes if self.has(node))

    def system(self, text: tree.SystemText) -> tuple[tree.SystemText, tree.SystemText]:
        """Returns the correct part of a system, and the system."""
        left = replace(
            text,
            inputs=self.all(text.inputs),
            outputs=self.all(text.outputs),
            locals=self.all(text.locals),
            loop=text.loop if text.loop is not None and self.has(text.loop) else None,
            equations=self.all(text.equations),
        )
        return left, text

    def declaring(self, text: tree.ProgramText) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Returns the places of dropped declarations: those whose names are as written, and those that may have
        declared any name."""
        systems = [d for system in text.systems for d in (*system.inputs, *system.outputs, *system.locals)]
        heads = (system.name for system in text.systems if not self.has(system.name, system.parameters))
        broken = [d for d in systems if self.touches(d)]
        known = [d.span for d in broken if self.has(Span(d.span.source, d.span.start, d.names[-1].span.end))]
        known += [name.span for name in heads if name.span.source is self.reading.source]
        guessed = [node.span for node in (*broken, *text.externals) if self.touches(node) and node.span not in known]
        lost = [(lost.start, lost.end) for lost in self.reading.lost if self._declares(lost)]
        return [(span.start, span.end) for span in known], [(span.start, span.end) for span in guessed] + lost

    def names_at(self, places: list[tuple[int, int]]) -> frozenset[str]:
        """Returns all words there that could be names, including reserved words."""
        inside = (lexeme for lexeme in self.reading.lexemes if any(a <= lexeme.span.start < b for a, b in places))
        return frozenset(name for name in (word.text.removeprefix("^") for word in inside) if name.isidentifier())

    def _declares(self, lost: Lost) -> bool:
        inside = (lexeme.type for lexeme in self.reading.lexemes if lost.start <= lexeme.span.start < lost.end)
        return lost.item in _DECLARING or (bool(lost.item) and not _DECLARED.isdisjoint(inside))


def _without_calls(text: tree.SystemText, damaged: frozenset[str]) -> tree.SystemText:
    """The system without calls of damaged systems, which cannot be checked."""
    equations = (e for e in text.equations if not (isinstance(e, tree.UseText) and e.system.text in damaged))
    return replace(text, equations=tuple(equations))


_SPACE = re.compile(r"(?:\s|\ufeff|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
# `package a.b {`, `external f(1)`, `affine f [N] -> {`, `affine f {: N>0}`.
_ALPHA = re.compile(
    r"(?:package|import|constant)\s+[\w.]+|external\s+\w+\s*\(\s*\d|affine\s+(?:'[^'\s]+'|\^?\w+)\s*(?:\[[^\]]*\]\s*->\s*)?\{\s*:"
)


def is_alpha(source: Source) -> bool:
    """Returns True if the text is in the successor language, and not in that of `*.ab`; if the text does not decide,
    the file name does."""
    begin = _SPACE.match(source.text)
    assert begin is not None
    if _ALPHA.match(source.text, begin.end()):
        return True
    return source.name.endswith(".alpha")
