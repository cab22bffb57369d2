"""OpenMP: modes of loops as directives. This module alone knows their syntax."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.modes import SEQUENTIAL, Mode, Parallel, Reduction, Vector
from alphaz.c.printer import WIDTH
from alphaz.codegen.targets.target import Statements, Target

# The operators of programs whose names differ in the reduction clause.
_OPERATORS = {"and": "&&", "or": "||", "xor": "^"}


def directive(text: str) -> str:
    """Returns a line for the compiler."""
    return f"#pragma {text}"


def has_threads(text: str) -> bool:
    """Returns True if a C text shares work among threads."""
    return directive("omp parallel") in text


def _directives(statement: c.For | c.Region | c.Critical) -> Statements:
    match statement:
        case c.Region(body):
            return (c.Omp("parallel", (), body),)
        case c.Critical(body):
            return (c.Omp("critical", (), body),)
        case c.For(mode=mode):
            plain = replace(statement, mode=SEQUENTIAL)
            words = " ".join(_words(mode))
            return (c.Omp(words, tuple(_clauses(mode)), (plain,)),) if words else (plain,)


def _words(mode: Mode) -> Iterator[str]:
    match mode:
        case Vector():
            yield "simd"
        case Parallel():
            yield "for" if mode.in_region else "parallel for"
            if mode.vector:
                yield "simd"


def _clauses(mode: Mode) -> Iterator[c.Clause]:
    match mode:
        case Vector(reductions):
            yield from _combining(reductions)
        case Parallel():
            if mode.collapse > 1:
                yield c.Clause("collapse", (c.Literal(str(mode.collapse)),))
            if mode.chunk > 1:
                yield c.Clause("schedule", (c.Name("dynamic"), c.Literal(str(mode.chunk))))
            elif mode.uneven or mode.chunk:
                yield c.Clause("schedule", (c.Name("dynamic"),))
            yield from _combining(mode.reductions)
            if mode.nowait:
                yield c.Clause("nowait")


def _combining(reductions: Sequence[Reduction]) -> Iterator[c.Clause]:
    by_operator: dict[str, list[str]] = {}
    for reduction in reductions:
        by_operator.setdefault(_OPERATORS.get(reduction.operator, reduction.operator), []).append(reduction.name)
    for operator, names in by_operator.items():
        yield c.Clause("reduction", tuple(map(c.Name, names)), operator)


def _declare(helper: str, type_: str, first: str) -> str:
    combined = directive(f"omp declare reduction({helper} : {type_} : omp_out = {helper}(omp_out, omp_in))")
    initializer = f"initializer(omp_priv = {first})"
    fits = len(f"{combined} {initializer}") <= WIDTH
    return f"{combined} {initializer}" if fits else f"{combined} \\\n    {initializer}"


_ATOMIC = f"""\
    (void)problem; /* some compilers do not see its use below */
#ifdef _OPENMP
    {directive("omp atomic write")}
#endif
"""

OPENMP = Target("openmp", _directives, _ATOMIC, threads=True, declare=_declare)
