"""Error recovery: parses a text past its mistakes and reports every independent syntax error, in the order of the text.

At a word that the grammar does not allow: find the message, and the smallest repair after which the next words fit (one
word inserted, replaced or deleted; the repair also shows what was expected). If no repair fits, drop the innermost item
(branch, equation, declaration, system) and continue after the next `;` or before the next section. This is the error
production of yacc, preceded by the repairs of Burke and Fisher (TOPLAS 9(2), 1987)."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from alphaz.diagnostics import Diagnostic, Rejected, Source, Span
from alphaz.diagnostics.work_limits import OutOfTime, Unfinished
from alphaz.syntax import script_tree, tree
from alphaz.syntax.build import SystemHead
from alphaz.syntax.grammar import Automaton, Grammar
from alphaz.syntax.lexeme import END, Lexeme
from alphaz.syntax.mistakes import explain, oversized
from alphaz.syntax.unexpected_word import Repair, Situation
from alphaz.syntax.words import FAMILY_OF_GIVEN, FAMILY_OF_INPUT

# Number of words that must fit after a repair.
_SIGHT = 3

# Number of failures at one word before the word is deleted, which guarantees termination.
_PATIENCE = 4

# The largest value of any type: unsigned, of 64 bits.
_LARGEST = 2**64 - 1

_ZERO = tree.IntegerLiteral(0)
_NAME = tree.Name("?")
_TYPE = tree.TypeName("int")
_NO_DOMAIN = tree.DomainText((tree.Polyhedron((), ()),))

# Placeholder of a dropped item: never used, because a text with errors is finally rejected.
_ITEMS: dict[str, Any] = {
    "branch": _ZERO,
    "equation": tree.EquationText(_NAME, None, _ZERO),
    "declaration": tree.Declaration(_TYPE, (_NAME,)),
    "external": tree.ExternalNode(_TYPE, _NAME, ()),
    "system": tree.SystemText(_NAME, _NO_DOMAIN),
    "statement": script_tree.ScriptStatement(None, script_tree.NumberLiteral(0)),
}

# Words that always begin a new item.
_LANDMARKS = frozenset(
    (
        *(word.upper() for word in (*FAMILY_OF_INPUT, *FAMILY_OF_GIVEN)),
        *("AFFINE", "OVER", "USE", "DOT", "ESAC", END),
    )
)

_SYSTEMS = frozenset(("AFFINE", END))
_SECTIONS = frozenset(word.upper() for word in (*FAMILY_OF_INPUT, *FAMILY_OF_GIVEN))

# The symbols of the grammars for whole files.
_FILES = frozenset(("program", "bundle", "script"))

# First words of items, and signs that are always a mistake.
_BEGINNINGS = (_LANDMARKS - {"ESAC", "DOT", END}) | {"NAME", "SCALAR_TYPE", "UNSIGNED", "JUNK"}


@dataclass(frozen=True, slots=True)
class Lost:
    """The place of a deletion, replacement or guess. `item` is the dropped item; empty for a repair."""

    start: int
    end: int
    item: str = ""


@dataclass(frozen=True, slots=True)
class RecoveredReading:
    """The result of parsing: the value, if there is one, and the errors in the order of the text."""

    source: Source
    value: Any
    findings: tuple[Diagnostic, ...]
    lexemes: list[Lexeme]
    lost: tuple[Lost, ...]


def read(grammar: Grammar, start: str, span: Span) -> Any:
    """Returns the value of `start` in the characters of the span.

    Raises Rejected with every independent error, in the order of the text."""
    reading = read_partly(grammar, start, span)
    if reading.findings:
        raise Rejected(*reading.findings)
    return reading.value


def read_partly(grammar: Grammar, start: str, span: Span) -> RecoveredReading:
    """Returns the result as `read`, with a value in spite of errors."""
    lexemes: list[Lexeme] = []
    reader = _Reader(grammar.automaton(start), lexemes, start)
    try:
        lexemes.extend(grammar.lexemes(span))
        value = reader.run()
    except OutOfTime as over:
        if start in _FILES:
            over.at = over.at or Unfinished(reader.reached() or span, "whether the syntax is correct from here on")
        raise
    large = oversized(lexemes, _LARGEST)
    findings = tuple(sorted(large + reader.findings, key=lambda finding: finding.primary.span.start))
    lost = (*reader.lost, *(Lost(finding.primary.span.start, finding.primary.span.end) for finding in large))
    return RecoveredReading(source=span.source, value=value, findings=findings, lexemes=lexemes, lost=lost)


@dataclass(slots=True)
class _Reader:
    """The state of one parse."""

    automaton: Automaton
    lexemes: list[Lexeme]
    start: str
    findings: list[Diagnostic] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)
    states: list[int] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    at: int = 0
    resumed_at: int = -1
    turns: Counter[int] = field(default_factory=Counter)

    def run(self) -> Any:
        if not self._run_straight():
            self._run_carefully()
        return self.values[-1] if self.values else None

    def reached(self) -> Span | None:
        """Returns the place of the last part that was parsed, or of the last word that was read."""
        parts = self.values or self.lexemes
        return next((part.span for part in reversed(parts) if isinstance(part, Lexeme | tree.Node)), None)

    def _run_straight(self) -> bool:
        """Parses a text without mistakes; False at the first one."""
        self.states, self.values = [self.automaton.start], []
        return all(self.automaton.shift(self.states, self.values, lexeme.type, lexeme) for lexeme in self.lexemes)

    def _run_carefully(self) -> None:
        """Parses from the start, testing every word before any reduction for it."""
        self.states, self.values = [self.automaton.start], []
        while self.at < len(self.lexemes):
            lexeme = self.lexemes[self.at]
            if self.automaton.follows(self.states, [lexeme.type]):
                self.automaton.shift(self.states, self.values, lexeme.type, lexeme)
                self.at += 1
            else:
                self._recover()

    def _recover(self) -> None:
        repair: Repair | None = None
        self.turns[self.at] += 1
        if self.turns[self.at] > _PATIENCE:
            self._lose(self.lexemes[self.at].span)
            self.at += 1
            return
        # Just after a dropped item, a word that continues one belongs to the same mistake.
        if self.at != self.resumed_at or self.lexemes[self.at].type in _BEGINNINGS:
            situation = Situation(
                lexemes=self.lexemes,
                at=self.at,
                values=self.values,
                expected=self.automaton.expected(self.states),
                start=self.start,
                fits=self._fits,
            )
            diagnostic, repair = explain(situation)
            self.findings.append(diagnostic)
        if repair is not None:
            self._apply(repair)
        elif not self._give_up_item():
            self.at = len(self.lexemes)

    def _fits(self, repair: Repair) -> bool:
        if repair.item:
            return True
        behind = self.at + repair.drop
        types = [lexeme.type for lexeme in self.lexemes[behind : behind + _SIGHT]]
        return bool(types) and self.automaton.follows(self.states, [*repair.types, *types])

    def _apply(self, repair: Repair) -> None:
        if repair.item:
            self._give_up(repair.item)
        place = self._gap(repair)
        if repair.types not in (("SEMICOLON",), ("DOT",)) or self._is_guess():
            self._lose(place)
        for type_ in repair.types:
            self.automaton.shift(self.states, self.values, type_, Lexeme(type_, place))
        self.at += repair.drop - repair.back

    def _is_guess(self) -> bool:
        """Returns True if the repair is uncertain. A missing end of a statement is certain. That of a branch, and of a
        declaration without a domain before another one, may be another mistake: `int a int b {..};`."""
        in_case = any(getattr(value, "type", "") == "CASE" for value in self.values)
        before, here = (self.lexemes[at].type for at in (self.at - 1, self.at))
        return in_case or (before == "NAME" and here in ("SCALAR_TYPE", "UNSIGNED"))

    def _gap(self, repair: Repair) -> Span:
        """The place of a repair: the deleted words, or the gap before a word."""
        here = self.lexemes[self.at].span
        if repair.drop:
            return here.to(self.lexemes[self.at + repair.drop - 1].span)
        start = self.lexemes[self.at - 1].span.end if self.at else here.start
        return Span(here.source, start, start)

    def _lose(self, span: Span) -> None:
        """Records that the text at this place is not as written, nor a word that continues it (`k` in `2k`), or ends at
        a gap."""
        is_gap = span.start == span.end
        self.lost.append(Lost(span.start - is_gap, span.end + 1))

    def _give_up(self, item: str) -> None:
        """Completes the innermost unfinished `item` with a placeholder."""
        for depth in range(len(self.states), 0, -1):
            begin = self._beginning(depth)
            if self._replace(depth, item, ""):
                self.lost.append(Lost(begin, self.lexemes[self.at].span.end, item))
                return

    def _beginning(self, depth: int) -> int:
        """The start of the text parsed above the first `depth` states.

        If that is empty, the word before is included: `x = a; b; esac;` lacks its `case`."""
        before = self.lexemes[self.at - 1].span.start if self.at else self.lexemes[self.at].span.start
        return min((value.span.start for value in self.values[depth - 1 :] if hasattr(value, "span")), default=before)

    def _give_up_item(self) -> bool:
        """Continues after the next `;` or before the next landmark; False at the end of the text."""
        at = self.at + 1 if self.at == self.resumed_at else self.at
        # Without its head, the sections of a system mean nothing.
        landmarks = _LANDMARKS if self._in_body() else _SYSTEMS
        while at < len(self.lexemes):
            kind = self.lexemes[at].type
            ends = kind == "SEMICOLON" and landmarks is _LANDMARKS
            if (ends and self._resume_behind(at)) or (kind in landmarks and self._resume_at(at, kind)):
                return True
            at += 1
        return False

    def _in_body(self) -> bool:
        """Returns True in the body of a system, among functions before systems, or in a script."""
        if self.start != "program" or any(isinstance(value, SystemHead) for value in self.values):
            return True
        behind = (lexeme.type for lexeme in self.lexemes[self.at :])
        first = next((kind for kind in behind if kind in _SECTIONS or kind in _SYSTEMS), END)
        return not self._in_system() and first in _SYSTEMS

    def _resume_behind(self, semicolon: int) -> bool:
        """Continues after a `;`: the next statement decides which item has ended; if it is wrong itself, the innermost
        has."""
        following = self.lexemes[semicolon + 1].type
        return self._resume_at(semicolon + 1, following) or self._resume_at(semicolon + 1, "")

    def _resume_at(self, position: int, following: str) -> bool:
        """Replaces the innermost unfinished item after which the word is allowed, and continues there."""
        for depth in range(len(self.states), 0, -1):
            for item in _ITEMS:
                begin = self._beginning(depth)
                if self._replace(depth, item, following):
                    self.lost.append(Lost(begin, self.lexemes[position].span.start, item))
                    self.at = self.resumed_at = position
                    return True
        return False

    def _replace(self, depth: int, item: str, following: str) -> bool:
        """Puts a whole `item` above the first `depth` states, if allowed, followed by `following` (if any)."""
        state = self.automaton.goto(self.states[depth - 1], item)
        if state is None or (item == "external" and self._in_system()):
            return False
        if following and not self.automaton.follows([*self.states[:depth], state], [following]):
            return False
        # One value for each state except the first.
        self.states[depth:] = [state]
        self.values[depth - 1 :] = [_ITEMS[item]]
        return True

    def _in_system(self) -> bool:
        """Returns True inside a system: its mistakes are separate from those of other systems."""
        return any(isinstance(value, SystemHead) or getattr(value, "type", "") == "AFFINE" for value in self.values)
