"""Modes as words, for people who read what passes make: what any target says in its own way."""

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.targets.sequential import without_modes
from alphaz.codegen.targets.target import Statements, Target
from alphaz.loops.text import words_of


def _said(statement: c.For | c.Region | c.Critical) -> Statements:
    words = _words(statement)
    return (c.Comment(words), *without_modes(statement)) if words else without_modes(statement)


def _words(statement: c.For | c.Region | c.Critical) -> str:
    match statement:
        case c.Region():
            return "by each thread"
        case c.Critical():
            return "by one thread at a time"
        case c.For(mode=mode):
            return ", ".join(words_of(mode))


WORDS = Target("words", _said, "", threads=True)
