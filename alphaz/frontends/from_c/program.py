"""The program and the script of a kernel's values: equations, order and memory cells of the C."""

from collections.abc import Iterator, Sequence

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.analysis.texts.domain_texts import domain_text
from alphaz.analysis.texts.show import ashow
from alphaz.diagnostics import NOWHERE
from alphaz.diagnostics import Source as Text
from alphaz.frontends.from_c.expression import calls_in, expression
from alphaz.frontends.from_c.single_assignments import FlowValue, ValueSource
from alphaz.model.program import Kind
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, AffineFunction, Domain, fresh_names
from alphaz.poly.algorithms.counting import count
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.c_model import CKernel, KernelArray
from alphaz.scop.index_polynomials import product
from alphaz.scop.value_tree import Tree
from alphaz.syntax.printer import print_domain
from alphaz.syntax.words import program_name

# With more branches than this, cases are written at the reads.
_MOST_BRANCHES = 8


def program_text(name: str, context: Domain, values: Sequence[FlowValue]) -> str:
    """Returns the program, laid out as `alphaz show` does. Raises Rejected, Unwritable."""
    return ashow(program_of(name, context, values).program)


def program_of(name: str, context: Domain, values: Sequence[FlowValue]) -> Checked:
    lines = [*_externals(values), f"affine {name} {_context(context)}"]
    for kind, word in ((Kind.INPUT, "input"), (Kind.OUTPUT, "output"), (Kind.LOCAL, "local")):
        members = [value for value in values if value.kind is kind]
        if members:
            lines += [word, *(_declaration(value, context) for value in members)]
    lines += ["let", *(_equation(value, context) for value in values if value.kind is not Kind.INPUT), ".", ""]
    return read_program(Text(f"{name}.ab", "\n".join(lines)))


def _context(context: Domain) -> str:
    text = print_domain(domain_text(context, context.space.parameters, NOWHERE))
    return text if context.space.parameters else "{|}"


def _externals(values: Sequence[FlowValue]) -> list[str]:
    types: dict[str, tuple[ScalarType, tuple[ScalarType, ...]]] = {}
    for value in values:
        if value.tree is not None:
            types |= calls_in(value.tree)
    return [f"{type_} {name}({', '.join(map(str, arguments))});" for name, (type_, arguments) in sorted(types.items())]


def _declaration(value: FlowValue, context: Domain) -> str:
    domain = value.domain.within(context).simplify()
    names = tuple(map(program_name, value.indices))
    return f"{value.type} {program_name(value.name)} {print_domain(domain_text(domain, names, NOWHERE))};"


def _restrict(domain: Domain, known: Domain, context: Domain) -> str:
    condition = domain.gist(known.in_context(context)).simplify()
    return print_domain(domain_text(condition, (), NOWHERE))


def _equation(value: FlowValue, context: Domain) -> str:
    indices = ",".join(map(program_name, value.indices))
    head = f"{program_name(value.name)}[{indices}]" if value.indices else program_name(value.name)
    if value.sum is None:
        return f"{head} = {_branches(value, value.domain, context)};"
    sum_ = value.sum
    known = value.domain.preimage(_projection(value)).in_context(context)
    body = _branches(value, sum_.domain.in_context(context), context, known)
    return f"{head} = reduce({sum_.operator}, [{','.join(map(program_name, sum_.names))}], {body});"


def _projection(value: FlowValue) -> AffineFunction:
    assert value.sum is not None
    return AffineFunction(value.sum.domain.space, tuple(map(Affine.name, value.indices)))


Part = tuple[Domain, tuple[ValueSource | None, ...]]


def _branches(value: FlowValue, domain: Domain, context: Domain, known: Domain | None = None) -> str:
    """Returns the value as a case by the sources of its reads. `known`: the conditions that need not be stated."""
    parts: list[Part] = [(domain, ())]
    for sources in value.sources:
        parts = _split(parts, sources, context)
    around = domain if known is None else known
    if len(parts) == 1:
        ((_, chosen),) = parts
        text = _computed(value, value.tree, chosen, domain, context)
        return text if known is None else f"{_restrict(domain, around, context)} : ({text})"
    texts = [
        f"{_restrict(where, around, context)} : ({_computed(value, value.tree, chosen, where, context)});"
        for where, chosen in parts
    ]
    return f"case {' '.join(texts)} esac"


def _split(parts: list[Part], sources: tuple[ValueSource, ...], context: Domain) -> list[Part]:
    if len(sources) < 2:
        return [(where, (*chosen, *(sources or (None,)))) for where, chosen in parts]
    refined = [
        (both.simplify(), (*chosen, source))
        for where, chosen in parts
        for source in sources
        if not (both := (where & source.where).in_context(context)).is_empty()
    ]
    if len(refined) > max(_MOST_BRANCHES, len(sources)):
        return [(where, (*chosen, None)) for where, chosen in parts]
    return refined


def _computed(
    value: FlowValue, tree: Tree | None, chosen: tuple[ValueSource | None, ...], where: Domain, context: Domain
) -> str:
    def read(number: int) -> str:
        source = chosen[number]
        return _inside(value.sources[number], where, context) if source is None else _access(source)

    return read(0) if tree is None else expression(tree, read)


def _inside(sources: Sequence[ValueSource], where: Domain, context: Domain) -> str:
    """Returns the case at a read."""
    met = [source for source in sources if not (source.where & where).in_context(context).is_empty()]
    if len(met) == 1:
        return _access(met[0])
    branches = (f"{_restrict(source.where & where, where, context)} : {_access(source)};" for source in met)
    return f"(case {' '.join(branches)} esac)"


def _access(source: ValueSource) -> str:
    if not source.point:
        return program_name(source.name)
    return f"{program_name(source.name)}[{','.join(map(_affine, source.point))}]"


def _affine(affine: Affine) -> str:
    return str(affine.rename({name: program_name(name) for name in affine.names}))


def script_text(program: str, system: str, values: Sequence[FlowValue], origin: str) -> str:
    """Returns the script that maps the program (by its file name). `origin` is the source, for a comment."""
    computed = [value for value in values if value.kind is not Kind.INPUT]
    lines = [
        f"# {origin}: its order, and its memory.",
        f'prog = ReadAlphabets("{program}");',
        f'system = "{system}";',
        "",
        *_dates(computed),
        *_cells(computed, {value.name for value in values}),
        "",
        'VerifyTargetMapping(prog, system, "MIN");',
        "generateScheduledCode(prog, system);",
    ]
    return "\n".join(lines) + "\n"


def _dates(values: Sequence[FlowValue]) -> Iterator[str]:
    dates = {value.name: _padded(value.date, values) for value in values}
    starts = {value.name: _padded(value.sum.start, values) for value in values if value.sum is not None}
    every = _renumber_positions([*dates.values(), *starts.values()])
    dates, starts = dict(zip(dates, every, strict=False)), dict(zip(starts, every[len(dates) :], strict=True))
    # A constant component orders nothing.
    dimensions = [
        position
        for position in range(len(every[0]))
        if len({date[position] for date in every}) > 1 or not every[0][position].is_constant
    ]
    dimensions = dimensions or [0]
    for value in values:
        names = (*value.indices, *(value.sum.names if value.sum is not None else ()))
        maps = [_map(names, [dates[value.name][dimension] for dimension in dimensions])]
        if value.name in starts:
            maps.append(_map(value.indices, [starts[value.name][dimension] for dimension in dimensions]))
        text = ", ".join(f'"{map_}"' for map_ in maps)
        yield f'setSpaceTimeMap(prog, system, "{value.name}", {text});'


def _renumber_positions(dates: Sequence[tuple[Affine, ...]]) -> list[tuple[Affine, ...]]:
    """Returns the dates with positions in blocks counted from 0 without gaps."""
    ranks = []
    for column in zip(*dates, strict=True):
        constants = sorted({component.constant for component in column if component.is_constant})
        ranks.append({value: position for position, value in enumerate(constants)})
    return [
        tuple(
            Affine(constant=known[component.constant]) if component.is_constant else component
            for component, known in zip(date, ranks, strict=True)
        )
        for date in dates
    ]


def _padded(date: Sequence[Affine], values: Sequence[FlowValue]) -> tuple[Affine, ...]:
    width = max(len(value.date) for value in values)
    return (*date, *(Affine() for _ in range(width - len(date))))


def _cells(values: Sequence[FlowValue], taken: set[str]) -> Iterator[str]:
    spaces = _spaces(values, set(taken))
    for value in values:
        if value.array is None or value.cell is None:
            continue
        space = spaces[value.array.name]
        is_plain = value.cell == tuple(map(Affine.name, value.indices))
        if is_plain and space == value.name:
            continue
        shared = f'"{space}", ' if space != value.name else ""
        yield f'setMemoryMap(prog, system, "{value.name}", {shared}"{_map(value.indices, value.cell)}");'


def _spaces(values: Sequence[FlowValue], taken: set[str]) -> dict[str, str]:
    """Returns the memory space of each array: an output has its own name, as does a value that is alone in its
    array."""
    arrays: dict[str, tuple[KernelArray, list[FlowValue]]] = {}
    for value in values:
        if value.array is not None:
            arrays.setdefault(value.array.name, (value.array, []))[1].append(value)
    spaces = {}
    for name, (array, members) in arrays.items():
        output = next((member.name for member in members if member.kind is Kind.OUTPUT), None)
        if output is None and len(members) > 1:
            count, output = 1, array.label
            while output in taken:
                count += 1
                output = f"{array.label}{count}"
            taken.add(output)
        spaces[name] = output or members[0].name
    return spaces


def _map(names: Sequence[str], outputs: Sequence[Affine]) -> str:
    return f"({','.join(names)} -> {','.join(map(str, outputs))})"


_HEAD = ("array", "type", "holds", "elements", "used", "bytes")


def memory_text(kernel: CKernel) -> str:
    """Returns a table with a line for each array, and the sum of the bytes."""
    rows = [_HEAD, *(_row(kernel, array) for array in kernel.arrays.values())]
    widths = [max(len(row[position]) for row in rows) for position in range(len(_HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    sizes = [_bytes(array) for array in kernel.arrays.values()]
    total = sum((size for size in sizes if size is not None), Polynomial())
    return "\n".join([f"{kernel.function}:", *lines, f"in all {total} bytes", ""])


def _row(kernel: CKernel, array: KernelArray) -> tuple[str, ...]:
    size = _bytes(array)
    known = [str(extent) for extent in array.extents if extent is not None]
    elements = " * ".join(f"({extent})" if "+" in extent or "-" in extent else extent for extent in known) or "1"
    return (
        array.label, str(array.type), _array_role(kernel, array), elements,
        _used_cells_text(kernel, array), "?" if size is None else str(size),
    )  # fmt: skip


def _bytes(array: KernelArray) -> Polynomial | None:
    if array.limit is not None or any(extent is None for extent in array.extents):
        return None
    return product(array.extents) * Polynomial.constant(array.type.bytes)


def _array_role(kernel: CKernel, array: KernelArray) -> str:
    is_written = any(statement.target.array is array for statement in kernel.statements)
    if not array.is_argument:
        return "local"
    return "output" if is_written else "input"


def _used_cells_text(kernel: CKernel, array: KernelArray) -> str:
    """Returns the number of accessed cells."""
    names = fresh_names(len(array.extents), "cell", kernel.parameters)
    touched: Domain | None = None
    for statement in kernel.statements:
        for access in (statement.target, *statement.reads):
            if access.array is array:
                cells: tuple[Affine, ...] = access.subscripts[len(array.prefix) :]
                image = statement.domain.image(AffineFunction(statement.domain.space, cells), names)
                touched = image if touched is None else touched | image
    if touched is None:
        return "0"
    context = touched.parameters()
    number = count(touched.simplify(), context)
    return "?" if number is None else str(number)
