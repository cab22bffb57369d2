"""Tiled loops, and loops of one iteration, as plain ones, from which equations are made. These are proved of the C
itself, so that nothing depends on this file.

for (long b = 0; b < n; b += 8)                               for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)                becomes           for (long j = 0; j < m; j++)
        for (long i = b; i < min(b + 8, n); i++) ..                    ..
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from alphaz.c import tree as c
from alphaz.c.walk import Part, nodes, rebuilt, with_blocks
from alphaz.poly import Affine, Constraint, Domain
from alphaz.scop.c_model import ArrayAccess, CKernel, KernelLoop, KernelStatement, LoopKind
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import Statements
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, OperationValue, Tree

_SHARED_OUT = frozenset({"parallel", "for", "simd"})


def without_tiles(tree: c.File) -> c.File:
    """Returns a file with its loops over tiles removed, and the loops inside of tiles over all iterations."""
    items = (
        replace(item, body=_block(item.body)) if isinstance(item, c.Function) and item.body is not None else item
        for item in tree.items
    )
    return replace(tree, items=tuple(items))


def without_copies(tree: c.File, function: str) -> c.File:
    """Returns a file in which a function copies what its pointers point to element by element: `memcpy` alone does not
    say the length of a row."""
    items = (
        replace(item, body=tuple(rebuilt(one, _copied(item)) for one in item.body))
        if isinstance(item, c.Function) and item.name == function and item.body is not None else item
        for item in tree.items
    )  # fmt: skip
    return replace(tree, items=tuple(items))


def _copied(function: c.Function) -> Callable[[Part], Part | None]:
    types = {
        parameter.name: parameter.type.to for parameter in function.parameters if isinstance(parameter.type, c.Pointer)
    }
    types = {name: replace(type_, const=False) for name, type_ in types.items() if isinstance(type_, c.Scalar)}
    taken = names_in(function)

    def change(part: Part) -> Part | None:
        match part:
            case c.Evaluate(c.Call("memcpy", (c.Name(target), c.Name(source), size))) if (
                types.get(target, 0) == types.get(source) and (count := _count(size, types[target])) is not None
            ):
                iterator = next(name for number in range(len(taken) + 1) if (name := f"e{number}") not in taken)
                to, of = (c.Index(c.Name(name), c.Name(iterator)) for name in (target, source))
                loop = c.counted(
                    c.Scalar("long"), iterator, c.ZERO, c.Binary("<", c.Name(iterator), count), c.Literal("1"),
                    (c.Assign(to, of, at=part.at),),
                )  # fmt: skip
                return replace(loop, at=part.at)
        return None

    return change


def _count(size: c.Expression, type_: c.Type) -> c.Expression | None:
    """Returns the number of elements of a size in bytes: `n * m * sizeof(double)`, `sizeof(double[n][m])`."""
    factors: list[c.Expression] = []
    open_, found = [size], 0
    while open_:
        match open_.pop():
            case c.Binary("*", left, right):
                open_ += [right, left]
            case c.SizeOf(c.Array(of=inside, extent=extent)) if extent is not None:
                factors.append(extent)
                open_.append(c.SizeOf(inside))
            case c.SizeOf(of):
                if of != type_:
                    return None
                found += 1
            case factor:
                factors.append(factor)
    if found != 1 or not factors:
        return None
    return reduce(lambda left, right: c.Binary("*", left, right), factors)


def _block(statements: Statements) -> Statements:
    block: list[c.Statement] = []
    for statement in statements:
        inside = with_blocks(statement, _block)
        if isinstance(inside, c.Omp) and {*inside.directive.split()} <= _SHARED_OUT and inside.body is not None:
            inside = c.Block(inside.body, at=inside.at)
        block.append((_whole(inside) or inside) if isinstance(inside, c.For) else inside)
    return tuple(block)


def _whole(tiles: c.For) -> c.Statement | None:
    """Returns the body of a loop over tiles, for all of them; None for other loops."""
    match tiles.start, tiles.test, tiles.steps:
        case (
            (c.Declare(name=name, value=first) | c.Assign(c.Name(name), first, "="),),
            c.Binary("<" | "<=" as operator, c.Name(tested), last),
            (c.Set("+=", c.Name(stepped), c.Literal()),),
        ) if name == tested == stepped and first is not None:
            pass
        case _:
            return None

    def change(part: Part) -> Part | None:
        match part:
            case c.For((c.Declare(value=c.Name(begin)) | c.Assign(_, c.Name(begin), "=") as start,), test) if (
                begin == name
            ):
                match test:
                    case c.Binary("<" | "<=" as own, left, c.Ternary(_, one, other)):
                        rest = [side for side in (one, other) if name not in names_in(side)]
                        end = rest[0] if len(rest) == 1 else last
                    case c.Binary("<" | "<=", left, _):
                        own, end = operator, last
                    case _:
                        return None
                inner = replace(part, start=(replace(start, value=first),), test=c.Binary(own, left, end, at=part.at))
                return replace(inner, body=tuple(rebuilt(statement, change) for statement in part.body))
        return None

    body = tuple(rebuilt(statement, change) for statement in tiles.body)
    return None if name in names_in(body) or not nodes(body, c.For) else c.Block(body, at=tiles.at)


def without_single_trips(kernel: CKernel) -> CKernel:
    """Returns the kernel without its sequential loops of one iteration."""
    loops = [part for statement in kernel.statements for part in statement.date if isinstance(part, KernelLoop)]
    for loop in dict.fromkeys(loops):
        inside = [statement for statement in kernel.statements if loop in statement.date]
        value = _only_value(kernel, loop, inside)
        if value is not None:
            statements = tuple(_folded(s, loop, value) if s in inside else s for s in kernel.statements)
            kernel = replace(kernel, statements=statements)
    return kernel


def _only_value(kernel: CKernel, loop: KernelLoop, inside: Sequence[KernelStatement]) -> Affine | None:
    """Returns the one value of the iterator in terms of outer ones; None if a statement is executed for several."""
    is_plain = loop.kind is LoopKind.SEQUENTIAL and not any(
        s.share or s.block or s.write.mutex or loop in s.write.reductions for s in inside
    )
    return next((v for v in _bounds(kernel, loop, inside[0]) if _is_only(v, loop, inside)), None) if is_plain else None


def _is_only(value: Affine, loop: KernelLoop, inside: Sequence[KernelStatement]) -> bool:
    more = Affine.name(loop.iterator) - value
    others = [Constraint(more - 1)], [Constraint(-more - 1)]
    return all((statement.domain & Domain.where(statement.space, *others)).is_empty() for statement in inside)


def _bounds(kernel: CKernel, loop: KernelLoop, statement: KernelStatement) -> Iterator[Affine]:
    """Yields the bounds of the iterator that are affine in outer iterators and parameters."""
    before = statement.date[: statement.date.index(loop)]
    outer = {*kernel.parameters, *(part.iterator for part in before if isinstance(part, KernelLoop))}
    for condition in statement.conditions:
        for constraint in condition[0] if len(condition) == 1 else ():
            factor = constraint.affine.coefficient(loop.iterator)
            bound = Affine.name(loop.iterator) - constraint.affine * factor
            if abs(factor) == 1 and outer.issuperset(bound.names):
                yield bound


def _folded(statement: KernelStatement, loop: KernelLoop, value: Affine) -> KernelStatement:
    """Returns the statement with the value for the iterator of the loop. A constant takes the place of the loop in the
    date, which orders nothing."""
    values = {loop.iterator: value}
    rest = tuple(name for name in statement.space.names if name != loop.iterator)
    return replace(
        statement,
        iterators=tuple(name for name in statement.iterators if name != loop.iterator),
        conditions=tuple(
            tuple(tuple(c.substitute(values) for c in conjunction) for conjunction in condition)
            for condition in statement.conditions
        ),
        domain=statement.domain.onto(rest),
        date=tuple(0 if part is loop else part for part in statement.date),
        target=_access(statement.target, values),
        reads=tuple(_access(read, values) for read in statement.reads),
        value=_value(statement.value, values),
    )


def _access(access: ArrayAccess, values: dict[str, Affine]) -> ArrayAccess:
    return replace(access, subscripts=tuple(subscript.substitute(values) for subscript in access.subscripts))


def _value(tree: Tree, values: dict[str, Affine]) -> Tree:
    match tree:
        case IndexLeaf(affine, type_):
            affine_value = affine.substitute(values)
            is_new = affine_value.is_constant and not affine.is_constant
            return LiteralValue(Fraction(affine_value.constant), type_) if is_new else IndexLeaf(affine_value, type_)
        case OperationValue():
            return replace(tree, operands=tuple(_value(operand, values) for operand in tree.operands))
    return tree
