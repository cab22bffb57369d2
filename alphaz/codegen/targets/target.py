"""What a target is, and the walk that all of them share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from alphaz.codegen.c import c_tree as c
from alphaz.machine import USUAL, Machine, Vectors

Statements: TypeAlias = tuple[c.Statement, ...]

# A loop, region or critical section, in which everything has been said: what is said instead.
Say = Callable[[c.For | c.Region | c.Critical], Statements]


@dataclass(frozen=True, slots=True)
class Target:
    """`say` turns modes, regions and critical sections into plain C; `atomic` is what stands in front of an assignment
    that several threads may do at a time. `threads`: whether there are any. `vectors`: those of the machine.
    """

    name: str
    say: Say
    atomic: str
    threads: bool
    vectors: Vectors = USUAL.vectors

    def on(self, machine: Machine) -> "Target":
        """The same, for a machine."""
        return replace(self, vectors=machine.vectors)

    def function(self, function: c.Function) -> c.Function:
        """The function, said for this target."""
        return replace(function, body=self.statements(function.body)) if function.body is not None else function

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
