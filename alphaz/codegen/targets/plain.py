"""Targets without directives: one thread, and modes as words for readers of passes."""

from dataclasses import replace

from alphaz.c import tree as c
from alphaz.codegen.targets.target import Statements, Target
from alphaz.loops.modes import SEQUENTIAL
from alphaz.loops.text import words_of


def without_modes(statement: c.For | c.Region | c.Critical) -> Statements:
    if isinstance(statement, c.For):
        return (replace(statement, mode=SEQUENTIAL),)
    return (c.Block(statement.body),)


SEQUENTIAL_C = Target("sequential", without_modes, "", threads=False)


def _mode_comment(statement: c.For | c.Region | c.Critical) -> Statements:
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


WORDS = Target("words", _mode_comment, "", threads=True)
