"""Asynchronous copies of a thread from the memory of a GPU to shared memory, in groups.

__pipeline_memcpy_async(&s[t], &x[i], 8);   // done at some time until a wait for its group
__pipeline_commit();                        // ends a group, which may be empty
__pipeline_wait_prior(1);                   // waits for all groups except the last one

The names of assembly are those of `c.copy_assembly`.

A copy is read as an assignment in its place. That no access to its cells happens before the wait is an obligation.
"""

from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.copy_assembly import COMMIT, COPY, LINE, WAIT, WAIT_ALL
from alphaz.scop.assignments import copy, domain_of
from alphaz.scop.c_model import CopyEvent
from alphaz.scop.index_expressions import known_number
from alphaz.scop.index_polynomials import number, product
from alphaz.scop.intrinsic_calls import check_vector
from alphaz.scop.lvalues import view
from alphaz.scop.reader_state import Existentials, ReaderState
from alphaz.scop.scope import Context
from alphaz.scop.shapes import factors
from alphaz.scop.tree_queries import name_of
from alphaz.scop.unsupported import outside

_SIZES = (4, 8, 16)
_MOST_PENDING = 7


def read_copy_call(state: ReaderState, call: c.Call, nest: Context) -> bool:
    """Reads a call about asynchronous copies; returns False for other calls."""
    name = name_of(call)
    if name in (COPY, LINE, COMMIT, WAIT, WAIT_ALL):
        state.assume("compilers move no access over the assembly of asynchronous copies")
    match name, call.arguments:
        case "__pipeline_memcpy_async" | "copy$" | "line$", (_, _, _):
            _copy(state, call, nest)
        case "__pipeline_commit" | "commit$", ():
            _note(state, call, nest.at(0), None)
        case "__pipeline_wait_prior" | "wait$", (groups,):
            pending = known_number(state, nest, groups)
            if pending is None or not 0 <= pending <= _MOST_PENDING:
                message = f"the number of groups in flight must be a number from 0 to {_MOST_PENDING}"
                raise outside(state.span(groups), message)
            _note(state, call, nest.at(0), pending)
        case "wait_all$", ():
            _note(state, call, nest.at(0), None)
            _note(state, call, nest.at(1), 0)
        case _:
            return False
    return True


def _copy(state: ReaderState, call: c.Call, nest: Context) -> None:
    span, (target, source, size) = state.span(call), call.arguments
    if nest.block is None:
        raise outside(span, "an asynchronous copy is supported in kernels only")
    bytes_ = number(product(factors(state, nest, size)))
    if bytes_ not in _SIZES:
        raise outside(span, "the size of an asynchronous copy must be 4, 8 or 16 bytes")
    if name_of(call) == LINE and bytes_ != _SIZES[-1]:
        raise outside(span, "`cp.async.cg` copies 16 bytes", "write `cp.async.ca`")
    place = view(state, nest, target, Existentials())
    if place is None or bytes_ * 8 % place.array.type.bits:
        raise outside(span, "an asynchronous copy is supported for whole elements of an array in shared memory")
    lanes = c.Literal(str(bytes_ * 8 // place.array.type.bits), at=size.at)
    before = len(state.statements)
    whole = c.Binary("*", lanes, c.SizeOf(c.scalar(place.array.type), at=size.at), at=size.at)
    copy(state, (target, source, whole), nest, span)
    added = state.statements[before:]
    if bytes_ * 8 > place.array.type.bits:
        for address in (target, source):
            check_vector(state, replace(call, arguments=(address, c.Literal(str(bytes_), at=address.at))), nest)
    for one in added:
        if one.target.array.space is not c.AddressSpace.SHARED:
            raise outside(span, "the target of an asynchronous copy must be in shared memory")
        if any(read.array.space is not c.AddressSpace.HOST for read in one.reads):
            raise outside(span, "the source of an asynchronous copy must be in the memory of the GPU")
    state.statements[before:] = [replace(one, copies_bytes=False, is_asynchronous=True) for one in added]


def _note(state: ReaderState, call: c.Call, nest: Context, pending: int | None) -> None:
    """Adds the end of a group, or a wait that leaves so many groups in flight."""
    if nest.block is None:
        raise outside(state.span(call), "asynchronous copies are supported in kernels only")
    domain = domain_of(state, nest).simplify()
    state.copy_events.append(
        CopyEvent(
            launch=nest.block, iterators=nest.iterators, conditions=nest.conditions, domain=domain, date=nest.date,
            pending=pending, span=state.span(call),
        )
    )  # fmt: skip
