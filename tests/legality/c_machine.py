"""Runs generated C, statement by statement, and says what its pragmas leave open: the third judge of a mapping.

Every access to memory is recorded with the turns of parallel and vector loops in which it happens. Two accesses of one
place, one of them a write, in turns that nothing orders are a race. What has no race computes in every interleaving
what it computes in one; so the machine runs one. It reads the text of the generated file, and shares nothing with what
made it.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import combinations
from typing import Any

import numpy as np
from pycparser import c_ast, c_parser

_TYPES = "typedef long int64_t; typedef long size_t; typedef int bool; typedef int FILE; int stderr;\n"


@lru_cache(maxsize=64)
def halved(sides: tuple[int, ...]) -> list[int]:
    """The row-major numbers of the tiles of a box (counts, then sizes), in the order in which it is halved."""
    counts, sizes = sides[: len(sides) // 2], sides[len(sides) // 2 :]
    results: list[int] = []

    def visit(box: list[range]) -> None:
        if all(len(side) == 1 for side in box):
            results.append(reduce(lambda number, at: number * counts[at] + box[at][0], range(len(box)), 0))
            return
        points = [len(side) * size if len(side) > 1 else 0 for side, size in zip(box, sizes, strict=True)]
        at, middle = points.index(max(points)), len(box[points.index(max(points))]) // 2
        visit([*box[:at], box[at][:middle], *box[at + 1 :]])
        visit([*box[:at], box[at][middle:], *box[at + 1 :]])

    visit([range(count) for count in counts])
    return results


_BUILTIN: Mapping[str, Callable[..., int]] = {
    "min64": min,
    "max64": max,
    "floor_div": lambda a, b: a // b,
    "volume": lambda a, b: a * b,
    **{f"halved_{k}": lambda turn, *sides: halved(tuple(sides))[turn] for k in range(2, 5)},
    "floor_mod": lambda a, b: a % b,
    "too_large": lambda *_: 0,
    "beyond": lambda *_: 0,
    "bytes_of": lambda *_: 0,
    "free": lambda *_: 0,
    "sum_int": lambda a, b: a + b,
    "difference_int": lambda a, b: a - b,
    "product_int": lambda a, b: a * b,
    "__builtin_prefetch": lambda *_: 0,
}
_REDUCED = re.compile(r"reduction\([^:]*:([^)]*)\)")

# A turn of a parallel or vector loop around an access: the run of the construct, the part of it that barriers keep
# apart from others, the run of the loop, and which turn of it.
Turn = tuple[int, int, int, int]


class Fault(Exception):
    """The code reads what was never written, leaves an array, or is more than the machine knows."""


@dataclass(eq=False)
class Thing:
    """Memory: a variable, or an array of one dimension. `inside` are the turns in which it was made."""

    values: list[Any]
    inside: tuple[Turn, ...] = ()


@dataclass(frozen=True)
class Place:
    """The target of a pointer."""

    thing: Thing
    at: int = 0


class _Return(Exception):
    pass


@lru_cache(maxsize=16)
def functions(text: str, prefix: str) -> Mapping[str, c_ast.FuncDef]:
    """The functions of a generated file whose names begin so; what they call of the others the machine knows. A line
    that goes on behind a backslash is one.
    """
    plain = re.sub(r"/\*.*?\*/|\\\n", "", text, flags=re.DOTALL)
    result = re.findall(rf"(?ms)^(?:static )?\w+ {prefix}\w+\(.*?^}}$", plain)
    tree = c_parser.CParser().parse(_TYPES + "\n".join(result))
    return {item.decl.name: item for item in tree.ext if isinstance(item, c_ast.FuncDef)}


@dataclass
class Machine:
    """Runs one file. `races` are found in what has been run."""

    functions: Mapping[str, c_ast.FuncDef]
    accesses: dict[tuple[Thing, int], set[tuple[tuple[Turn, ...], bool, bool]]] = field(
        default_factory=lambda: defaultdict(set)
    )
    turns: tuple[Turn, ...] = ()
    locked: bool = False
    runs: int = 0
    reduced: frozenset[Thing] = frozenset()

    def run(self, function: str, arguments: Sequence[int | np.ndarray]) -> list[np.ndarray]:
        """The arrays among the arguments, as they are afterwards; what is no number yet is None."""
        things = [Thing(list(a.flat) if isinstance(a, np.ndarray) else [a]) for a in arguments]
        value = [Place(t) if isinstance(a, np.ndarray) else t.values[0] for t, a in zip(things, arguments, strict=True)]
        status = self._call(self.functions[function], value)
        if status:
            raise Fault(f"status {status}")
        return [
            np.array(t.values, dtype=object).reshape(a.shape)
            for t, a in zip(things, arguments, strict=True)
            if isinstance(a, np.ndarray)
        ]

    def races(self) -> Iterator[str]:
        for (thing, at), value in self.accesses.items():
            if any(_races(thing, one, two) for one, two in combinations(value, 2)):
                yield f"element {at} of an array of {len(thing.values)}"

    # --- functions and statements -------------------------------------------------------------------------------------

    def _call(self, function: c_ast.FuncDef, arguments: Sequence[Any]) -> Any:
        names = [p.name for p in function.decl.type.args.params]
        env = {"NULL": Thing([0]), **{n: Thing([a], self.turns) for n, a in zip(names, arguments, strict=True)}}
        try:
            self._block(function.body, env)
        except _Return as result:
            return result.args[0]
        return None

    def _block(self, block: c_ast.Node | None, env: Mapping[str, Thing]) -> None:
        own, pragma = dict(env), ""
        if block is None:
            return
        for item in (block.block_items or []) if isinstance(block, c_ast.Compound) else [block]:
            if isinstance(item, c_ast.Pragma):
                pragma = item.string
                continue
            self._statement(item, own, pragma)
            pragma = ""

    def _statement(self, node: c_ast.Node, env: dict[str, Thing], pragma: str = "") -> None:
        match node:
            case c_ast.Decl():
                env[node.name] = self._declared(node, env)
            case c_ast.Assignment():
                self._assign(node, env)
            case c_ast.If():
                self._block(node.iftrue if self._value(node.cond, env) else node.iffalse, env)
            case c_ast.For():
                self._loop(node, env, pragma)
            case c_ast.Compound() if pragma.startswith("omp parallel"):
                before, self.turns = self.turns, (*self.turns, (self._fresh(), 0, 0, -1))
                self._block(node, env)
                self.turns = before
            case c_ast.Compound() if pragma.startswith("omp critical"):
                self.locked = True
                self._block(node, env)
                self.locked = False
            case c_ast.Compound():
                self._block(node, env)
            case c_ast.Return():
                raise _Return(self._value(node.expr, env) if node.expr else None)
            case c_ast.FuncCall():
                self._value(node, env)
            case _:
                raise Fault(f"a statement that is not known: {type(node).__name__}")

    def _declared(self, node: c_ast.Decl, env: Mapping[str, Thing]) -> Thing:
        if isinstance(node.type, c_ast.ArrayDecl):
            size, inner = 1, node.type
            while isinstance(inner, c_ast.ArrayDecl):
                size, inner = size * self._value(inner.dim, env), inner.type
            return Thing([Place(Thing([None] * size, self.turns))], self.turns)
        return Thing([None if node.init is None else self._value(node.init, env)], self.turns)

    def _loop(self, node: c_ast.For, env: Mapping[str, Thing], pragma: str) -> None:
        assert isinstance(node.init, c_ast.DeclList)
        own, number, before = dict(env), self._fresh(), (self.turns, self.reduced)
        (counter,) = node.init.decls
        own[counter.name] = self._declared(counter, env)
        names = [name.strip() for item in _REDUCED.findall(pragma) for name in item.split(",")]
        self.reduced |= {env[name] for name in names}
        shared = "for" in pragma.split() or "simd" in pragma.split()
        turn = 0
        while self._value(node.cond, own, quietly=True):
            if shared:
                self.turns = self._turn(before[0], pragma, number, turn)
            self._block(node.stmt, own)
            if shared:
                self.turns = before[0]
            self._step(node.next, own)
            turn += 1
        self.reduced = before[1]
        if pragma.startswith("omp for") and "nowait" not in pragma:
            run, part, *rest = self.turns[-1]
            self.turns = (*self.turns[:-1], (run, part + 1, number, rest[1]))

    def _step(self, node: c_ast.Node, env: Mapping[str, Thing]) -> None:
        if isinstance(node, c_ast.UnaryOp):
            place = self._place(node.expr, env)
            place.thing.values[place.at] += 1
        else:
            self._assign(node, env, quietly=True)

    def _turn(self, around: tuple[Turn, ...], pragma: str, number: int, turn: int) -> tuple[Turn, ...]:
        """Inside a region the loop takes the place of what all threads do."""
        if pragma.startswith("omp for"):
            run, part, _, _ = around[-1]
            return (*around[:-1], (run, part, number, turn))
        return (*around, (number, 0, number, turn))

    def _fresh(self) -> int:
        self.runs += 1
        return self.runs

    # --- memory -------------------------------------------------------------------------------------------------------

    def _touch(self, place: Place, writes: bool) -> None:
        if not 0 <= place.at < len(place.thing.values):
            raise Fault(f"element {place.at} of {len(place.thing.values)}")
        if place.thing not in self.reduced and self.turns:
            self.accesses[place.thing, place.at].add((self.turns, writes, self.locked))

    def _place(self, node: c_ast.Node, env: Mapping[str, Thing]) -> Place:
        match node:
            case c_ast.ID():
                return Place(env[node.name])
            case c_ast.ArrayRef():
                base = self._value(node.name, env)
                return Place(base.thing, base.at + self._value(node.subscript, env))
            case c_ast.UnaryOp(op="*"):
                result = self._value(node.expr, env)
                assert isinstance(result, Place)
                return result
        raise Fault(f"no place: {type(node).__name__}")

    def _read(self, place: Place, quietly: bool = False) -> Any:
        if not quietly:
            self._touch(place, False)
        value = place.thing.values[place.at]
        if value is None:
            raise Fault(f"element {place.at} of {len(place.thing.values)} is read before it is written")
        return value

    def _assign(self, node: c_ast.Assignment, env: Mapping[str, Thing], quietly: bool = False) -> None:
        value, place = self._value(node.rvalue, env), self._place(node.lvalue, env)
        if node.op != "=":
            value = _operated(node.op[:-1], self._read(place, quietly), value)
        if not quietly:
            self._touch(place, True)
        place.thing.values[place.at] = value

    # --- values -------------------------------------------------------------------------------------------------------

    def _value(self, node: c_ast.Node, env: Mapping[str, Thing], quietly: bool = False) -> Any:
        def inner(item: c_ast.Node) -> Any:
            return self._value(item, env, quietly)

        match node:
            case c_ast.Constant():
                return int(node.value.rstrip("uUlL"), 0)
            case c_ast.ID():
                return self._read(Place(env[node.name]), quietly)
            case c_ast.ArrayRef():
                return self._read(self._place(node, env), quietly)
            case c_ast.UnaryOp():
                return self._unary(node, env, quietly)
            case c_ast.BinaryOp(op="&&" | "||"):
                left = bool(inner(node.left))
                return int(left and bool(inner(node.right)) if node.op == "&&" else left or bool(inner(node.right)))
            case c_ast.BinaryOp():
                return _operated(node.op, inner(node.left), inner(node.right))
            case c_ast.TernaryOp():
                return inner(node.iftrue if inner(node.cond) else node.iffalse)
            case c_ast.CompoundLiteral():
                return [inner(expr) for expr in node.init.exprs]
            case c_ast.FuncCall():
                return self._called(node.name.name, [inner(expr) for expr in node.args.exprs])
        raise Fault(f"a value that is not known: {type(node).__name__}")

    def _unary(self, node: c_ast.UnaryOp, env: Mapping[str, Thing], quietly: bool) -> Any:
        match node.op:
            case "&":
                return self._place(node.expr, env)
            case "*":
                return self._read(self._place(node, env), quietly)
            case "sizeof":
                return 1
        value = self._value(node.expr, env, quietly)
        return -value if node.op == "-" else int(not value)

    def _called(self, name: str, arguments: list[Any]) -> Any:
        if name == "allocate":
            size = int(np.prod(arguments[3], dtype=int)) if arguments[2] else 1
            return Place(Thing([None] * size, self.turns))
        if name in _BUILTIN:
            return _BUILTIN[name](*arguments)
        return self._call(self.functions[name], arguments)


def _operated(operator: str, left: Any, right: Any) -> Any:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        case "%":
            return left - right * _operated("/", left, right)
        case "<" | "<=" | ">" | ">=" | "==" | "!=":
            compared = {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}
            return int({**compared, "==": left == right, "!=": left != right}[operator])
    raise Fault(f"an operator that is not known: {operator}")


def _races(thing: Thing, one: tuple[tuple[Turn, ...], bool, bool], two: tuple[tuple[Turn, ...], bool, bool]) -> bool:
    """Returns True if nothing orders two accesses of one element."""
    (here, writes, locked), (there, also_writes, also_locked) = one, two
    if not (writes or also_writes) or (locked and also_locked):
        return False
    for depth, (x, y) in enumerate(zip(here, there, strict=False)):
        if x != y:
            private = len(thing.inside) > depth and thing.inside[depth][0] == x[0]
            return x[:2] == y[:2] and not private
    return False
