"""Tasks that one thread of a region creates, as loops that the team shares out: nothing orders either but `taskwait`.

#pragma omp parallel                         #pragma omp parallel
#pragma omp single                           {
{
    for (int b = 0; b < n; b++) {                #pragma omp for nowait
        #pragma omp task firstprivate(b)         for (int b = 0; b < n; b++)
        { A }                                        { A }
    }
    #pragma omp taskwait                         #pragma omp barrier
}                                            }

The thread does nothing else, so that the tasks conflict only with each other.
"""

from collections.abc import Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes, with_blocks
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import CLAUSES_WITHOUT_DATA, Statements, is_of_any_thread

_NOWAIT = (c.Clause("nowait"),)
_OF_TASK = frozenset({"shared", "default", "firstprivate"})
_OF_TASKLOOP = frozenset({"shared", "default", "grainsize", "num_tasks", "collapse", "private"})
_INSIDE = frozenset({"atomic", "critical", "simd"})


def with_shared_tasks(body: Statements) -> Statements:
    """Returns a function's body in which the tasks of a region are loops and blocks of its team."""
    return tuple(map(_statement, body))


def _statement(statement: c.Statement) -> c.Statement:
    match statement:
        case c.Omp("parallel", clauses, (c.Omp("single" | "master", (), inside),)) if inside is not None:
            kinds = {omp.directive for omp in nodes(inside, c.Omp)} & {"task", "taskloop"}
            team = _team(inside, ()) if len(kinds) == 1 else None
            if team is not None and all(map(_shares, clauses)):
                return replace(statement, body=team)
            return statement
    return with_blocks(statement, with_shared_tasks)


def _shares(clause: c.Clause) -> bool:
    """Returns True for clauses after which a region shares the variables around it."""
    is_shared = clause.name != "default" or names_in(clause) <= {"shared", "none"}
    return clause.name in CLAUSES_WITHOUT_DATA and is_shared


def _team(block: Statements, iterators: Sequence[str]) -> Statements | None:
    """Returns what the team executes for the statements of one thread, inside of loops with these iterators; None if
    the thread does more than to create tasks."""
    team: list[c.Statement] = []
    for item in block:
        match item:
            case c.Omp("taskwait", (), None):
                team.append(c.Omp("barrier", (), None, at=item.at))
            case c.Omp("task", clauses, (_, *_) as inside) if not iterators and _is_task(item, _OF_TASK, ()):
                team.append(c.Omp("single", _NOWAIT, inside, at=item.at))
            case c.Omp("taskloop", clauses, (c.For((c.Declare(name=name),)),) as loops) if _is_task(
                item, _OF_TASKLOOP, (*iterators, name)
            ):
                of_loop = tuple(clause for clause in clauses if clause.name in ("collapse", "private"))
                team.append(c.Omp("for", of_loop, loops, at=item.at))
            case c.For((c.Declare(name=name),), body=(c.Omp("task", _, (_, *_) as inside) as task,)) if _is_task(
                task, _OF_TASK, (*iterators, name)
            ):
                team.append(c.Omp("for", _NOWAIT, (replace(item, body=inside),), at=task.at))
            case c.For((c.Declare(name=name),)) if (inner := _team(item.body, (*iterators, name))) is not None:
                team.append(replace(item, body=inner))
            case _:
                return None
    return tuple(team)


def _is_task(omp: c.Omp, clauses: frozenset[str], iterators: Sequence[str]) -> bool:
    """Returns True if a task has copies of these iterators only, and shares all else."""
    inside, copied = omp.body or (), {*iterators}
    return (
        all(clause.name in clauses and (clause.name != "default" or _shares(clause)) for clause in omp.clauses)
        and all(names_in(one) <= copied for one in omp.clauses if one.name == "firstprivate")
        and not any(names_in(one) & copied for one in omp.clauses if one.name in ("shared", "private"))
        and all(directive.directive.split()[0] in _INSIDE for directive in nodes(inside, c.Omp))
        and is_of_any_thread(inside)
    )
