"""OpenMP: teams and modes of loops as directives. This module alone knows their syntax."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from alphaz.c import tree as c
from alphaz.c.printer import WIDTH
from alphaz.codegen.c.helpers import COMBINERS
from alphaz.codegen.c.nest import LoopForms
from alphaz.codegen.targets.loop_program import c_files
from alphaz.codegen.targets.target import SEQUENTIAL_C, Target, TargetNest
from alphaz.codegen.toolchain import Harness, ThreadFlags, Toolchain
from alphaz.loops.modes import Mode, Parallel, Reduction, Vector
from alphaz.loops.passes.scan import Pass
from alphaz.loops.passes.teams import DropBarriers, JoinTeams, LimitTeams, ShareOut
from alphaz.loops.tree import Node
from alphaz.order.happens_before import SyncScope

Statements = tuple[c.Statement, ...]

# The operators of programs whose names differ in the reduction clause.
_OPERATORS = {"and": "&&", "or": "||", "xor": "^"}

# One thread executes so many operations in about the time that it takes to start others, some microseconds.
_FEW = 20_000

_BARRIER = c.Omp("barrier", (), None)
_NOWAIT = c.Clause("nowait")


def directive(text: str) -> str:
    """Returns a line for the compiler."""
    return f"#pragma {text}"


def has_threads(text: str) -> bool:
    """Returns True if a C text shares work among threads."""
    return directive("omp parallel") in text


# --- teams and modes --------------------------------------------------------------------------------------------------


def _loop(loop: c.For, mode: Mode) -> Statements:
    match mode:
        case Vector(reductions):
            return (c.Omp("simd", tuple(_combining(reductions)), (loop,)),)
        case Parallel():
            return (c.Omp("for simd" if mode.vector else "for", (*_clauses(mode), _NOWAIT), (loop,)),)
    return (loop,)


def _clauses(mode: Parallel) -> Iterator[c.Clause]:
    if mode.collapse > 1:
        yield c.Clause("collapse", (c.Literal(str(mode.collapse)),))
    if mode.chunk > 1:
        yield c.Clause("schedule", (c.Literal("dynamic"), c.Literal(str(mode.chunk))))
    elif mode.uneven or mode.chunk:
        yield c.Clause("schedule", (c.Literal("dynamic"),))
    yield from _combining(mode.reductions)


def _combining(reductions: Sequence[Reduction]) -> Iterator[c.Clause]:
    by_operator: dict[str, list[str]] = {}
    for reduction in reductions:
        by_operator.setdefault(_OPERATORS.get(reduction.operator, reduction.operator), []).append(reduction.name)
    for operator, names in by_operator.items():
        yield c.Clause("reduction", tuple(map(c.Name, names)), operator)


def _team(body: Statements, enough: c.Expression | None) -> Statements:
    """Returns a region of threads; that of one loop is a directive with the loop."""
    clauses_of_team = () if enough is None else (c.Clause("if", (enough,)),)
    match body:
        case (c.Omp("for" | "for simd" as words, clauses, loop),):
            return (
                c.Omp(
                    f"parallel {words}", (*clauses_of_team, *(clause for clause in clauses if clause != _NOWAIT)), loop
                ),
            )
    return (c.Omp("parallel", clauses_of_team, tuple(_with_waits(body))),)


def _with_waits(body: Statements) -> Iterator[c.Statement]:
    """Yields the statements of a region: a loop in front of a barrier, or of the end, waits itself."""
    for position, statement in enumerate(body):
        following = body[position + 1] if position + 1 < len(body) else _BARRIER
        match statement:
            case c.Omp("for" | "for simd", clauses) if following == _BARRIER:
                yield replace(statement, clauses=tuple(clause for clause in clauses if clause != _NOWAIT))
            case _ if statement == _BARRIER and position and _is_loop(body[position - 1]):
                continue
            case _:
                yield statement


def _is_loop(statement: c.Statement) -> bool:
    return isinstance(statement, c.Omp) and statement.directive in ("for", "for simd")


def _critical(body: Statements) -> Statements:
    return (c.Omp("critical", (), body),)


# --- helpers ----------------------------------------------------------------------------------------------------------


def declared(body: Sequence[c.Statement]) -> tuple[str, ...]:
    """Returns declarations of the helpers that combine the values of threads in the statements."""
    directives = [one for one in c.statements_in(body) if isinstance(one, c.Omp)]
    operators = {clause.operator for one in directives for clause in one.clauses if clause.name == "reduction"}
    return tuple(_declare(name, *COMBINERS[name]) for name in sorted(operators & COMBINERS.keys()))


def _declare(helper: str, type_: str, first: str) -> str:
    combined = directive(f"omp declare reduction({helper} : {type_} : omp_out = {helper}(omp_out, omp_in))")
    initializer = f"initializer(omp_priv = {first})"
    fits = len(f"{combined} {initializer}") <= WIDTH
    return f"{combined} {initializer}" if fits else f"{combined} \\\n    {initializer}"


def _passes(nest: TargetNest) -> tuple[Pass[Node], ...]:
    return (
        ShareOut(nest.is_parallel, nest.collects, nest.statement_of, nest.chunk),
        JoinTeams(),
        DropBarriers(SyncScope.TEAM, nest.conflict),
        LimitTeams(nest.operations, _FEW),
    )


# --- compiler and execution -------------------------------------------------------------------------------------------

_PROBE = f"""\
#include <omp.h>
int main(void) {{
    int count = 0;
    omp_set_num_threads(2);
    {directive("omp parallel for reduction(+:count)")}
    for (int i = 0; i < 8; i++) count += 1;
    return count == 8 ? 0 : 1;
}}
"""

_THREADS = ThreadFlags(
    "OpenMP", ("-fopenmp",), _PROBE, "install it (Debian and Ubuntu: apt install gcc, or libomp-dev for clang)"
)

_SETTER = "omp_set_num_threads"
_SET_THREADS = f"""\
#ifdef _OPENMP
        void {_SETTER}(int count);
        {_SETTER}(members);
#endif"""


def _is_parallel(text: str) -> bool:
    return "omp" in text


OPENMP = Target(
    "openmp",
    passes=_passes,
    forms=LoopForms(loop=_loop, team=_team, exclusive=_critical, barrier=(_BARRIER,)),
    lower=partial(c_files, declared=declared),
    modes=SEQUENTIAL_C.modes | {Parallel},
    toolchain=Toolchain(threads=_THREADS),
    harness=Harness(set_members=_SET_THREADS, setter=_SETTER, depends_on_members=_is_parallel),
)
