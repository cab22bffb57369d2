"""The input of a repair (the mapping, its refuted obligations) and its result, a changed mapping."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from alphaz.diagnostics import Rule, Span, Witness, WitnessPoint
from alphaz.diagnostics.render.snippet import is_nowhere
from alphaz.legality.verdicts import Options, SystemVerdict
from alphaz.mapping.design import Design
from alphaz.mapping.factors import factors_text
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.mapping.target_mapping import MemoryMap, SpaceTimeMap, TargetMapping
from alphaz.proof import Refuted


@dataclass(frozen=True, slots=True)
class HintCommand:
    """A command of a script, and the same as Python."""

    script: str
    python: str


@dataclass(frozen=True, slots=True)
class Hint:
    """A change of a mapping. `text` completes "... would be legal". `lines` are commands, to follow those of the
    mapping.

    `options` are the options of the verifier under which it is legal."""

    text: str
    lines: tuple[HintCommand, ...]
    mapping: TargetMapping
    options: Options = field(default_factory=Options)

    @property
    def commands(self) -> tuple[str, ...]:
        """The lines of the script."""
        return tuple(line.script for line in self.lines)

    def __str__(self) -> str:
        """Returns the text shown for a verified hint."""
        return "\n".join((f"{self.text} would be legal (tried){':' if self.commands else ''}", *self._indented()))

    def _indented(self) -> tuple[str, ...]:
        return tuple(f"  {line}" for line in self.commands)


_CALL = re.compile(r"\b\w+\s*\(\s*(\w+)\s*,\s*(\"[^\"\n]*\"|\w+)\s*,")


@dataclass(frozen=True, slots=True)
class RepairCase:
    """A system whose mapping is refuted or not well formed."""

    design: Design
    system: str
    report: SystemVerdict

    @property
    def stated_mapping(self) -> TargetMapping:
        return self.design.mapping(self.system)

    @property
    def resolved(self) -> ResolvedMapping:
        """Returns the resolved mapping; only for a well-formed mapping."""
        assert self.report.mapping is not None
        return self.report.mapping

    @property
    def refuted(self) -> Iterator[tuple[Rule, Witness]]:
        for result in self.report.results if self.report.mapping is not None else ():
            if isinstance(result.verdict, Refuted):
                yield result.rule, result.verdict.witness

    def has(self, *rules: Rule) -> bool:
        return any(rule in rules for rule, _ in self.refuted)

    def statement(self, place: WitnessPoint) -> Statement | None:
        """Returns the statement at a place; None at the start and at the end."""
        name = f"{place.name.removesuffix('.merge')}.body" if place.name.endswith(".merge") else place.name
        statements = (s for s in self.resolved.statements if s.name == name)
        return next(statements, None) if place.date is not None else None

    def witness_statements(self) -> tuple[Statement, ...]:
        """Returns the statements of all witnesses, those of the first witness first."""
        places = (place for _, witness in self.refuted for place in witness.places)
        return tuple(dict.fromkeys(s for s in map(self.statement, places) if s is not None))

    def command(self, name: str, **arguments: str | int) -> HintCommand:
        """Returns a line, in a script and in Python, with the argument names of Python; in scripts texts are quoted,
        numbers are not, and the order is that given here."""
        shown = [str(a) if isinstance(a, int) else f'"{a}"' for a in arguments.values()]
        script = f"{name}({', '.join((*self._names(), *shown))});"
        called = re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()
        named = ", ".join(f"{key}={value!r}" for key, value in {"system": self.system, **arguments}.items())
        return HintCommand(script, f"design = design.{called}({named})")

    def end(self) -> Span | None:
        """Returns the empty place after the last command of the mapping; None if no script states it."""
        spans = [span for span in self._spans() if _is_script(span)]
        if not spans:
            return None
        last = max(spans, key=lambda span: span.end)
        position = last.source.text.find(";", last.end - 1)
        return None if position < 0 else Span(last.source, position + 1, position + 1)

    def _names(self) -> tuple[str, str]:
        """The names of the program and the system in the script, from the last command about this mapping."""
        spans = [span for span in self._spans() if _is_script(span)]
        for span in sorted(spans, key=lambda span: -span.end):
            calls = list(_CALL.finditer(span.source.text, 0, span.end + 1))
            if calls and calls[-1].end() + 200 > span.start:
                return calls[-1][1], calls[-1][2]
        return "prog", f'"{self.system}"'

    def _spans(self) -> Iterator[Span]:
        stated = self.stated_mapping
        yield from (entry.span for entry in stated.space_time)
        yield from (entry.span for entry in stated.kinds)
        yield from (entry.span for entry in stated.ordering)
        yield from (entry.span for entry in stated.memory)
        yield from (entry.span for entry in stated.tiling)
        yield from (entry.span for entry in stated.argument_dates)
        yield from (entry.span for entry in (*stated.distribution, *stated.ghosts))

    def dates(self) -> dict[str, SpaceTimeMap]:
        """Returns the dates of every variable and call that has some, defaults included, as commands would give
        them."""
        entries: dict[str, SpaceTimeMap] = {}
        for statement in self.resolved.statements:
            if statement.role in (Role.VALUE, Role.BODY, Role.INPUT, Role.CALL):
                entries[statement.variable] = SpaceTimeMap(statement.variable, statement.date, span=statement.span)
        for statement in self.resolved.statements:
            if statement.role is Role.INIT:
                body = entries[statement.variable]
                entries[statement.variable] = SpaceTimeMap(body.variable, body.function, statement.date, body.span)
        return entries

    def dated(self, entry: SpaceTimeMap) -> HintCommand:
        """Returns the command that gives a variable these dates."""
        init = {} if entry.init is None else {"init": str(entry.init)}
        return self.command("setSpaceTimeMap", variables=entry.variable, map_=str(entry.function), **init)

    def stored(self, entry: MemoryMap) -> HintCommand:
        """Returns the command that gives a variable these cells."""
        assert entry.function is not None
        moduli = {"moduli": factors_text(entry.moduli)} if any(entry.moduli) else {}
        return self.command(
            "setMemoryMap", variables=entry.variable, space=entry.space, map_=str(entry.function), **moduli
        )


def _is_script(span: Span) -> bool:
    """Returns True if commands of a script can be inserted there: not in the text of a program in Python."""
    name = span.source.name
    return not (is_nowhere(span) or name.endswith((".py", ".ipynb")) or name.startswith(("<python", "<ipython", "<s")))
