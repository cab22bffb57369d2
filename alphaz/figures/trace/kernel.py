"""The operation order of a C function at small parameters: concurrency, and reads between operations.

An operation is an instance of a statement, named after the array that it writes and its line: `C:12[i,j]`."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from alphaz.figures.trace.events import contents
from alphaz.figures.trace.processors import launched_blocks
from alphaz.figures.trace.sizes import LIMIT, POINTS
from alphaz.figures.trace.trace_data import Element, Index, Operation, Trace, TraceRead
from alphaz.order.happens_before import Conjunction, Verdict
from alphaz.order.kernel_order import statement_order
from alphaz.scop.c_model import ArrayAccess, CKernel, Date, KernelLoop, KernelStatement

Values = Mapping[str, int]
Instance = tuple[KernelStatement, dict[str, int]]


def trace_of_kernel(
    kernel: CKernel, sizes: Iterable[Values], verdict: str, wanted: Values | None = None
) -> Trace | str:
    """Returns the order at the `wanted` parameters, or at those of the sizes that show most; or a reason why there is
    no figure."""
    chosen, why = _choose_sizes(kernel, sizes, wanted)
    if chosen is None:
        return f"even the smallest parameters have more than {LIMIT} operations"
    made = _instances(kernel, chosen)
    levels = _levels(made)
    names = _names(kernel)
    cells: dict[Element, int] = {}
    values: list[Element] = []
    operations, reads = [], []
    for number, (statement, at) in enumerate(made):
        point = tuple(at[loop.iterator] for loop in _loops(statement.date))
        value = Element(names[statement.name], point)
        values.append(value)
        for access in statement.reads:
            cell = _cell(access, at)
            writer = cells.get(cell)
            value_read = Element(f"{access.array.label} at first", cell.index) if writer is None else values[writer]
            reads.append(
                TraceRead(
                    reader=number,
                    value=value_read,
                    cell=cell,
                    found=None,
                    producers=() if writer is None else (writer,),
                    text=access.span.text,
                )
            )
        cell = _cell(statement.target, at)
        cells[cell] = number
        operations.append(
            Operation(
                number=number,
                name=names[statement.name],
                variable=statement.target.array.label,
                moment="dated",
                indices=_indices(statement),
                point=point,
                date=_position(statement.date, at),
                step=levels[number],
                writes=((value, cell),),
            )
        )
    held = contents(operations, reads)
    seen = tuple(r if r.producers else replace(r, found=r.value) for r in held.reads)
    parameters = tuple((name, chosen[name]) for name in kernel.parameters)
    steps = 1 + max(levels, default=0)
    return Trace(
        system=kernel.function,
        parameters=parameters,
        why=why,
        verdict=verdict,
        operations=tuple(operations),
        reads=seen,
        lifetimes=held.lifetimes,
        violations=(),
        witness=None,
        sentence="",
        dropped=(),
        steps=steps,
        blocks=launched_blocks(kernel, chosen),
    )


def _choose_sizes(kernel: CKernel, sizes: Iterable[Values], wanted: Values | None) -> tuple[Values | None, str]:
    """The sizes with as many loops as possible that have three iterations, and few operations."""
    if wanted is not None and 0 < len(_instances(kernel, wanted)) <= LIMIT:
        return wanted, "where it goes wrong"
    best, reached = None, (-1, 0)
    for size in sizes:
        made = _instances(kernel, size)
        if 0 < len(made) <= LIMIT and (score := (_turns(made), -len(made))) > reached:
            best, reached = size, score
    return best, "small, and as telling as can be"


def _turns(made: Sequence[Instance]) -> int:
    seen: dict[str, set[int]] = {}
    for statement, at in made:
        for loop in _loops(statement.date):
            seen.setdefault(loop.iterator, set()).add(at[loop.iterator])
    return sum(len(values) >= POINTS for values in seen.values())


def _instances(kernel: CKernel, values: Values) -> list[Instance]:
    """The instances in sequential execution order."""
    instances = []
    for statement in kernel.statements:
        for point in statement.domain.points(dict(values)):
            instances.append((statement, {**values, **dict(zip(statement.iterators, point, strict=True))}))
            if len(instances) > LIMIT:
                return instances
    instances.sort(key=lambda pair: _position(pair[0].schedule, pair[1]))
    return instances


def _position(date: Date, values: Values) -> Index:
    return tuple(
        component.step * values[component.iterator] if isinstance(component, KernelLoop) else component
        for component in date
    )


def _levels(made: Sequence[Instance]) -> list[int]:
    """For each operation, the length of the longest chain of operations that ends at it."""
    levels: list[int] = []
    for position, (statement, values) in enumerate(made):
        chain = (levels[b] for b in range(position) if _is_before(made[b], (statement, values)))
        levels.append(1 + max(chain, default=0))
    return levels


def _is_before(one: Instance, other: Instance) -> bool:
    """Returns True if C and OpenMP guarantee the order."""
    (statement, here), (another, there) = one, other
    values = {**{f"{name}.x": value for name, value in here.items()}, **{f"{name}.y": there[name] for name in there}}
    return any(all(constraint.holds(values) for constraint in case) for case in _cases_before(statement, another))


@lru_cache(maxsize=4096)
def _cases_before(one: KernelStatement, other: KernelStatement) -> tuple[Conjunction, ...]:
    names, others = (
        {name: f"{name}.{role}" for name in statement.iterators} for role, statement in (("x", one), ("y", other))
    )
    cases = statement_order(one, other, names, others)
    return tuple(case.where for case in cases if case.verdict is Verdict.BEFORE)


def _cell(access: ArrayAccess, values: Values) -> Element:
    return Element(access.array.label, tuple(subscript.at(values) for subscript in access.subscripts))


def _loops(date: Date) -> Iterator[KernelLoop]:
    return (component for component in date if isinstance(component, KernelLoop))


def _indices(statement: KernelStatement) -> tuple[str, ...]:
    """The iterators with their names in the text, if they are unique."""
    names = [loop.iterator for loop in _loops(statement.date)]
    plain = [re.sub(r"_\d+$", "", name) for name in names]
    return tuple(plain if len(set(plain)) == len(plain) else names)


def _names(kernel: CKernel) -> dict[str, str]:
    """The names of statements: the array and the line, and a letter if a line has several."""
    names: dict[str, str] = {}
    taken: dict[str, int] = {}
    for statement in kernel.statements:
        title = f"{statement.target.array.label}:{statement.span.position[0]}"
        taken[title] = taken.get(title, 0) + 1
        names[statement.name] = title if taken[title] == 1 else f"{title}{chr(ord('a') + (taken[title] - 1) % 26)}"
    return names
