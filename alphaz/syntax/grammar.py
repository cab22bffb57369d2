"""Parse tables of a grammar, from the cache or made with Lark, and the LALR automaton that reads by them."""

import marshal
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypedDict

from alphaz.cache import cache_name, keep, recall
from alphaz.diagnostics import Span
from alphaz.lazy import lazy_import
from alphaz.resources import resource
from alphaz.syntax.build import ProgramBuilder
from alphaz.syntax.lexeme import END, Lexeme
from alphaz.syntax.script_build import ScriptBuilder

# Version of the cache: increase it when `Tables` changes.
_FORMAT = "2"


class Tables(TypedDict):
    """Parse tables. `words` is one pattern, a group for each terminal; `reserved` has, by such a group, the words that
    are other terminals.

    A rule: its symbol, the method that builds it, the number of its parts, those that are lists of parts, and whether a
    single part replaces it. `starts` has the first and the last state of each start symbol; `states` the action of a
    state at each symbol: a number from 0 is the next state, `-1 - n` reduces by rule n."""

    words: str
    reserved: dict[str, dict[str, str]]
    ignored: list[str]
    rules: list[tuple[str, str, int, list[int], bool]]
    starts: dict[str, tuple[int, int]]
    states: dict[int, dict[str, int]]


def kept_tables(name: str) -> Tables:
    """Returns the tables of `grammar/<name>.lark`; makes and caches them if there are none."""
    place = _place(name)
    cached = recall(place)
    if cached is not None:
        tables: Tables = marshal.loads(cached)
        return tables
    making: Any = lazy_import("alphaz.syntax.grammar_tables")
    made: Tables = making.plain_tables(name)
    keep(place, marshal.dumps(dict(made)))
    return made


def _place(name: str) -> str:
    texts = [resource("grammar", file) for file in (f"{name}.lark", "affine.lark")]
    return cache_name(f"{name}.tables", [name, _FORMAT, sys.version, *texts])


class _Parts(list[Any]):
    """The value of a rule that only lists parts: they are those of the rule around it, which may take the list."""


class Grammar:
    """One grammar: its lexer, its automaton and what to build at each reduction (the methods of `builder`)."""

    def __init__(self, tables: Tables, builder: object) -> None:
        self._word = re.compile(tables["words"])
        self._reserved = tables["reserved"]
        self._ignored = frozenset(tables["ignored"])
        rules = [_Rule(*rule, builder) for rule in tables["rules"]]
        self._automata = {start: Automaton(tables["states"], rules, *ends) for start, ends in tables["starts"].items()}

    @property
    def starts(self) -> tuple[str, ...]:
        return tuple(self._automata)

    def lexemes(self, span: Span) -> Iterator[Lexeme]:
        """Yields the words of the span, then one END."""
        source, start, reserved, ignored = span.source, span.start, self._reserved, self._ignored
        for match in self._word.finditer(span.text):
            kind = match.lastgroup
            assert kind is not None
            if kind in reserved:
                kind = reserved[kind].get(match.group(), kind)
            if kind not in ignored:
                yield Lexeme(kind, Span(source, start + match.start(), start + match.end()))
        yield Lexeme(END, Span(source, span.end, span.end))

    def automaton(self, start: str) -> "Automaton":
        return self._automata[start]


class _Rule:
    """The function that makes a value from the parts of a rule."""

    __slots__ = ("alone", "grows", "lists", "made", "method", "size")

    def __init__(self, made: str, method: str, size: int, lists: list[int], alone: bool, builder: object) -> None:
        self.made, self.size, self.lists, self.alone = made, size, frozenset(lists), alone
        self.method: Callable[[list[Any]], Any] = getattr(builder, method, _Parts)
        self.grows = self.method is _Parts and lists == [0]

    def value(self, children: list[Any]) -> Any:
        if self.grows:
            # In its place: copied at each part, a list would cost its square.
            parts: _Parts = children[0]
            parts += children[1:]
            return parts
        if self.lists:
            flat: list[Any] = []
            for position, child in enumerate(children):
                if position in self.lists:
                    flat += child
                else:
                    flat.append(child)
            children = flat
        return children[0] if self.alone and len(children) == 1 else self.method(children)


class Automaton:
    """The states of one start symbol. A stack is a list of states, `start` first."""

    def __init__(self, states: dict[int, dict[str, int]], rules: list[_Rule], start: int, end: int) -> None:
        self._states, self._rules = states, rules
        self.start = start
        self._end = end

    def shift(self, states: list[int], values: list[Any] | None, lexeme_type: str, value: Any = None) -> bool:
        """Take one word, reducing before as needed; False (and the stacks as they were reduced) where it cannot stand.

        Without `values` nothing is built. END is taken when the start symbol is whole, and leaves its value on top.
        """
        while True:
            action = self._states[states[-1]].get(lexeme_type)
            if action is None:
                return False
            if action >= 0:
                states.append(action)
                if values is not None:
                    values.append(value)
                return True
            self._reduce(states, values, self._rules[-1 - action])
            if lexeme_type == END and states[-1] == self._end:
                return True

    def _reduce(self, states: list[int], values: list[Any] | None, rule: _Rule) -> None:
        size = rule.size
        if values is not None:
            children = values[len(values) - size :]
            del values[len(values) - size :]
            values.append(rule.value(children))
        del states[len(states) - size :]
        states.append(self._states[states[-1]][rule.made])

    def follows(self, states: list[int], types: list[str]) -> bool:
        """Returns True if these words may come next."""
        simulated = list(states)
        return all(self.shift(simulated, None, type_) for type_ in types)

    def expected(self, states: list[int]) -> frozenset[str]:
        """The words of which one could come next."""
        return frozenset(
            state for state in self._states[states[-1]] if state.isupper() and self.follows(states, [state])
        )

    def goto(self, state: int, symbol: str) -> int | None:
        """The state after a whole `symbol` in this state."""
        return self._states[state].get(symbol)


def _grammar(name: str, builder: object) -> Grammar:
    return Grammar(kept_tables(name), builder)


@cache
def program_grammar() -> Grammar:
    return _grammar("alphabets", ProgramBuilder())


@cache
def alpha_grammar() -> Grammar:
    """That of the successor's language, which few runs need: its builder is loaded here."""
    return _grammar("alpha", lazy_import("alphaz.syntax.alpha_build").AlphaBuilder())


@cache
def script_grammar() -> Grammar:
    return _grammar("script", ScriptBuilder())
