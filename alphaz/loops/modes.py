"""Modes of loops: how the iterations of a loop are executed."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Reduction:
    """What iterations combine in the variable `name` by an operator of programs, each in its own until all are done.

    In the tree of loops, the name is that of the statement whose contributions they are.
    """

    operator: str
    name: str


@dataclass(frozen=True, slots=True)
class Sequential:
    """One after the other."""


@dataclass(frozen=True, slots=True)
class Vector:
    """Several at a time, by one instruction each: none touches what another one writes, but for reductions."""

    reductions: tuple[Reduction, ...] = ()


@dataclass(frozen=True, slots=True)
class Register:
    """All in one iteration of the vector loop around, each with registers of its own (unroll-and-jam): as many as a
    register tile has along this dimension, which is a constant.
    """


@dataclass(frozen=True, slots=True)
class Parallel:
    """Shared out among threads; those of `collapse` loops, this one and those that are all it holds, as one.

    `uneven`: some have much less to do than others. `chunk`: a thread takes so many at a time, as it comes to them; 0:
    as many as it likes. `vector`: each thread does several of its own at a time.
    `in_region`: by the threads of the region around, else by threads that are there for the loop alone. `nowait`: a
    thread that has no more goes on, else all wait for each other behind the loop.
    """

    collapse: int = 1
    uneven: bool = False
    chunk: int = 0
    vector: bool = False
    reductions: tuple[Reduction, ...] = ()
    in_region: bool = False
    nowait: bool = False


Mode: TypeAlias = Sequential | Vector | Register | Parallel

SEQUENTIAL = Sequential()
VECTOR = Vector()
REGISTER = Register()
