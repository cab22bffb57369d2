"""Makes the tables of a grammar with Lark: it takes a quarter of a second, and is loaded only if no cached tables
exist.

The tables are plain values, so that parsing needs nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lark import Lark, Token
from lark.grammar import Rule
from lark.lexer import UnlessCallback
from lark.parsers.lalr_analysis import Shift

from alphaz.resources import resource, resource_folder

# Terminals of the lexer that occur in no rule; see the ends of the grammars.
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
class _KeepUnusedTerminals:
    """Tells Lark to keep terminals that no rule uses."""

    always_accept: tuple[str, ...]

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return stream


def lark_of(name: str, **options: Any) -> Lark:
    """Returns Lark's object for `grammar/<name>.lark`, with these options."""
    path = resource_folder("grammar") / f"{name}.lark"
    text = resource("grammar", path.name)
    return Lark(text, source_path=str(path), import_paths=[str(path.parent)], **options)


def load_lark(name: str, strict: bool = False, debug: bool = False) -> Lark:
    """Returns Lark's object for a grammar that is read at run time, with Lark's own checks."""
    return lark_of(
        name,
        parser="lalr",
        lexer="basic",
        start=_STARTS[name],
        keep_all_tokens=True,
        maybe_placeholders=False,
        postlex=_KeepUnusedTerminals(_NEVER[name]),
        strict=strict,
        debug=debug,
    )


def plain_tables(name: str) -> dict[str, Any]:
    """Returns the tables in the form of `tables.Tables`."""
    lark = load_lark(name)
    lexer = lark.parser.lexer.lexer
    parsers = {start: lark.parse_interactive(start=start).parser_state.parse_conf for start in _STARTS[name]}
    rules: dict[Rule, int] = {}
    for rule in lark.rules:
        rules[rule] = len(rules)
    any_parser = next(iter(parsers.values()))
    return {
        "words": "|".join(f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in lexer.scanner.terminals),
        "reserved": {str(kind): _reserved(words) for kind, words in lexer.callback.items()},
        "ignored": [str(type_) for type_ in lexer.ignore_types],
        "rules": [_rule(rule) for rule in rules],
        "starts": {start: (parser.start_state, parser.end_state) for start, parser in parsers.items()},
        "states": {
            state: {str(word): _action(action, rules) for word, action in actions.items()}
            for state, actions in any_parser.states.items()
        },
    }


def _reserved(callback: Any) -> dict[str, str]:
    """The words that match a pattern and are terminals of their own."""
    assert isinstance(callback, UnlessCallback)
    return {str(terminal.pattern.value): str(terminal.name) for terminal in callback.scanner.terminals}


def _rule(rule: Rule) -> tuple[str, str, int, list[int], bool]:
    """The symbol, method, and size of a rule, the parts that are lists, and whether a single part replaces it."""
    lists = [position for position, part in enumerate(rule.expansion) if not part.is_term and part.name.startswith("_")]
    alone = rule.options.expand1 and not rule.alias
    return str(rule.origin.name), str(rule.alias or rule.origin.name), len(rule.expansion), lists, bool(alone)


def _action(action: tuple[Any, Any], rules: dict[Rule, int]) -> int:
    kind, argument = action
    return int(argument) if kind is Shift else -1 - rules[argument]
