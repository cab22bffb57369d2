"""The grammars as tables: text -> lexemes, and the LALR automaton over their types.

The tables are Lark's, made from `grammar/*.lark`. The automaton is run here rather than by Lark, because a file is to
be read past its first mistake, which needs simulation ("could the next three words follow?") and popping of states.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Lark, Token
from lark.parsers.lalr_analysis import Shift

from alphaz.diagnostics import Span
from alphaz.syntax.alpha_build import AlphaBuilder
from alphaz.syntax.build import ProgramBuilder
from alphaz.syntax.lexeme import END, Lexeme
from alphaz.syntax.script_build import ScriptBuilder
from alphaz.syntax.tables import kept_tables, tables

# Words that the lexer gives and no sentence has; see the ends of the grammars.
_NEVER = {
    "alphabets": ("JUNK", "OPEN_COMMENT"),
    "alpha": ("JUNK", "OPEN_COMMENT", "UNREAD"),
    "script": ("JUNK", "OPEN_STRING"),
}
_STARTS = {
    "alphabets": ["program", "domain", "function", "expression"],
    "alpha": ["bundle"],
    "script": ["script"],
}


@dataclass(frozen=True, slots=True)
class _Everything:
    """Tells Lark to keep terminals that no rule uses."""

    always_accept: tuple[str, ...]

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return stream


def load_lark(name: str, strict: bool = False, debug: bool = False) -> Lark:
    """Lark's own object for `grammar/<name>.lark`, made anew and with Lark's own checks."""
    return tables(name, postlex=_Everything(_NEVER[name]), strict=strict, debug=debug, **_options(name))


def _options(name: str) -> dict[str, Any]:
    return {
        "parser": "lalr",
        "lexer": "basic",
        "start": _STARTS[name],
        "keep_all_tokens": True,
        "maybe_placeholders": False,
    }


def _grammar(name: str, builder: object) -> "Grammar":
    return Grammar(kept_tables(name, transformer=builder, postlex=_Everything(_NEVER[name]), **_options(name)))


class Grammar:
    """One grammar: its lexer, its automaton and what to build at each reduction."""

    def __init__(self, lark: Lark) -> None:
        self._lark = lark
        self._parsers = {
            start: lark.parse_interactive(start=start).parser_state.parse_conf for start in lark.options.start
        }

    def lexemes(self, span: Span) -> list[Lexeme]:
        """The words of the span, then one END."""
        base = span.start
        found = []
        for token in self._lark.lex(span.text):
            start, end = base + (token.start_pos or 0), base + (token.end_pos or 0)
            found.append(Lexeme(token.type, Span(span.source, start, end)))
        found.append(Lexeme(END, Span(span.source, span.end, span.end)))
        return found

    def automaton(self, start: str) -> "Automaton":
        return Automaton(self._parsers[start])


class Automaton:
    """The states of one start symbol. A stack is a list of states, `start` first."""

    def __init__(self, configuration: Any) -> None:
        self._states: dict[int, dict[str, tuple[Any, Any]]] = configuration.states
        self._callbacks = configuration.callbacks
        self.start: int = configuration.start_state
        self._end: int = configuration.end_state

    def shift(self, states: list[int], values: list[Any] | None, lexeme_type: str, value: Any = None) -> bool:
        """Take one word, reducing before as needed; False (and the stacks as they were reduced) where it cannot stand.

        Without `values` nothing is built. END is taken when the start symbol is whole, and leaves its value on top.
        """
        while True:
            action, argument = self._states[states[-1]].get(lexeme_type, (None, None))
            if action is None:
                return False
            if action is Shift:
                states.append(argument)
                if values is not None:
                    values.append(value)
                return True
            self._reduce(states, values, argument)
            if lexeme_type == END and states[-1] == self._end:
                return True

    def _reduce(self, states: list[int], values: list[Any] | None, rule: Any) -> None:
        size = len(rule.expansion)
        if values is not None:
            children = values[len(values) - size :]
            del values[len(values) - size :]
            values.append(self._callbacks[rule](children))
        del states[len(states) - size :]
        states.append(self._states[states[-1]][rule.origin.name][1])

    def follows(self, states: list[int], types: list[str]) -> bool:
        """Whether these words could come next."""
        simulated = list(states)
        return all(self.shift(simulated, None, each) for each in types)

    def expected(self, states: list[int]) -> frozenset[str]:
        """The words of which one could come next."""
        return frozenset(each for each in self._states[states[-1]] if each.isupper() and self.follows(states, [each]))

    def goto(self, state: int, symbol: str) -> int | None:
        """The state after a whole `symbol` in this state."""
        entry = self._states[state].get(symbol)
        return entry[1] if entry else None


@cache
def program_grammar() -> Grammar:
    return _grammar("alphabets", ProgramBuilder())


@cache
def alpha_grammar() -> Grammar:
    return _grammar("alpha", AlphaBuilder())


@cache
def script_grammar() -> Grammar:
    return _grammar("script", ScriptBuilder())
