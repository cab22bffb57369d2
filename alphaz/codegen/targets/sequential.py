"""No threads and no directives: for compilers without OpenMP, and to read what one thread does."""

from dataclasses import replace

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.targets.target import Statements, Target
from alphaz.loops.modes import SEQUENTIAL


def without_modes(statement: c.For | c.Region | c.Critical) -> Statements:
    if isinstance(statement, c.For):
        return (replace(statement, mode=SEQUENTIAL),)
    return (c.Block(statement.body),)


SEQUENTIAL_C = Target("sequential", without_modes, "", threads=False)
