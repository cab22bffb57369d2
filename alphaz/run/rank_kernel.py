"""A compiled distributed system as a Python function of the blocks of one rank, on a communicator of mpi4py.

The library is compiled by rank 0 and sent to the others, which load it. Every call is collective; arguments that one
rank refuses are refused on all of them before any message is sent.
"""

import ctypes
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.message_words import listing
from alphaz.diagnostics.rules import ARGUMENT, COMPILATION, INPUT_DATA, NO_COMPILER
from alphaz.lazy import lazy_import
from alphaz.mapping.loop_dimensions import TileSize
from alphaz.model.input_values import checked_parameters, input_array, variable_box
from alphaz.model.program import System, Variable
from alphaz.poly.algorithms.bounds import Box
from alphaz.run.compiler import find_compiler
from alphaz.run.kernel import compiler_refusal, failed
from alphaz.run.library import NotCompiled, compiled, open_library

_Prepared = TypeVar("_Prepared")

_REMEDY = "pip install mpi4py mpich, or the extra `mpi` of alphaz"


class RankCommunicator(Protocol):
    """The methods of a communicator of mpi4py that are used."""

    def Get_rank(self) -> int: ...  # noqa: N802 - names of mpi4py
    def Get_size(self) -> int: ...  # noqa: N802
    def bcast(self, obj: object, root: int = 0) -> object: ...
    def allreduce(self, sendobj: object) -> object: ...


@dataclass(frozen=True, slots=True, eq=False)
class ArrayBlock:
    """The block of an array on a rank: the smallest index, and the number of indices, in each dimension."""

    first: tuple[int, ...]
    extent: tuple[int, ...]

    @property
    def box(self) -> Box:
        return Box(self.first, tuple(low + extent - 1 for low, extent in zip(self.first, self.extent, strict=True)))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RankKernel:
    """Computes a distributed system on all ranks of a communicator: `kernel(N=100, A=block)`, with the blocks of the
    rank. All methods except `block` are collective. `tile_sizes`: the values of sizes that are parameters of the code.
    """

    system: System
    comm: RankCommunicator
    library: ctypes.CDLL
    tile_sizes: tuple[int, ...] = ()

    def __repr__(self) -> str:
        """Returns `RankKernel s(N, A) -> B on rank 1 of 4`."""
        arguments = ", ".join((*self.system.parameters, *(v.name for v in self.system.inputs)))
        outputs = ", ".join(v.name for v in self.system.outputs)
        where = f"rank {self.comm.Get_rank()} of {self.comm.Get_size()}"
        return f"RankKernel {self.system.name}({arguments}) -> {outputs} on {where}"

    def __call__(self, **values: object) -> np.ndarray | dict[str, np.ndarray]:
        """Returns this rank's block of the output, or a dict of the blocks by name where there are several outputs.

        Parameters, and this rank's blocks of the inputs, are given by name. Raises Rejected on all ranks.
        """

        def prepared() -> tuple[dict[str, int], list[np.ndarray], dict[str, np.ndarray]]:
            numbers = {name: value for name, value in values.items() if name in self.system.parameters}
            parameters = checked_parameters(self.system, numbers)  # type: ignore[arg-type] # it checks them
            inputs = [self._given(v, values.get(v.name), parameters) for v in self.system.inputs]
            known = {*self.system.parameters, *(v.name for v in self.system.inputs)}
            unknown = sorted({*values} - known)
            if unknown:
                raise Rejected(self._finding(f"`{unknown[0]}` is no parameter and no input", f"give {listing(known)}"))
            return parameters, inputs, {v.name: self._zeros(v, parameters) for v in self.system.outputs}

        parameters, inputs, outputs = self._agreed(prepared)
        self._call("", parameters, [*inputs, *outputs.values()])
        return next(iter(outputs.values())) if len(outputs) == 1 else outputs

    def block(self, name: str, /, **parameters: int) -> ArrayBlock:
        """Returns the block of an input or output on this rank. Raises Rejected."""
        return self._block(self._variable(name), checked_parameters(self.system, parameters))

    def scatter(self, name: str, array: object = None, /, *, root: int = 0, **parameters: int) -> np.ndarray:
        """Returns this rank's block of an input that rank `root` has whole. Raises Rejected on all ranks."""

        def prepared() -> tuple[dict[str, int], np.ndarray | None, np.ndarray]:
            sizes, variable = checked_parameters(self.system, parameters), self._variable(name, is_input=True)
            box = variable_box(variable, sizes)
            whole = input_array(variable, box, array, sizes) if self._is_root(root) else None
            return sizes, whole, self._zeros(variable, sizes)

        sizes, whole, block = self._agreed(prepared)
        self._call(f"_scatter_{identifier(name)}", sizes, [whole, block], root)
        return block

    def gather(self, name: str, block: object, /, *, root: int = 0, **parameters: int) -> np.ndarray | None:
        """Returns the whole output on rank `root`, None on others, of the blocks of all ranks. Raises Rejected on all
        ranks.
        """

        def prepared() -> tuple[dict[str, int], np.ndarray, np.ndarray | None]:
            sizes, variable = checked_parameters(self.system, parameters), self._variable(name, is_input=False)
            mine = self._given(variable, block, sizes)
            shape = variable_box(variable, sizes).shape
            return sizes, mine, np.zeros(shape, dtype=variable.type.numpy) if self._is_root(root) else None

        sizes, mine, whole = self._agreed(prepared)
        self._call(f"_gather_{identifier(name)}", sizes, [mine, whole], root)
        return whole

    # --- arguments --------------------------------------------------------------------------------------------------

    def _agreed(self, prepare: Callable[[], _Prepared]) -> _Prepared:
        """Returns what is prepared, if no rank refuses its arguments. Raises Rejected on all ranks otherwise."""
        try:
            prepared = prepare()
        except Rejected:
            self.comm.allreduce(1)
            raise
        if self.comm.allreduce(0):
            raise Rejected(self._finding("another rank was given arguments that do not fit", "see its message"))
        return prepared

    def _finding(self, message: str, remedy: str | None = None) -> Diagnostic:
        return Diagnostic(INPUT_DATA, message, Label(self.system.span), help=remedy)

    def _variable(self, name: str, is_input: bool | None = None) -> Variable:
        known = [*(self.system.inputs if is_input is not False else ()), *(self.system.outputs if not is_input else ())]
        matching = next((variable for variable in known if variable.name == name), None)
        if matching is None:
            kind = "input or output" if is_input is None else "input" if is_input else "output"
            message = f"there is no {kind} `{name}` in `{self.system.name}`"
            raise Rejected(self._finding(message, f"name {listing(v.name for v in known)}"))
        return matching

    def _is_root(self, root: int) -> bool:
        if not 0 <= root < self.comm.Get_size():
            raise Rejected(self._finding(f"there is no rank {root}: there are {self.comm.Get_size()}"))
        return self.comm.Get_rank() == root

    def _block(self, variable: Variable, parameters: Mapping[str, int]) -> ArrayBlock:
        count = max(variable.domain.space.dimensions, 1)
        first, extent = (ctypes.c_int64 * count)(), (ctypes.c_int64 * count)()
        function = self.library[f"{identifier(self.system.name)}_mpi_block_{identifier(variable.name)}"]
        numbers = self._numbers(parameters)
        rank = ctypes.c_int(self.comm.Get_rank()), ctypes.c_int(self.comm.Get_size())
        function(*numbers, *rank, first, extent)
        dimensions = variable.domain.space.dimensions
        return ArrayBlock(tuple(first[:dimensions]), tuple(max(size, 0) for size in extent[:dimensions]))

    def _numbers(self, parameters: Mapping[str, int]) -> list[ctypes.c_int64]:
        return [ctypes.c_int64(value) for value in (*parameters.values(), *self.tile_sizes)]

    def _given(self, variable: Variable, value: object, parameters: Mapping[str, int]) -> np.ndarray:
        box = self._block(variable, parameters).box
        if value is None:
            message = f"the block of `{variable.name}` is not given"
            raise Rejected(self._finding(message, f"give an array of shape {box.shape}"))
        return input_array(variable, box, value, parameters)

    def _zeros(self, variable: Variable, parameters: Mapping[str, int]) -> np.ndarray:
        return np.zeros(self._block(variable, parameters).extent, dtype=variable.type.numpy)

    # --- calls ------------------------------------------------------------------------------------------------------

    def _call(
        self, verb: str, parameters: Mapping[str, int], arrays: list[np.ndarray | None], root: int | None = None
    ) -> None:
        """Calls a collective function. Raises Rejected(RUN_TIME) if it reports a failure."""
        function = self.library[f"{identifier(self.system.name)}_mpi{verb}"]
        function.restype = ctypes.c_int
        numbers = self._numbers(parameters)
        pointers = [ctypes.c_void_p(None if array is None else array.ctypes.data) for array in arrays]
        roots = [] if root is None else [ctypes.c_int(root)]
        status = function(*numbers, *pointers, *roots, _handle(self.comm))
        if status:
            raise Rejected(failed(self.system, status, parameters))


def compile_ranks(
    comm: object,
    system: System,
    make: Callable[[], Sources],
    include: Path | None = None,
    sizes: Callable[[], Sequence[TileSize]] = tuple,
) -> RankKernel:
    """Returns the code of a distributed system on a communicator of mpi4py. Rank 0 makes and compiles the sources;
    `sizes` are the tile sizes that are parameters.

    Raises Rejected on all ranks: those of `make`, without mpi4py or a compiler (AZ802), for a `comm` that is no
    communicator (AZ402), and for compiled code that does not use the MPI of mpi4py (AZ803).
    """
    known = _communicator(comm)
    outcome: object = None
    if known.Get_rank() == 0:
        try:
            outcome = _content(system, make(), include)
        except Rejected as rejected:
            outcome = rejected.diagnostics
    outcome = known.bcast(outcome)
    if not isinstance(outcome, bytes):
        assert isinstance(outcome, tuple)
        raise Rejected(*outcome)
    library = open_library(outcome)
    started = ctypes.c_int(0)
    library.MPI_Initialized(ctypes.byref(started))
    if not started.value:
        message = "the code is linked with another MPI library than that of mpi4py"
        remedy = "let `mpicc` in PATH (or MPICC) be that of the library that mpi4py loads"
        raise Rejected(Diagnostic(COMPILATION, message, Label(system.span), help=remedy))
    return RankKernel(system, known, library, tuple(size.default for size in sizes()))


def _communicator(comm: object) -> RankCommunicator:
    if importlib.util.find_spec("mpi4py") is None:
        raise Rejected(Diagnostic(NO_COMPILER, "mpi4py is missing", Label(NOWHERE), help=_REMEDY))
    mpi = lazy_import("mpi4py.MPI")
    if not isinstance(comm, mpi.Intracomm) or comm == mpi.COMM_NULL:
        message = f"expected a communicator of mpi4py, such as `MPI.COMM_WORLD`, found {comm!r}"
        raise Rejected(Diagnostic(ARGUMENT, message, Label(NOWHERE)))
    known: RankCommunicator = comm
    return known


def _handle(comm: RankCommunicator) -> ctypes.c_int | ctypes.c_void_p:
    """Returns the handle of a communicator: a number (MPICH) or a pointer (Open MPI)."""
    mpi = lazy_import("mpi4py.MPI")
    address = mpi._addressof(comm)
    if mpi._sizeof(mpi.Comm) == ctypes.sizeof(ctypes.c_int):
        return ctypes.c_int.from_address(address)
    return ctypes.c_void_p.from_address(address)


def _content(system: System, sources: Sources, include: Path | None) -> bytes:
    if sources.harness is None or sources.harness.member != "rank":
        message = f"the code of `{system.name}` has no ranks"
        remedy = "call setDistributed, and setTarget with `mpi`, or leave `comm` out"
        raise Rejected(Diagnostic(ARGUMENT, message, Label(system.span), help=remedy))
    compiler = find_compiler(sources.toolchain)
    try:
        return compiled(sources, compiler, compiler.toolchain.exact, include)
    except NotCompiled as problem:
        raise Rejected(compiler_refusal(system, compiler, problem)) from None
