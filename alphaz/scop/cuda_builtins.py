"""The words of CUDA in functions of a GPU as those of C.

threadIdx.x                  a name that no text can declare
int i = threadIdx.x - 1;     int i = threadIdx.x.int - 1; (a name of a signed number)
(int64_t)threadIdx.x         (int64_t)threadIdx.x.int
__ldg(p)                     *p
atomicAdd(p, x);             #pragma omp atomic
                             *p += x;
"""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.cuda_preparation import is_device
from alphaz.c.walk import Part, nodes, rebuilt
from alphaz.diagnostics import Source
from alphaz.model.types import INT, LONG
from alphaz.scop.tree_queries import assigned, scalar_type
from alphaz.scop.unsupported import outside, span_of

THREAD, BLOCK, BLOCK_SIZE, GRID_SIZE = "threadIdx", "blockIdx", "blockDim", "gridDim"
_VARIABLES = frozenset({THREAD, BLOCK, BLOCK_SIZE, GRID_SIZE})
_WARP = ("warpSize", "32")
SIGNED = ".int"
MOST_BLOCKS = 65_535
"""The blocks of a grid in y and in z."""
DIMENSIONS = ("x", "y", "z")


def without_cuda_builtins(source: Source, function: c.Function) -> c.Function:
    """Returns a function of a GPU in words of C; other functions unchanged. Raises Rejected for a variable with the
    name of a built-in one."""
    if function.body is None or not is_device(function.qualifiers):
        return function
    for node in (*nodes(function.body, (c.Declare, c.Parameter)), *function.parameters):
        if node.name in {*_VARIABLES, _WARP[0]}:
            raise outside(span_of(source, node), f"`{node.name}` is a built-in variable of CUDA", "rename it")
    return _with_own_parameters(rebuilt(rebuilt(function, _named), _signed))


def _with_own_parameters(function: c.Function) -> c.Function:
    """Returns a function that changes no parameter: it copies those that it changes to variables."""
    assert function.body is not None
    changed = assigned(function.body)
    copies, parameters, body = list[c.Statement](), list[c.Parameter](), function.body
    for parameter in function.parameters:
        if parameter.name not in changed or scalar_type(parameter.type) is None:
            parameters.append(parameter)
            continue
        own = f"{parameter.name}$"
        parameters.append(replace(parameter, name=own))
        copies.append(c.Declare(parameter.type, parameter.name, c.Name(own, at=parameter.at), at=parameter.at))
    return replace(function, parameters=tuple(parameters), body=(*copies, *body))


def is_built_in(name: str) -> bool:
    """Returns True for a name that `without_cuda_builtins` gives."""
    return name.partition(".")[0] in _VARIABLES


def _named(part: Part) -> Part | None:
    match part:
        case c.Member(c.Name(variable), dimension, False) if variable in _VARIABLES and dimension in DIMENSIONS:
            return c.Name(f"{variable}.{dimension}", at=part.at)
        case c.Call("__ldg", (place,)):
            return rebuilt(_target(place), _named)
        case c.Evaluate(c.Call("atomicAdd", (place, added))):
            update = c.Assign(rebuilt(_target(place), _named), rebuilt(added, _named), "+=", at=part.at)
            return c.Omp("atomic", (), (update,), at=part.at)
        case c.Name(name) if name == _WARP[0]:
            return c.Literal(_WARP[1], at=part.at)
    return None


def _target(place: c.Expression) -> c.Expression:
    match place:
        case c.Unary("&", target):
            return target
    return c.Unary("*", place, at=place.at)


def _signed(part: Part) -> Part | None:
    """Returns the declaration of an `int` by sums and products with signed built-in variables: that is the same value
    modulo 2^32, and needs no unsigned number below 0. A built-in variable is below 2^31, so that its conversion to a
    signed type keeps its value."""
    match part:
        case c.Cast(type_, c.Name(name), is_implicit) if is_built_in(name) and scalar_type(type_) in (INT, LONG):
            return c.Cast(type_, c.Name(f"{name}{SIGNED}", at=part.at), is_implicit, at=part.at)
        case c.Declare(value=c.Binary() as value) if scalar_type(part.type) == INT and all(
            map(_is_of_ring, _parts(value))
        ):
            return c.Declare(part.type, part.name, rebuilt(value, _as_int), part.storage, part.space, at=part.at)
    return None


def _parts(value: c.Expression) -> Iterator[c.Node]:
    return iter(nodes(value, c.Node))


def _is_of_ring(node: c.Node) -> bool:
    match node:
        case c.Binary(operator) | c.Unary(operator):
            return operator in ("+", "-", "*")
    return isinstance(node, c.Name | c.Literal)


def _as_int(part: Part) -> Part | None:
    if isinstance(part, c.Name) and is_built_in(part.name):
        return c.Name(f"{part.name}{SIGNED}", at=part.at)
    return None
