"""Lines of a script as data, and the lines that set dates and kinds of dimensions."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.mapping.design import Design
from alphaz.poly import Affine, AffineFunction
from alphaz.search.schedule.dates import Component, ComponentKind, Dates
from alphaz.search.schedule.problem import Problem
from alphaz.syntax.words import program_name


@dataclass(frozen=True, slots=True)
class Line:
    """A command about a system, `name(prog, system, arguments);`, or about the whole program if it names no system.

    `comment` is printed above it."""

    command: str
    arguments: tuple[str | int, ...] = ()
    comment: str = ""
    of_system: bool = True

    def __str__(self) -> str:
        subject = ("prog", "system") if self.of_system else ("prog",)
        text = ", ".join((*subject, *(str(a) if isinstance(a, int) else f'"{a}"' for a in self.arguments)))
        return f"{self.command}({text});"


Apply = Callable[[Design, str, Line], Design]
"""Executes a line on a system of a design. Raises Rejected, as the command does."""


def length_of(dates: Dates) -> int:
    return max(map(len, dates.values()), default=0)


def lines_of(
    problem: Problem, dates: Dates, threads: bool = True, starts: Mapping[str, tuple[Affine, ...]] | None = None
) -> Iterator[Line]:
    """Yields lines for the dates padded to one length, with `starts` those of results as well; ordering dimensions;
    with `threads`, the outermost loops that run in parallel."""
    length = length_of(dates)
    before: str | None = None
    for name, components in dates.items():
        loops = _loops_text(components)
        start = (starts or {}).get(name)
        yield _map(problem, name, components, length, "" if loops == before else loops, start)
        before = loops
    yield from _ordering(dates, length)
    if threads:
        yield from parallel_lines(dates)


def _map(
    problem: Problem,
    name: str,
    components: Sequence[Component],
    length: int,
    comment: str,
    start: tuple[Affine, ...] | None,
) -> Line:
    space = problem.statements[name].domain.space
    values = tuple(component.value for component in components)
    texts = [function_text(AffineFunction(space, _padded(values, length)))]
    if start is not None:
        result = replace(space, names=space.names[: len(problem.system.variable(name).domain.space.names)])
        texts.append(function_text(AffineFunction(result, _padded(start, length))))
    return Line("setSpaceTimeMap", (name, *texts), comment)


def _padded(values: tuple[Affine, ...], length: int) -> tuple[Affine, ...]:
    return (*values, *((Affine(),) * (length - len(values))))


def function_text(function: AffineFunction) -> str:
    """Returns the text of a function as in scripts: names that are words of the language take a `^`."""
    space = function.domain
    names = {name: program_name(name) for name in (*space.parameters, *space.names)}
    outputs = (str(output.rename(names)) for output in function.outputs)
    return f"({','.join(map(program_name, space.names))} -> {','.join(outputs)})"


def _loops_text(components: Sequence[Component]) -> str:
    rows = [c.kind.value for c in components if c.is_row and not c.value.is_constant]
    return f"loops: {', '.join(rows)}" if rows else "no loop"


def _ordering(dates: Dates, length: int) -> Iterator[Line]:
    everywhere = [position for position in range(length) if all(_is_order(c, position) for c in dates.values())]
    everywhere = [at for at in everywhere if any(_kind(c, at) is ComponentKind.ORDER for c in dates.values())]
    if everywhere:
        yield Line("setOrderingDimensions", (_numbers(everywhere),))
    for position in range(length):
        names = [name for name, components in dates.items() if _kind(components, position) is ComponentKind.ORDER]
        if position not in everywhere and names:
            yield Line("setDimensionType", (", ".join(names), position, "O"))


def _is_order(components: Sequence[Component], position: int) -> bool:
    return _kind(components, position) in (ComponentKind.ORDER, ComponentKind.FILLER)


def _kind(components: Sequence[Component], position: int) -> ComponentKind:
    return components[position].kind if position < len(components) else ComponentKind.FILLER


def parallel_lines(dates: Dates) -> Iterator[Line]:
    """Yields for each nest the outermost parallel loop that has a loop in it: a single loop does not pay for its
    threads."""
    chosen: dict[tuple[int, tuple[int, ...] | None], list[str]] = {}
    for name, at in outermost_parallel(dates).items():
        chosen.setdefault((at, _prefix(dates[name], at)), []).append(name)
    for (at, prefix), names in chosen.items():
        if prefix is None:
            yield Line("setDimensionType", (", ".join(names), at, "P"))
        else:
            yield Line("setParallel", (_numbers(prefix), at - len(prefix)))


def outermost_parallel(dates: Dates) -> dict[str, int]:
    """Returns the first parallel row of each statement, if a row of some statement of its band follows."""
    first = {name: at for name, components in dates.items() if (at := _first_parallel(components)) is not None}
    worth = {(dates[name][at].band, at) for name, at in first.items() if any(c.is_row for c in dates[name][at + 1 :])}
    return {name: at for name, at in first.items() if (dates[name][at].band, at) in worth}


def _first_parallel(components: Sequence[Component]) -> int | None:
    return next(
        (position for position, component in enumerate(components) if component.kind is ComponentKind.PARALLEL), None
    )


def _prefix(components: Sequence[Component], position: int) -> tuple[int, ...] | None:
    """The constants before a component that is the first row; None if other rows come before it."""
    if any(component.is_row for component in components[:position]):
        return None
    return tuple(component.value.constant for component in components[:position])


def _numbers(values: Iterable[int]) -> str:
    return ",".join(map(str, values))
