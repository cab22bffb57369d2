"""Loops of static schedules without barriers between them: each thread has the same iterations of all.

#pragma omp for schedule(static) nowait              #pragma omp for schedule(static) nowait
for (int i = 0; i < n; i++) { A }                    for (int i = 0; i < n; i++) {
for (int t = 0; t < T; t++) {                            { A }
    #pragma omp for schedule(static) nowait              for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++) { B }                        { B }
}                                                        }
                                                     }

OpenMP promises it for loops of one region, of one number of iterations and one schedule, without `simd` (5.2, 11.5.3).
Iterations of different numbers conflict in both texts, or in neither.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes, with_blocks
from alphaz.scop.idioms import is_behind_directive
from alphaz.scop.substitution import is_steady, names_in
from alphaz.scop.tree_queries import CLAUSES_WITHOUT_DATA, Statements, changes, is_of_any_thread, names_declared

_STATIC = (c.Clause("schedule", (c.Name("static"),)),)
_STATIC_OPEN = (*_STATIC, c.Clause("nowait"))


def with_own_iterations(body: Statements) -> Statements:
    """Returns a function's body in which the loops of static schedules of a region that no barrier separates are one
    loop."""
    return tuple(map(_statement, body))


def _statement(statement: c.Statement) -> c.Statement:
    if isinstance(statement, c.Omp) and statement.directive == "parallel" and statement.body is not None:
        private = {
            name for clause in statement.clauses if clause.name not in CLAUSES_WITHOUT_DATA for name in names_in(clause)
        }
        return replace(statement, body=_joined(statement.body, private | names_declared(statement.body)))
    return with_blocks(statement, with_own_iterations)


@dataclass(frozen=True, slots=True)
class _OwnIterations:
    """A loop that the loops of a statement have in common, without a body; the statements of an iteration; and whether
    threads go on at once."""

    head: c.For
    inside: Statements
    is_open: bool


def _joined(block: Statements, private: set[str]) -> Statements:
    """Returns the statements of a region's block. Each thread has its own variables of these names."""
    statements: list[c.Statement] = []
    position = 0
    while position < len(block):
        run = _run(block[position:], is_behind_directive(block, position))
        joined = _one_loop(run, block[position : position + len(run)], private)
        statements.append(block[position] if joined is None else joined)
        position += 1 if joined is None else len(run)
    return tuple(statements)


def _run(statements: Statements, is_behind: bool) -> list[_OwnIterations]:
    """Returns what the first statements are, as long as their loops have equal heads and no barrier follows."""
    run: list[_OwnIterations] = []
    for position, statement in enumerate(statements):
        part = None if is_behind and position == 0 else _own_iterations(statement)
        if part is None or (run and part.head != run[0].head):
            break
        run.append(part)
        if not part.is_open:
            break
    return run


def _own_iterations(statement: c.Statement) -> _OwnIterations | None:
    match statement:
        case c.Omp("for", clauses, (c.For((c.Declare(),)) as loop,)) if clauses in (_STATIC, _STATIC_OPEN):
            return _OwnIterations(replace(loop, body=()), (c.Block(loop.body, at=loop.at),), clauses == _STATIC_OPEN)
        case c.For((c.Declare(),)) as loop:
            run = _run(loop.body, is_behind=False)
            if run and len(run) == len(loop.body) and run[-1].is_open:
                head, inside = run[0].head, tuple(statement for part in run for statement in part.inside)
                if head.iterator not in names_in(replace(loop, body=())) | {loop.iterator}:
                    return _OwnIterations(head, (replace(loop, body=inside),), is_open=True)
    return None


def _one_loop(run: Sequence[_OwnIterations], written: Statements, private: set[str]) -> c.Omp | None:
    """Returns the loop for these statements; None for a loop that stands alone, or uses what a thread keeps."""
    if not run or (len(run) == 1 and isinstance(written[0], c.Omp)):
        return None
    head, inside = run[0].head, tuple(statement for part in run for statement in part.inside)
    loops = [replace(loop, body=()) for loop in nodes(written, c.For)]
    directives = nodes(inside, (c.Omp, c.Pragma))
    if (
        not is_steady(names_in(head) - {head.iterator}, written)
        or private & names_in(written)
        or nodes(head, c.Call)
        or directives
        or not is_of_any_thread(inside)
        or any(changes(loop.start) or (loop.test is not None and changes(loop.test)) for loop in loops)
    ):
        return None
    clauses = _STATIC_OPEN if run[-1].is_open else _STATIC
    return c.Omp("for", clauses, (replace(head, body=inside),), at=written[0].at)
