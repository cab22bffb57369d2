"""The interface of a target, the tree walk that all targets share, and the targets without directives."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from alphaz.c import tree as c
from alphaz.c.modes import SEQUENTIAL, Parallel, Vector
from alphaz.codegen.c.helpers import COMBINERS
from alphaz.loops.text import words_of
from alphaz.machine import USUAL, Machine, Vectors

Statements: TypeAlias = tuple[c.Statement, ...]

# From a helper that combines values of threads, its type and the initial value to the line that declares it.
Declare = Callable[[str, str, str], str]

# From a loop, region or critical section with printed contents to its replacement.
Say = Callable[[c.For | c.Region | c.Critical], Statements]


@dataclass(frozen=True, slots=True)
class Target:
    """A target. `say` turns modes, regions and critical sections into plain C; `atomic` is the text before an
    assignment that several threads may execute at a time. `threads`: whether there are any. `vectors`: those of the
    machine. `declare` declares that a helper combines values.
    """

    name: str
    say: Say
    atomic: str
    threads: bool
    vectors: Vectors = USUAL.vectors
    declare: Declare | None = None

    def on(self, machine: Machine) -> "Target":
        """Returns the same target for a machine."""
        return replace(self, vectors=machine.vectors)

    def function(self, function: c.Function) -> c.Function:
        """Returns the function in the form of this target."""
        return replace(function, body=self.statements(function.body)) if function.body is not None else function

    def declared(self, body: Sequence[c.Statement]) -> dict[str, str]:
        """Returns the texts after the definitions of helpers that combine values of iterations."""
        modes = [each.mode for each in c.statements_in(body) if isinstance(each, c.For)]
        used = {
            reduction.operator for mode in modes if isinstance(mode, Parallel | Vector) for reduction in mode.reductions
        }
        if self.declare is None:
            return {}
        return {name: f"{self.declare(name, *COMBINERS[name])}\n" for name in sorted(used & COMBINERS.keys())}

    def statements(self, body: Sequence[c.Statement]) -> Statements:
        return tuple(said for statement in body for said in self._statement(statement))

    def _statement(self, statement: c.Statement) -> Statements:
        match statement:
            case c.For() | c.Region() | c.Critical():
                return self.say(replace(statement, body=self.statements(statement.body)))
            case c.Block() | c.While():
                return (replace(statement, body=self.statements(statement.body)),)
            case c.If(_, then, otherwise):
                return (replace(statement, then=self.statements(then), otherwise=self.statements(otherwise)),)
        return (statement,)


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
