"""Checks that counters of finished blocks are 0 whenever a kernel that uses them is launched."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.scop.substitution import mentioned, names_in
from alphaz.scop.tree_queries import Statements, body_of, definitions


class NotCounted(Exception):
    """The reason why a kernel does not merge in its last block, or is not launched so, and its place."""

    def __init__(self, node: c.Node, message: str, remedy: str | None = None) -> None:
        super().__init__(message)
        self.node, self.message, self.remedy = node, message, remedy


@dataclass(frozen=True, slots=True)
class Counting:
    """The counter of a kernel: the parameter of this number, or (None) a variable of the file, which is 0 at first.
    `resets`: it is 0 after each launch, too."""

    parameter: int | None
    resets: bool


_CLEARS, _RELEASE, _ALLOCATE = ("cudaMemset", "cudaMemsetAsync"), "cudaFree", "cudaMalloc"
_SIZES = (c.SizeOf(c.Scalar("unsigned int")), c.SizeOf(c.Scalar("int")), c.Literal("4"))
_REMEDY = "clear it in front of the launch: cudaMemset(count, 0, sizeof(unsigned int))"


@dataclass(frozen=True, slots=True)
class _Host:
    """The functions of the host, and the `counters` of each: those of its names that launches have as one."""

    defined: Mapping[str, c.Function]
    counting: Mapping[str, Counting]
    counters: Mapping[str, set[str]]

    def check(self) -> None:
        """Raises NotCounted if a counter may not be 0 at a launch."""
        for name, counters in self.counters.items():
            function = self.defined[name]
            for counter in sorted(counters):
                declared = [node for node in nodes(function.body, c.Declare) if node.name == counter]
                if any(parameter.name == counter for parameter in function.parameters):
                    if declared or function.storage != "static":
                        message = f"`{counter}`, which counts blocks, may not be 0 at first"
                        raise NotCounted(function, message, "allocate and clear it in this function")
                elif len(declared) == 1:
                    self.walk(body_of(function), counter, is_zero=False)
                else:
                    raise NotCounted(function, f"`{counter}`, which counts blocks, is not declared once")

    def walk(self, block: Statements, name: str, is_zero: bool) -> bool:
        """Returns True if the counter is 0 after the statements of a block."""
        for statement in block:
            if name in mentioned(statement):
                is_zero = self._after(statement, name, is_zero)
        return is_zero

    def _after(self, statement: c.Statement, name: str, is_zero: bool) -> bool:
        match statement:
            case c.Declare(name=own, value=None | c.Call("cudaMalloc")) if own == name:
                return False
            case c.Evaluate(c.Call(function, (c.Name(own), *more))) if own == name and function in _CLEARS:
                if more[:1] == [c.ZERO] and len(more) >= 2 and more[1] in _SIZES and name not in names_in(more):
                    return True
            case c.Evaluate(c.Call(function, (c.Name(own),))) if own == name and function == _RELEASE:
                return False
            case c.Launch(kernel) if kernel in self.counting:
                return self._launched(statement, name, is_zero)
            case (
                c.Evaluate(c.Call(str() as function, arguments))
                | c.Assign(c.Name(), c.Call(str() as function, arguments), "=")
                | c.Declare(value=c.Call(str() as function, arguments))
            ) if function in self.counters:
                return self._called(statement, self.defined[function], arguments, name, is_zero)
            case c.Block(body):
                return self.walk(body, name, is_zero)
            case c.If(test, then, otherwise) if name not in names_in(test):
                ends = [self.walk(body, name, is_zero) for body in (then, otherwise) if not _returns(body)]
                return all(ends)
            case c.For() | c.While() | c.DoWhile() if not nodes(statement.body, (c.Break, c.Continue)):
                if is_zero and self.walk(statement.body, name, is_zero=True):
                    return True
                self.walk(statement.body, name, is_zero=False)
                return False
        raise NotCounted(statement, f"`{name}` counts blocks: it may only be cleared, and passed to the kernel")

    def _launched(self, launch: c.Launch, name: str, is_zero: bool) -> bool:
        counting = self.counting[launch.kernel]
        others = (argument for position, argument in enumerate(launch.arguments) if position != counting.parameter)
        if name in names_in((*others, *launch.grid, *launch.block)) or counting.parameter is None:
            raise NotCounted(launch, f"`{name}` counts blocks, and is passed to the kernel as something else")
        if not is_zero:
            raise NotCounted(launch, f"`{name}`, which counts the blocks of this launch, may not be 0", _REMEDY)
        return counting.resets

    def _called(
        self, statement: c.Statement, callee: c.Function, arguments: tuple[c.Expression, ...], name: str, is_zero: bool
    ) -> bool:
        at = [number for number, argument in enumerate(arguments) if name in names_in(argument)]
        inner = callee.parameters[at[0]].name if len(at) == 1 and len(arguments) == len(callee.parameters) else ""
        if not inner or arguments[at[0]] != c.Name(name) or inner not in self.counters[callee.name]:
            raise NotCounted(statement, f"`{name}` counts blocks: it may only be cleared, and passed to the kernel")
        return self.walk(body_of(callee), inner, is_zero)


def check_counters(tree: c.File, counting: Mapping[str, Counting]) -> None:
    """Raises NotCounted if a function of the host may launch one of these kernels with a counter that is not 0."""
    defined = definitions(tree)
    hosts = {name: one for name, one in defined.items() if "__global__" not in one.qualifiers}
    counters: dict[str, set[str]] = {name: set() for name in hosts}
    for name, function in hosts.items():
        for launch in nodes(function.body, c.Launch):
            at = counting[launch.kernel].parameter if launch.kernel in counting else None
            if at is None:
                continue
            if at >= len(launch.arguments) or not isinstance(argument := launch.arguments[at], c.Name):
                raise NotCounted(launch, "the counter of this launch is no variable")
            counters[name].add(argument.name)
    while _passed_on(hosts, counters):
        pass
    _Host(hosts, counting, {name: own for name, own in counters.items() if own}).check()


def _passed_on(hosts: Mapping[str, c.Function], counters: Mapping[str, set[str]]) -> bool:
    """Adds the counters that calls pass to functions; returns True if there are new ones."""
    before = sum(map(len, counters.values()))
    for name, function in hosts.items():
        for call in nodes(function.body, c.Call):
            callee = hosts.get(call.function) if isinstance(call.function, str) else None
            if callee is None:
                continue
            for parameter, argument in zip(callee.parameters, call.arguments, strict=False):
                if parameter.name not in counters[callee.name]:
                    continue
                if not isinstance(argument, c.Name):
                    raise NotCounted(call, "the counter of blocks that this call passes is no variable")
                counters[name].add(argument.name)
    return sum(map(len, counters.values())) > before


def _returns(block: Statements) -> bool:
    return bool(block) and isinstance(block[-1], c.Return)
