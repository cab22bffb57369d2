"""Modes of loops: the way in which the iterations of a loop are executed."""

from dataclasses import dataclass
from typing import TypeAlias

from alphaz.poly.plain.integer_expression import Integer


@dataclass(frozen=True, slots=True)
class Reduction:
    """The variable `name` in which iterations accumulate by an operator of programs, each privately until all are done.

    In the tree of loops, the name is that of the statement whose contributions they are; in C, that of its variable.
    """

    operator: str
    name: str


@dataclass(frozen=True, slots=True)
class Sequential:
    """Iterations one after the other."""


@dataclass(frozen=True, slots=True)
class Vector:
    """Several iterations at a time, by one instruction each: no iteration accesses a cell that another one writes,
    except for reductions.
    """

    reductions: tuple[Reduction, ...] = ()


@dataclass(frozen=True, slots=True)
class Register:
    """All iterations in one iteration of the enclosing vector loop, or by one thread, each with registers of its own
    (unroll-and-jam): as many as a register tile has along this dimension, which is a constant.
    """


@dataclass(frozen=True, slots=True)
class Parallel:
    """Iterations shared among the members of the innermost team around; those of `collapse` loops, this one and the
    only loops that it contains, as one loop. No member waits for the others at the end.

    `uneven`: some iterations are much shorter than others. `chunk`: the number of iterations that a member takes at a
    time, on demand; 0: unspecified. `vector`: each member executes several of its own iterations at a time.
    """

    collapse: int = 1
    uneven: bool = False
    chunk: int = 0
    vector: bool = False
    reductions: tuple[Reduction, ...] = ()


@dataclass(frozen=True, slots=True)
class Blocks:
    """Iterations shared among the blocks of a launch along an axis (`x`, `y`, `z`), `threads` consecutive ones for the
    threads of a block along it. `first` is the smallest value of the iterator in the launch.
    """

    axis: str
    first: Integer
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Threads:
    """Iterations shared among the `threads` of a block along an axis: the thread t has `first` + t, and each value that
    is later by a multiple of `threads`. `is_once`: no thread has more than one. `point`: the iterator whose values the
    iterations compute, if the loop counts threads.
    """

    axis: str
    first: Integer
    threads: int
    is_once: bool = False
    point: str = ""


Mode: TypeAlias = Sequential | Vector | Register | Parallel | Blocks | Threads

SEQUENTIAL = Sequential()
VECTOR = Vector()
REGISTER = Register()
