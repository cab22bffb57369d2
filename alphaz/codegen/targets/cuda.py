"""CUDA: parallel loops as kernels, and host functions that move the arrays. Only this module, and those
named after it, know the words of CUDA.

While the C of a system is made, a kernel is a directive `launch` around its statements, with the sizes of grid and
block as clauses: so the passes over C work on it. At the end each becomes a function and a launch.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from alphaz.c import tree as c
from alphaz.c.printer import comment_lines, file_text
from alphaz.c.walk import Part, nodes, rebuilt
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.expressions import STATUS
from alphaz.codegen.c.frame import as_arguments
from alphaz.codegen.c.integers import integer
from alphaz.codegen.c.names import fresh, identifier
from alphaz.codegen.c.nest import LoopForms
from alphaz.codegen.c.readable_c import CONSTANT, INDEX, is_index
from alphaz.codegen.sources import EXTERNALS, Sources
from alphaz.codegen.targets.cuda_merges import BARRIER, merged_by_blocks
from alphaz.codegen.targets.cuda_words import (
    FAILED,
    LAUNCH,
    ONE,
    STREAM,
    Statements,
    allocated,
    free,
    launch,
    number,
    unless,
)
from alphaz.codegen.targets.loop_program import LoopProgram, c_files
from alphaz.codegen.targets.target import Target, TargetNest
from alphaz.codegen.toolchain import CUDA, Harness, Toolchain
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import NOT_YET
from alphaz.loops.modes import Blocks, Mode, Register, Sequential, Threads
from alphaz.loops.passes.launches import Launches
from alphaz.loops.passes.scan import FULL_TILES, SEPARATE, Pass
from alphaz.loops.tree import Node
from alphaz.model.program import System
from alphaz.model.types import SCALAR_TYPES
from alphaz.poly import Affine, Constraint, Domain
from alphaz.poly.plain.integer_expression import Integer, as_affine

_BLOCK, _THREAD, _GRID = "blockIdx", "threadIdx", "gridDim"
_AXES = "xyz"
# The sizes of a grid along x are taken modulo 2^32, and a launch fails above 2^31.
_MOST_BLOCKS = (2**32 - 1, 65_535, 65_535)
_TOO_LARGE = "2"
# The bytes of shared memory that a kernel may declare.
_MOST_SHARED = 48 * 1024


# --- kernels ----------------------------------------------------------------------------------------------------------


def _loop(loop: c.For, mode: Mode) -> Statements:
    """Returns the iterations of one thread."""
    match mode:
        case Blocks(axis, first, threads):
            start = _sum(integer(first), _product(_step(loop), _place(axis, threads)))
            return _once(loop, start, integer(first))
        case Threads(axis, first, threads, is_once):
            thread = c.Cast(INDEX, c.Member(c.Name(_THREAD), axis, False))
            start = _sum(integer(first), _product(_step(loop), thread))
            step = None if is_once else _product(_step(loop), number(threads))
            if step is None and _is_every_thread(loop, threads):
                return (c.Block((c.Declare(CONSTANT, loop.iterator, start), *loop.body)),)
            return _once(loop, start, integer(first)) if step is None else _strided(loop, start, integer(first), step)
        case Register():
            return c.Pragma("unroll"), loop
    return (loop,)


def _is_every_thread(loop: c.For, threads: int) -> bool:
    """Returns True for a loop with an iteration for each thread."""
    all_ = c.Binary("<", c.Name(loop.iterator), number(threads))
    return threads > 1 and loop.test == all_ and _first(loop) == c.ZERO


def _place(axis: str, threads: int) -> c.Expression:
    """Returns the number of a block, or of a thread among those of all blocks."""
    block: c.Expression = c.Cast(INDEX, c.Member(c.Name(_BLOCK), axis, False))
    if threads == 1:
        return block
    return c.Binary("+", c.Binary("*", block, number(threads)), c.Member(c.Name(_THREAD), axis, False))


def _step(loop: c.For) -> c.Expression:
    match loop.steps:
        case (c.Set("+=", _, step),):
            return step
    return ONE


def _sum(left: c.Expression, right: c.Expression) -> c.Expression:
    match right:
        case _ if left == c.ZERO:
            return right
        case c.Binary("+", first, second):
            return c.Binary("+", _sum(left, first), second)
    return c.Binary("+", left, right)


def _product(left: c.Expression, right: c.Expression) -> c.Expression:
    if isinstance(left, c.Literal) and isinstance(right, c.Literal):
        return c.Literal(str(int(left.text) * int(right.text)))
    return right if left == ONE else c.Binary("*", left, right)


def _once(loop: c.For, start: c.Expression, first: c.Expression) -> Statements:
    """Returns the only iteration of a thread, if it has one."""
    assert loop.test is not None
    test = c.Binary("&&", _not_below(loop), loop.test) if _first(loop) != first else loop.test
    return (c.Block((c.Declare(CONSTANT, loop.iterator, start), c.If(test, loop.body))),)


def _strided(loop: c.For, start: c.Expression, first: c.Expression, step: c.Expression) -> Statements:
    assert loop.test is not None
    body = loop.body if _first(loop) == first else (c.If(_not_below(loop), loop.body),)
    return (c.counted(INDEX, loop.iterator, start, loop.test, step, body),)


def _not_below(loop: c.For) -> c.Expression:
    return c.Binary(">=", c.Name(loop.iterator), _first(loop))


def _first(loop: c.For) -> c.Expression:
    (start,) = loop.start
    assert isinstance(start, c.Declare)
    assert start.value is not None
    return start.value


# --- grids without a limit --------------------------------------------------------------------------------------------


def _with_strides(body: Statements, axes: frozenset[str]) -> Statements | None:
    """Returns the statements of a kernel for a grid of any size along these axes, whose blocks have several iterations;
    None for threads that wait for each other, or share memory, and where other statements are around these loops."""
    if any(
        node.space is c.AddressSpace.SHARED for node in nodes(body, c.Declare)
    ) or "__syncthreads" in c.functions_called(body):
        return None
    if not axes:
        return body
    match body:
        case (*before, c.Block(inside)):
            return _with_strides((*before, *inside), axes)
        case (*before, c.Declare(value=start) as place, c.If(test, inside, ())) if start is not None and all(
            isinstance(one, c.Declare) and is_index(one) for one in before
        ):
            axis = next((node.field for node in nodes(start, c.Member) if node.base == c.Name(_BLOCK)), "")
            inner = _with_strides(inside, axes - {axis}) if axis else None
            if inner is None:
                return None
            if isinstance(test, c.Binary) and test.operator == "&&":
                inner, test = (c.If(test.left, inner),), test.right
            if not (isinstance(test, c.Binary) and test.operator in ("<", "<=") and test.left == c.Name(place.name)):
                return None
            blocks: c.Expression = c.Cast(INDEX, c.Member(c.Name(_GRID), axis, False))
            factor = _factor(start)
            step = blocks if factor == ONE else c.Binary("*", blocks, factor)
            return (*before, c.counted(INDEX, place.name, start, test, step, inner))
    return None


def _factor(start: c.Expression) -> c.Expression:
    """Returns the factor of the number of the block in the first iteration of a thread; 0 if there is none."""
    match start:
        case c.Cast(_, c.Member(c.Name(name))) if name == _BLOCK:
            return ONE
        case c.Binary("+", left, right):
            return _factor(right) if _factor(left) == c.ZERO else _factor(left)
        case c.Binary("*", left, right):
            if (factor := _factor(left)) != c.ZERO:
                return _product(factor, right)
            return c.ZERO if (factor := _factor(right)) == c.ZERO else _product(left, factor)
    return c.ZERO


# --- launches ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Kernels:
    """Cuts the kernels out of a function; `functions` are those found so far."""

    program: LoopProgram
    taken: frozenset[str]
    by_value: Mapping[str, c.Parameter]
    result: str
    functions: list[c.Function] = field(default_factory=list)

    def cut(self, body: Statements, known: Mapping[str, c.Parameter | c.Declare]) -> Statements:
        """Returns the statements with launches instead of kernels; `known` are the names around."""
        statements: list[c.Statement] = []
        here = dict(known)
        for statement in body:
            match statement:
                case c.Declare(name=name):
                    here[name] = statement
                    statements.append(statement)
                case c.Omp(directive, (grid, block), inside) if directive == LAUNCH and inside is not None:
                    statements += self._launched(grid, block, inside, here)
                case c.For(body=inside):
                    around = {**here, statement.iterator: c.Parameter(INDEX, statement.iterator)}
                    statements.append(replace(statement, body=self.cut(inside, around)))
                case c.Block(inside):
                    statements.append(c.Block(self.cut(inside, here)))
                case c.If(_, then, otherwise):
                    statements.append(
                        replace(statement, then=self.cut(then, here), otherwise=self.cut(otherwise, here))
                    )
                case _:
                    statements.append(statement)
        return tuple(statements)

    def _launched(
        self, grid: c.Clause, block: c.Clause, body: Statements, known: Mapping[str, c.Parameter | c.Declare]
    ) -> Iterator[c.Statement]:
        name = fresh(f"{self.program.name}_kernel", {*self.taken, *(function.name for function in self.functions)})
        _check_kernel(self.program, body)
        declared, used = list[c.Declare](), set(c.names_used(body))
        for constant in reversed([one for one in known.values() if isinstance(one, c.Declare) and is_index(one)]):
            if constant.name in used:
                declared.insert(0, constant)
                used |= c.names_used([constant])
        copied = {one.name for one in declared}
        passed = [(at, one) for at, one in known.items() if at in used - copied]
        parameters = tuple(self._parameter(one) for _, one in passed)
        arguments = tuple(self._argument(at) for at, _ in passed)
        inside = self._with_values((*declared, *body))
        limited = {axis: most for axis, _, most in _extents(grid) if axis != "x"}
        strided = _with_strides(inside, frozenset(limited))
        sizes = grid.arguments
        if strided is not None:
            inside = strided
            sizes = tuple(
                c.Call("min64", (size, number(limited[axis]))) if axis in limited else size
                for axis, size in zip(_AXES, sizes, strict=False)
            )
        self.functions.append(c.Function(c.VOID, name, parameters, inside, "static", qualifiers=("__global__",)))
        launched = fresh(f"launch_{name}", self.taken)
        run = c.Launch(name, sizes, block.arguments, arguments, c.ZERO, c.Name(STREAM.name))
        around = [one for at, one in known.items() if at in c.names_used([run])]
        outer_parameters = tuple(c.Parameter(one.type, one.name) for one in around)
        limits = (
            c.If(c.Binary(">", extent, number(most)), (c.Return(c.Literal(_TOO_LARGE)),))
            for axis, extent, most in _extents(grid)
            if strided is None or axis not in limited
        )
        failed = unless("cudaGetLastError", (), (c.Return(c.Literal(FAILED)),))
        body = (*limits, run, failed, c.Return(c.ZERO))
        self.functions.append(c.Function(c.INT, launched, (*outer_parameters, STREAM), body, "static"))
        call = c.Call(launched, (*(c.Name(parameter.name) for parameter in outer_parameters), c.Name(STREAM.name)))
        yield c.If(c.Binary("==", c.Name(self.result), c.ZERO), (c.Assign(c.Name(self.result), call),))

    def _parameter(self, known: c.Parameter | c.Declare) -> c.Parameter:
        if known.name in self.by_value:
            return self.by_value[known.name]
        return known if isinstance(known, c.Parameter) else c.Parameter(known.type, known.name)

    def _argument(self, name: str) -> c.Expression:
        return c.Unary("*", c.Name(name)) if name in self.by_value else c.Name(name)

    def _with_values(self, body: Statements) -> Statements:
        """Returns the body with the values of scalar inputs instead of the values that pointers point to."""

        def change(part: Part) -> Part | None:
            match part:
                case c.Unary("*", c.Name(name) as value) if name in self.by_value:
                    return value
            return None

        return tuple(rebuilt(statement, change) for statement in body)


def _extents(grid: c.Clause) -> Iterator[tuple[str, c.Expression, int]]:
    """Yields the axes of a grid with sizes that are no numbers, these sizes, and the largest ones."""
    for axis, extent, most in zip(_AXES, grid.arguments, _MOST_BLOCKS, strict=False):
        if not isinstance(extent, c.Literal):
            yield axis, extent, most


def _check_kernel(program: LoopProgram, body: Statements) -> None:
    """Raises Rejected(NOT_YET) for a kernel that allocates, or has too much shared memory."""
    if c.functions_called(body) & {"allocate", "allocate_zero", "free"}:
        message = "partial results in arrays of one thread are not supported in kernels"
        raise _refused(program, message, "give the reduction dates of its own, or make its dimension sequential")
    arrays = [(node.name, _size(node.type)) for node in nodes(body, c.Declare) if node.space is c.AddressSpace.SHARED]
    total = sum(size for _, size in arrays)
    if total <= _MOST_SHARED:
        return
    sizes = ", ".join(f"{name} {size:,}" for name, size in arrays)
    message = f"the arrays of a block take {total:,} bytes of shared memory, and there are {_MOST_SHARED:,}"
    places = [program.commands[name] for name, _ in arrays if name in program.commands]
    here, *others = dict.fromkeys(places or [program.system.span])
    labels = tuple(Label(span, "other arrays in this memory") for span in others)
    help_ = "choose smaller tiles, or pack fewer variables"
    raise Rejected(
        Diagnostic(NOT_YET, message, Label(here), secondary=labels, notes=(f"in bytes: {sizes}",), help=help_)
    )


def _size(type_: c.Type) -> int:
    """Returns the number of bytes of a number, or of an array with a constant number of elements."""
    match type_:
        case c.Array(of, c.Literal(count)):
            return int(count) * _size(of)
        case c.Scalar(name):
            return next(one.bytes for one in SCALAR_TYPES.values() if one.c_name == name)
    raise AssertionError(type_)


def _refused(program: LoopProgram, message: str, help_: str) -> Rejected:
    label = Label(program.system.span)
    return Rejected(Diagnostic(NOT_YET, f"the target `cuda`: {message}", label, help=help_))


# --- the host ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Host:
    """The functions of the host for a system."""

    program: LoopProgram
    loops: c.Function
    has_status: bool

    @property
    def device_name(self) -> str:
        return f"{self.program.name}_device_status"

    @property
    def moved(self) -> list[FlatArray]:
        """Returns the arrays of the caller that are copied."""
        return [array for array in self.program.callers if not _is_value(array, self.program)]

    def functions(self) -> tuple[c.Function, ...]:
        device = self._on_device()
        return device, self._on_host(), self.program.entries[-1]

    def _on_device(self) -> c.Function:
        """Returns the function for arrays in the memory of the GPU, in a stream."""
        program = self.program
        body: list[c.Statement] = [*self._silent(), *program.checks]
        order = [array.name for array in program.allocated]
        own = [constant for array in program.allocated for constant in array.constants]
        body += [one for one in own if one not in body]
        status = c.Declare(c.Pointer(c.INT), STATUS.name) if self.has_status else None
        for position, array in enumerate(program.allocated):
            body += allocated(array.name, c.scalar(array.type), _bytes(array, program), order[:position])
        if status is not None:
            body += allocated(status.name, c.INT, c.SizeOf(c.INT), order)
            order.append(status.name)
        call = c.Call(self.loops.name, (*as_arguments(self.loops.parameters),))
        if not order:
            return self._entry(self.device_name, (*body, c.Return(call)), STREAM)
        result = fresh("result", c.names_used(body) | {p.name for p in program.interface})
        statements: list[c.Statement] = [c.Declare(c.INT, result, c.ZERO)]
        if status is not None:
            cleared = ("cudaMemsetAsync", (c.Name(status.name), c.ZERO, c.SizeOf(c.INT), c.Name(STREAM.name)))
            statements.append(unless(*cleared, (c.Assign(c.Name(result), c.Literal(FAILED)),)))
        run = c.Assign(c.Name(result), call)
        statements.append(c.If(c.Binary("==", c.Name(result), c.ZERO), (run,)) if status is not None else run)
        if status is not None:
            code = fresh("code", c.names_used(body) | {p.name for p in program.interface})
            statements += self._status_read(status.name, code, result)
        statements += [free(name) for name in reversed(order)]
        statements.append(c.Return(c.Name(result)))
        return self._entry(self.device_name, (*body, *statements), STREAM)

    def _status_read(self, status: str, code: str, result: str) -> Iterator[c.Statement]:
        failed = (c.Assign(c.Name(result), c.Literal(FAILED)),)
        yield c.Declare(c.INT, code, c.ZERO)
        yield unless("cudaStreamSynchronize", (c.Name(STREAM.name),), failed)
        copied = (c.Unary("&", c.Name(code)), c.Name(status), c.SizeOf(c.INT), c.Name("cudaMemcpyDeviceToHost"))
        yield unless("cudaMemcpy", copied, failed)
        yield c.If(c.Binary("==", c.Name(result), c.ZERO), (c.Assign(c.Name(result), c.Name(code)),))

    def _on_host(self) -> c.Function:
        """Returns the function for arrays of the host."""
        program = self.program
        taken = {p.name for p in (*program.interface, *program.loops.parameters)}
        body: list[c.Statement] = list(program.checks)
        taken |= c.names_used(body)
        there: dict[str, str] = {}
        for array in self.moved:
            there[array.name] = fresh(f"device_{array.name}", taken)
            taken.add(there[array.name])
        for position, array in enumerate(self.moved):
            name, before = there[array.name], [*there.values()][:position]
            body += allocated(name, c.scalar(array.type), _bytes(array, program), before)
        result = fresh("result", taken)
        body.append(c.Declare(c.INT, result, c.ZERO))
        failed = (c.Assign(c.Name(result), c.Literal(FAILED)),)
        for array in self.moved:
            if array.name not in program.outputs or array.name in program.partial:
                pair = (c.Name(there[array.name]), c.Name(array.name))
                body.append(_copied(*pair, _bytes(array, program), "cudaMemcpyHostToDevice", failed))
        arguments = tuple(c.Name(there.get(p.name, p.name)) for p in program.interface)
        run = c.Assign(c.Name(result), c.Call(self.device_name, (*arguments, c.ZERO)))
        body.append(c.If(c.Binary("==", c.Name(result), c.ZERO), (run,)))
        for array in self.moved:
            if array.name in program.outputs:
                pair = (c.Name(array.name), c.Name(there[array.name]))
                body.append(_copied(*pair, _bytes(array, program), "cudaMemcpyDeviceToHost", failed))
        body += [free(name) for name in reversed(there.values())]
        body.append(c.Return(c.Name(result)))
        return self._entry(f"{program.name}_status", tuple(body))

    def _entry(self, name: str, body: Statements, *more: c.Parameter) -> c.Function:
        return c.Function(c.INT, name, (*self.program.interface, *more), body)

    def _silent(self) -> list[c.Statement]:
        used = {*c.names_used(self.program.checks), *(p.name for p in self.loops.parameters)}
        unused = [p.name for p in self.program.interface if p.name not in used]
        return [c.Evaluate(c.Cast(c.VOID, c.Name(name))) for name in unused]


def _is_value(array: FlatArray, program: LoopProgram) -> bool:
    """Returns True for a number that is passed to kernels by its value."""
    return array.rank == 0 and array.layout is None and array.is_constant and array.name not in program.outputs


def _is_natural(extent: Integer, system: System) -> bool:
    """Returns True if an extent, over identifiers, is never negative."""
    affine = as_affine(extent)
    if affine is None:
        return False
    names = {identifier(name): name for name in system.parameters}
    if not names.keys() >= set(affine.names):
        return False
    value = affine.substitute({one: Affine.name(name) for one, name in names.items()})
    negative = Domain.where(system.context.space, [Constraint(-value - 1)])
    return (system.context & negative).is_empty()


def _bytes(array: FlatArray, program: LoopProgram) -> c.Expression:
    total: c.Expression | None = None
    for extent in array.extents:
        factor = integer(extent)
        if not _is_natural(extent, program.system):
            factor = c.Call("max64", (factor, c.ZERO))
        total = factor if total is None else c.Binary("*", total, factor)
    size = c.SizeOf(c.scalar(array.type))
    return size if total is None else c.Binary("*", total, size)


def _copied(
    target: c.Expression, source: c.Expression, size: c.Expression, direction: str, failed: Statements
) -> c.Statement:
    return unless("cudaMemcpy", (target, source, size, c.Name(direction)), failed)


# --- files ------------------------------------------------------------------------------------------------------------


_DOUBLE = """
acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 log log10 log1p log2 cbrt fabs hypot
pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint round trunc fmod remainder copysign fdim fmax fmin fma
"""
_MATH = frozenset(name + suffix for name in _DOUBLE.split() for suffix in ("", "f"))


def cuda_files(program: LoopProgram) -> Sources:
    """Returns the source and the header."""
    if program.headers:
        raise _refused(program, "calls of other systems are not supported", "InlineSubSystem removes them")
    own = [external.name for external in program.program.externals if external.name not in _MATH]
    if own:
        message = f"the external function `{own[0]}` is none of the mathematical library"
        raise _refused(program, message, "define it by equations")
    loops, kernels = _with_launches(program)
    host = _Host(program, loops, any(p.name == STATUS.name for p in loops.parameters))
    whole = replace(program, loops=loops, entries=tuple(map(_in_cpp, host.functions())))
    made = c_files(whole, kernels, language=CUDA)
    source = f"{program.stem}{CUDA.suffix}"
    header = made.files[f"{program.stem}.h"]
    text = _cuda_text(made.files[source])
    less = made.files[source].count("\n") - text.count("\n")
    claims = {at - less: claim for at, claim in made.claims[source].items()}
    files = {source: text, f"{program.stem}.h": _with_device(header, program)}
    return replace(made, files=files, claims={source: claims})


def _with_launches(program: LoopProgram) -> tuple[c.Function, list[c.Function]]:
    """Returns the function that launches the kernels, and the kernels."""
    function = program.loops
    values = {array.name for array in program.callers if _is_value(array, program)}
    by_value = {
        p.name: c.Parameter(p.type.to, p.name)
        for p in function.parameters
        if p.name in values and isinstance(p.type, c.Pointer)
    }
    taken = frozenset({p.name for p in program.interface} | {function.name})
    result = fresh("result", taken | c.names_used(function.body or ()))
    kernels = _Kernels(program, taken, by_value, result)
    body = kernels.cut(function.body or (), {p.name: p for p in function.parameters})
    used = c.names_used(body)
    body = tuple(one for one in body if not (isinstance(one, c.Declare) and one.name not in used))
    whole = (c.Declare(c.INT, result, c.ZERO), *body, c.Return(c.Name(result)))
    loops = replace(function, type=c.INT, parameters=(*function.parameters, STREAM), body=whole)
    return loops, kernels.functions


def _in_cpp(function: c.Function) -> c.Function:
    """Returns the function without arrays in expressions, which C++ does not have."""

    def change(part: Part) -> Part | None:
        match part:
            case c.Call("bytes_of", (size, c.Literal(rank), c.Compound(_, c.Init(values)))):
                return c.Call(f"bytes_of_{rank}", (size, *(value for _, value in values)))
        return None

    return rebuilt(function, change)


def _cuda_text(text: str) -> str:
    """Returns the text with the words of CUDA C++."""
    return re.sub(r"\brestrict\b", "__restrict__", text.replace(f'\n#include "{EXTERNALS}"\n', ""))


def _with_device(header: str, program: LoopProgram) -> str:
    """Returns the header with the function for arrays in the memory of the GPU."""
    values = [array.name for array in program.callers if _is_value(array, program)]
    interface = [_unrestricted(parameter) for parameter in (*program.interface, STREAM)]
    declared = file_text(c.File((c.Function(c.INT, f"{program.name}_device_status", tuple(interface)),)))
    comment = "\n".join(comment_lines(_DEVICE.format(values=f", except {', '.join(values)}" if values else "")))
    own = f"#if defined(__CUDACC__) || defined(__DRIVER_TYPES_H__)\n{comment}\n{declared.strip()}\n#endif\n\n"
    before, mark, behind = header.rpartition("#ifdef __cplusplus\n}")
    return f"{before}{own}{mark}{behind}"


_DEVICE = """\
The same for arrays in the memory of the GPU{values}: kernels are launched in the stream, and may not be done when the
function returns. Status 9: a call of the GPU failed. Include cuda_runtime.h before this header."""


def _unrestricted(parameter: c.Parameter) -> c.Parameter:
    type_ = parameter.type
    return replace(parameter, type=replace(type_, restrict=False)) if isinstance(type_, c.Pointer) else parameter


def _passes(nest: TargetNest) -> tuple[Pass[Node], ...]:
    launches = Launches(
        is_parallel=nest.is_parallel,
        role=nest.role,
        meet=nest.meet,
        new_name=nest.new_name,
        kept=nest.kept,
        fills_own=nest.fills_own,
        collected=nest.collected,
        are_sums=nest.are_sums,
    )
    return (launches,)


def _never(_: Node) -> bool:
    return False


_PROBE = "#include <cuda_runtime.h>\nint main() { return 0; }\n"

CUDA_TARGET = Target(
    "cuda",
    passes=_passes,
    forms=LoopForms(loop=_loop, launch=launch, barrier=BARRIER, merge=merged_by_blocks),
    lower=cuda_files,
    modes=frozenset({Sequential, Blocks, Threads, Register}),
    spaces=frozenset({c.AddressSpace.SHARED, c.AddressSpace.REGISTER}),
    without=frozenset({FULL_TILES.name, SEPARATE.name}),
    copies=Launches(_never),
    toolchain=Toolchain(
        language=CUDA,
        commands=("nvcc",),
        variable="NVCC",
        meaning=(),
        exact=("-O3", "-fmad=false"),
        fast=("-O3",),
        warnings=("-Xcompiler", "-Wall,-Wextra"),
        libraries=(),
        probe=_PROBE,
        remedy="install the CUDA toolkit, or the extra `cuda` of alphaz; `alphaz test` needs g++ alone",
    ),
    harness=Harness(is_loadable=False, member="order of threads"),
)
