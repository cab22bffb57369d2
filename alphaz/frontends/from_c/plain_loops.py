"""Tiled loops as plain ones, from which equations are made. These are proved of the C as it stands: here nothing needs
to be right.

for (long b = 0; b < n; b += 8)                               for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)                becomes           for (long j = 0; j < m; j++)
        for (long i = b; i < min(b + 8, n); i++) ..                    ..
"""

from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import Part, nodes, rebuilt, with_blocks
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import Statements

_SHARED_OUT = frozenset({"parallel", "for", "simd"})


def without_tiles(tree: c.File) -> c.File:
    """Returns a file with its loops over tiles removed, and the loops inside of tiles over all iterations."""
    items = (
        replace(item, body=_block(item.body)) if isinstance(item, c.Function) and item.body is not None else item
        for item in tree.items
    )
    return replace(tree, items=tuple(items))


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
