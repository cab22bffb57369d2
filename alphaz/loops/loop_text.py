"""Trees of loops as text: similar to the generated C, without a target."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from alphaz.loops.modes import Blocks, Mode, Parallel, Register, Threads, Vector
from alphaz.loops.tile_levels import TileLevel
from alphaz.loops.tree import (
    Allocate,
    Barrier,
    Block,
    Combine,
    Conditional,
    Dates,
    Enough,
    Exclusive,
    For,
    Instance,
    Keep,
    Launch,
    Let,
    Merge,
    Node,
    Pack,
    Scan,
    Team,
)
from alphaz.order.happens_before import SyncScope
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerName, IntegerOperation


def text_of(tree: Node, texts: Mapping[str, str]) -> str:
    """Returns one line for each node, indented. `texts` has the text of statements, by their names."""
    return "".join(f"{line}\n" for line in _lines(tree, texts))


def _lines(node: Node, texts: Mapping[str, str]) -> Iterator[str]:
    match node:
        case For():
            yield f"{_head(node)}:"
            yield from _indented_lines(_lines(node.body, texts))
        case Let(iterator, _, value, body):
            yield f"{iterator} = {_text(value)}"
            yield from _lines(body, texts)
        case Conditional(condition, then, otherwise):
            yield f"if {_text(condition)}:"
            yield from _indented_lines(_lines(then, texts))
            if otherwise is not None:
                yield "else:"
                yield from _indented_lines(_lines(otherwise, texts))
        case Block(children):
            for child in children:
                yield from _lines(child, texts)
        case Instance(name, arguments, vector):
            lanes = f"  [vectors of {vector.count} along {vector.along}]" if vector else ""
            what = f"{lanes}{f'    # {texts[name]}' if name in texts else ''}"
            yield f"{name} ({', '.join(map(_text, arguments))}){what}"
        case Merge(scans, _, body, grid):
            by = f" by {_inner(grid.blocks)} blocks of {grid.threads} threads" if grid else ""
            yield f"collect {', '.join(scan.name for scan in scans)}{by}:"
            yield from _indented_lines(_lines(body, texts))
        case Pack(names, _, _, body, threads):
            by = f" by {' x '.join(str(count) for _, count in threads)} threads" if threads else ""
            yield f"fill {', '.join(names)}{by}"
            yield from _lines(body, texts)
        case Launch() | Keep() | Team() | Barrier() | Exclusive() | Allocate() | Combine():
            yield from _of_team(node, texts)
        case Dates():
            yield from _dated_lines(node, texts)


def _of_team(
    node: Launch | Keep | Team | Barrier | Exclusive | Allocate | Combine, texts: Mapping[str, str]
) -> Iterator[str]:
    match node:
        case Keep(_, counts, store, body):
            yield f"{' x '.join(map(str, counts))} registers of each thread"
            yield from _lines(body, texts)
            yield "write the registers:"
            yield from _indented_lines(_lines(store, texts))
        case Launch(grid, block, body):
            sizes = (f"{_list(grid)} blocks", f"{' x '.join(map(str, block))} threads") if block else ("one thread",)
            yield f"launch of {' of '.join(sizes)}:"
            yield from _indented_lines(_lines(body, texts))
        case Team(scope, body, enough):
            yield f"team of {scope}s{'' if enough is None else f', if {_product(enough)}'}:"
            yield from _indented_lines(_lines(body, texts))
        case Barrier(scope):
            yield f"barrier of the {scope}"
        case Exclusive(body):
            yield "one at a time:"
            yield from _indented_lines(_lines(body, texts))
        case Allocate(scratch, body):
            owner = "for the team" if scratch.scope is SyncScope.TEAM else f"for each {scratch.scope}"
            yield f"scratch {', '.join((*scratch.collected, *scratch.buffers))} {owner}"
            yield from _lines(body, texts)
        case Combine(collected):
            yield f"combine {', '.join(collected)}"


def _product(enough: Enough) -> str:
    extents = (str(extent) if str(extent).isidentifier() else f"({extent})" for extent in enough.extents)
    return f"{' x '.join(extents)} > {enough.least}"


def _list(grid: Iterable[Integer]) -> str:
    return " x ".join(map(_inner, grid))


def _indented_lines(lines: Iterator[str]) -> Iterator[str]:
    return (f"    {line}" for line in lines)


def _head(loop: For) -> str:
    first, bound = _text(loop.first), _text(loop.bound)
    step = "" if loop.step == IntegerConstant(1) else f"; by {_text(loop.step)}"
    facts = ", ".join(chain(words_of(loop.mode), _facts(loop)))
    head = f"for {loop.iterator} = {first}; {loop.iterator} {loop.comparison} {bound}{step}"
    return f"{head}  [{facts}]" if facts else head


def words_of(mode: Mode) -> Iterator[str]:
    """Yields the differences from a sequential loop."""
    match mode:
        case Vector():
            yield "vector"
        case Register():
            yield "register"
        case Blocks(axis, _, threads):
            yield f"blocks along {axis}" + (f", {threads} threads each" if threads > 1 else "")
        case Threads(axis, _, threads):
            yield f"{threads} threads along {axis}"
        case Parallel():
            yield "parallel" if mode.collapse == 1 else f"parallel, {mode.collapse} loops as one"
            if mode.chunk:
                yield f"in chunks of {mode.chunk}"
            elif mode.uneven:
                yield "uneven"
            if mode.vector:
                yield "vector"
            yield from (f"{reduction.operator} of {reduction.name}" for reduction in mode.reductions)


def _facts(loop: For) -> Iterator[str]:
    if loop.vector_dimension:
        yield "vector dimension"
    if loop.split:
        yield f"split by what is selected{', in vectors' if any(group.vector for group in loop.split.groups) else ''}"
    if loop.kept:
        yield f"in registers: {' and '.join(loop.kept)}"
    if loop.runs:
        yield "never empty"


def _dated_lines(node: Dates, texts: Mapping[str, str]) -> Iterator[str]:
    for scan in node.scans:
        what = f"    # {texts[scan.name]}" if scan.name in texts else ""
        yield f"{scan.name} {scan.domain} at ({', '.join(map(str, scan.date))}){_whole_tile_text(scan)}{what}"
    for level in node.levels:
        yield _level(level)
    properties = [
        name for name, is_wanted in (("full tiles", node.full_tiles), ("parts of loops", node.apart)) if is_wanted
    ]
    if properties:
        yield f"apart: {', '.join(properties)}"


def _whole_tile_text(one: Scan) -> str:
    sizes = [" x ".join(str(step.size) for step in whole_tile.steps) for whole_tile in one.whole_tiles]
    return f", {' and '.join(sizes)} points at once" if sizes else ""


def _level(level: TileLevel) -> str:
    words = [f"tiles {', '.join(f'{tile.origin} of {tile.size}' for tile in level.tiles)}"] if level.tiles else []
    words += [f"in wavefronts {', '.join(level.wavefront)}"] if level.wavefront else []
    words += ["halved again and again"] if level.recursion else []
    words += [f"filling {', '.join(level.packs)}"] if level.packs else []
    words += [f"collecting {', '.join(sorted(level.merged))}"] if level.merged else []
    return f"in front of component {level.position} of {', '.join(sorted(level.names))}: {'; '.join(words)}"


_INFIX = {"floor_div": "/", "exact_div": "/", "quotient": "/", "remainder": "mod", "divides": "mod"}


def _text(value: Integer) -> str:
    match value:
        case IntegerConstant(number):
            return str(number)
        case IntegerName(name):
            return name
        case IntegerOperation("neg", (operand,)):
            return f"-{_inner(operand)}"
        case IntegerOperation("min" | "max" as operator, operands):
            return f"{operator}({', '.join(map(_text, operands))})"
        case IntegerOperation("halved", (iteration, *sides)):
            half = len(sides) // 2
            counts, sizes = (", ".join(map(_text, some)) for some in (sides[:half], sides[half:]))
            return f"halved({_text(iteration)}; {counts}; {sizes})"
        case IntegerOperation("if", (condition, then, otherwise)):
            return f"({_text(then)} if {_text(condition)} else {_text(otherwise)})"
        case IntegerOperation("volume", operands):
            return " * ".join(map(_inner, operands))
        case IntegerOperation("+" | "and" | "<" | "<=" | ">" | ">=" | "==" as operator, operands):
            return f" {operator} ".join(map(_text, operands))
        case IntegerOperation(operator, operands):
            return f" {_INFIX.get(operator, operator)} ".join(map(_inner, operands))


def _inner(value: Integer) -> str:
    """Returns the value, in parentheses where it is not atomic."""
    alone = not isinstance(value, IntegerOperation) or value.operator in ("min", "max", "if", "halved")
    return _text(value) if alone else f"({_text(value)})"
