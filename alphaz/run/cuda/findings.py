"""Findings of an execution of CUDA: the faulty access, barrier or launch, with threads, cell and lines."""

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Source, Span
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import DEVICE_FAULT
from alphaz.processes.external import run
from alphaz.run.cuda.cpu_program import THE_CALL

_MARK = "alphaz-cuda "
_SECONDS = 60
Index = tuple[int, int, int]


class CudaFault(Enum):
    """The kinds of findings, as the runtime names them."""

    RACE_IN_BLOCK = "race in a block"
    RACE_OF_BLOCKS = "race of blocks"
    RACE_OF_OPERATIONS = "race of operations"
    RACE_WITH_HOST = "race with the host"
    UNWRITTEN = "unwritten"
    PENDING = "pending"
    OUTSIDE = "outside"
    FREED = "freed"
    INDEX = "index"
    MISALIGNED = "misaligned"
    DIVERGENT_BARRIER = "divergent barrier"
    DIFFERENT_BARRIERS = "different barriers"
    MISSING_LANES = "missing lanes"
    DIFFERENT_OPERATIONS = "different operations"
    INACTIVE_LANE = "inactive lane"
    LAUNCH = "launch"
    SHARED_MEMORY = "shared memory"
    HOST_POINTER = "host pointer"
    NULL_POINTER = "null pointer"
    DEVICE_POINTER = "device pointer"
    FOREIGN_LOCAL = "foreign local"
    DIRECTION = "direction"
    DIED = "died"


@dataclass(frozen=True, slots=True)
class FaultPlace:
    """One access or arrival: `what` (read, write, atomic operation, wait, ..), by the thread of a kernel, or by another
    operation that `who` names; `block` and `thread` are None there. `line` is 0 where the text has none.
    """

    what: str
    who: str
    block: Index | None
    thread: Index | None
    file: str
    line: int

    @property
    def actor(self) -> str:
        """Returns `thread (3,0,0) of block (0,0,0)`, or the name of the operation."""
        if self.thread is None or self.block is None:
            return f"`{self.who}`" if self.who and " " not in self.who else self.who
        return f"thread {_text(self.thread)} of block {_text(self.block)}"

    @property
    def at(self) -> str:
        """Returns `, line 12`."""
        return f", line {self.line}" if self.line else ""


@dataclass(frozen=True, slots=True)
class CudaFinding:
    """A fault of a kernel. `cell` is `A[3]` in the words of the text, or empty; `details` are numbers of the kind."""

    fault: CudaFault
    kernel: str
    cell: str
    memory: str
    places: tuple[FaultPlace, ...]
    details: Mapping[str, object]

    @property
    def line(self) -> int:
        """Returns the line of the access or barrier that is at fault; 0 where there is none."""
        return next((place.line for place in reversed(self.places) if place.line), 0)

    @property
    def message(self) -> str:
        """Returns the finding in one phrase."""
        where = f" in kernel `{self.kernel}`" if self.kernel and self.places[-1:] and self.places[-1].block else ""
        return f"{_MESSAGES[self.fault](self)}{where}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Returns a line for each place."""
        return tuple(f"{place.what} by {place.actor}{place.at}" for place in self.places)

    @property
    def help(self) -> str:
        return _REMEDIES[self.fault]

    def __str__(self) -> str:
        return f"{self.message}: {'; '.join(self.notes)}" if self.places else self.message

    def diagnostic(self, source: Source) -> Diagnostic:
        """Returns the finding at its place in the text."""
        labels = [
            Label(_line_span(source, place.line), f"{place.what} by {place.actor}")
            for place in reversed(self.places)
            if place.line and Path(place.file).name == Path(source.name).name
        ]
        labels = labels or [Label(NOWHERE)]
        return Diagnostic(DEVICE_FAULT, self.message, labels[0], tuple(labels[1:]), notes=self.notes, help=self.help)


def first_cause(findings: Sequence[CudaFinding]) -> CudaFinding:
    """Returns the finding from which others may follow: of a launch or a barrier, then of a race, then of an access."""
    return min(findings, key=lambda finding: _CAUSES.index(finding.fault) if finding.fault in _CAUSES else len(_CAUSES))


def findings_of(errors: str, program: Path) -> tuple[CudaFinding, ...]:
    """Returns the findings that a program printed, with lines by its debugging information."""
    records = [json.loads(line[len(_MARK) :]) for line in errors.splitlines() if line.startswith(_MARK)]
    counters = {place["pc"] for record in records for place in record["places"] if place["pc"]}
    lines = _lines(program, sorted(counters))
    return tuple(_finding(record, lines) for record in records)


def other_output(errors: str) -> str:
    """Returns the errors without findings."""
    return "".join(f"{line}\n" for line in errors.splitlines() if not line.startswith(_MARK))


def _finding(record: Mapping[str, object], lines: Mapping[int, tuple[str, int]]) -> CudaFinding:
    details = record["details"]
    places = record["places"]
    assert isinstance(details, dict)
    assert isinstance(places, list)
    return CudaFinding(
        fault=CudaFault(record["kind"]),
        kernel=str(record["kernel"]),
        cell=str(details.get("cell", "")),
        memory=str(details.get("memory", "")),
        places=tuple(_place(place, lines) for place in places),
        details=details,
    )


def _place(place: Mapping[str, object], lines: Mapping[int, tuple[str, int]]) -> FaultPlace:
    file, line = lines.get(_integer(place["pc"]), ("", 0))
    return FaultPlace(
        what=str(place["what"]),
        who=str(place["who"]),
        block=_index(place.get("block")),
        thread=_index(place.get("thread")),
        file=file,
        line=line,
    )


def _integer(value: object) -> int:
    assert isinstance(value, int)
    return value


def _index(value: object) -> Index | None:
    if not isinstance(value, list):
        return None
    x, y, z = value
    return x, y, z


def _lines(program: Path, counters: Sequence[int]) -> dict[int, tuple[str, int]]:
    """Returns file and line of the calls that return to these addresses."""
    if not counters:
        return {}
    with tempfile.TemporaryDirectory(prefix="alphaz-cuda-") as folder:
        command = ("addr2line", "-e", str(program.resolve()), *(hex(counter - 1) for counter in counters))
        outcome = run(command, Path(folder), _SECONDS)
    if not outcome.succeeded:
        return {}
    return {c: _parsed(line) for c, line in zip(counters, outcome.output.splitlines(), strict=False)}


def _parsed(line: str) -> tuple[str, int]:
    """Reads `/folder/k.cu:12 (discriminator 1)`."""
    file, _, number = line.partition(" (")[0].rpartition(":")
    is_known = number.isdigit() and not file.endswith(THE_CALL)
    return (file, int(number)) if is_known else ("", 0)


def _text(index: Index) -> str:
    return f"({','.join(map(str, index))})"


def _line_span(source: Source, number: int) -> Span:
    text = source.line(number)
    start = len(text) - len(text.lstrip()) + 1
    begin = source.word_at(number, start).start
    return Span(source, begin, begin + len(text.strip()))


def _number(finding: CudaFinding, name: str) -> int:
    return _integer(finding.details[name])


def _race(scope: str) -> Callable[[CudaFinding], str]:
    return lambda finding: f"data race on `{finding.cell}` between {scope}"


def _outside(finding: CudaFinding) -> str:
    what, memory = finding.places[0].what, finding.memory or "any"
    if not finding.cell:
        return f"{what} outside of all arrays"
    elements = count_text(_number(finding, "elements"), "element")
    return f"{what} of `{finding.cell}` outside of {memory} array `{finding.details['array']}`, which has {elements}"


def _launch(finding: CudaFinding) -> str:
    why = finding.details["why"]
    if why == "shared":
        asked, limit = _number(finding, "bytes"), _number(finding, "limit")
        return f"launch of `{finding.kernel}` with {asked} bytes of dynamic shared memory, and the limit is {limit}"
    grid, threads = (_text_of(finding, name) for name in ("grid", "threads"))
    reason = "a block has 1 to 1024 threads, at most 64 in z"
    if why == "blocks":
        reason = "a grid has at least one block, and at most 65535 in y and z"
    return f"launch of `{finding.kernel}` with grid {grid} and blocks of {threads} threads: {reason}"


def _text_of(finding: CudaFinding, name: str) -> str:
    index = _index(finding.details[name])
    assert index is not None
    return _text(index)


def _lanes(finding: CudaFinding) -> str:
    missing = _number(finding, "missing")
    lanes = [lane for lane in range(32) if missing >> lane & 1]
    names = f"lane{'s' if len(lanes) > 1 else ''} {', '.join(map(str, lanes))}"
    verb = "takes" if len(lanes) == 1 else "take"
    return f"{names} of mask {_number(finding, 'mask'):#010x} {verb} no part in an operation of the warp"


def _barrier(finding: CudaFinding) -> str:
    arrived, threads = _number(finding, "arrived"), _number(finding, "threads")
    return f"only {arrived} of the {threads} threads of a block reach a barrier"


def _shared(finding: CudaFinding) -> str:
    limit = _number(finding, "limit")
    return f"the block has {_number(finding, 'bytes')} bytes of shared memory, and the limit is {limit}"


def _plain(text: str) -> Callable[[CudaFinding], str]:
    return lambda finding: text


_MESSAGES: Mapping[CudaFault, Callable[[CudaFinding], str]] = {
    CudaFault.RACE_IN_BLOCK: _race("threads of a block"),
    CudaFault.RACE_OF_BLOCKS: _race("blocks of a launch"),
    CudaFault.RACE_OF_OPERATIONS: _race("operations without an order"),
    CudaFault.RACE_WITH_HOST: _plain("the host uses memory of an asynchronous copy before its end"),
    CudaFault.UNWRITTEN: lambda f: f"read of `{f.cell}` in {f.memory} memory, which nothing wrote",
    CudaFault.PENDING: lambda f: f"`{f.cell}` is used before the wait for its asynchronous copy",
    CudaFault.OUTSIDE: _outside,
    CudaFault.FREED: lambda f: f"`{f.cell}` is used after `cudaFree`",
    CudaFault.INDEX: lambda f: f"index {f.details['index']} is outside of an array of type {f.details['type']}",
    CudaFault.MISALIGNED: lambda f: f"the address is no multiple of the {f.details['bytes']} bytes of the access",
    CudaFault.DIVERGENT_BARRIER: _barrier,
    CudaFault.DIFFERENT_BARRIERS: _plain("threads of a block wait at different barriers"),
    CudaFault.MISSING_LANES: _lanes,
    CudaFault.DIFFERENT_OPERATIONS: _plain("lanes of one mask execute different operations of the warp"),
    CudaFault.INACTIVE_LANE: lambda f: f"shuffle reads from lane {f.details['lane']}, which takes no part in it",
    CudaFault.LAUNCH: _launch,
    CudaFault.SHARED_MEMORY: _shared,
    CudaFault.HOST_POINTER: _plain("memory of the host is used in a kernel"),
    CudaFault.NULL_POINTER: _plain("a null pointer is used"),
    CudaFault.DEVICE_POINTER: lambda f: f"`{f.cell}` in memory of the device is used on the host",
    CudaFault.FOREIGN_LOCAL: _plain("a local variable of another thread is used"),
    CudaFault.DIRECTION: _plain("the pointers do not fit the direction of the copy"),
    CudaFault.DIED: _plain("the program died at an access to memory that does not exist"),
}  # fmt: skip
# An access to a cell that nothing wrote follows from most of the other faults.
_CAUSES = tuple(
    fault for part in (("LAUNCH", "SHARED"), ("DIVERGENT", "DIFFERENT", "MISSING"), ("PENDING", "RACE"), ("OUTSIDE",))
    for fault in CudaFault if fault.name.startswith(part)
)  # fmt: skip
_SYNCHRONISE = "synchronise the streams by an event, or the host by `cudaStreamSynchronize`"
_REMEDIES: Mapping[CudaFault, str] = {
    CudaFault.RACE_IN_BLOCK: "separate the accesses by `__syncthreads()`, or by `__syncwarp()` inside of a warp",
    CudaFault.RACE_OF_BLOCKS: "use an atomic operation, another array, or two launches: blocks have no order",
    CudaFault.RACE_OF_OPERATIONS: _SYNCHRONISE,
    CudaFault.RACE_WITH_HOST: _SYNCHRONISE,
    CudaFault.UNWRITTEN: "write the cell first; edges of tiles need a value too",
    CudaFault.PENDING: "wait for this stage (`__pipeline_wait_prior`), then for the block (`__syncthreads`)",
    CudaFault.OUTSIDE: "guard the access, or enlarge the array",
    CudaFault.FREED: "free the array after its last use",
    CudaFault.INDEX: "guard the access, or enlarge the array",
    CudaFault.MISALIGNED: "use wide accesses only where the index is a multiple of their width",
    CudaFault.DIVERGENT_BARRIER: "move the barrier out of the condition, and in front of returns",
    CudaFault.DIFFERENT_BARRIERS: "use one barrier that all threads reach",
    CudaFault.MISSING_LANES: "let all lanes of the mask execute the operation, or name only those that do",
    CudaFault.DIFFERENT_OPERATIONS: "let all lanes of the mask execute the same operation",
    CudaFault.INACTIVE_LANE: "let all lanes take part: give those without work a neutral value",
    CudaFault.LAUNCH: "correct the configuration; guard launches of empty grids",
    CudaFault.SHARED_MEMORY: "use dynamic shared memory with `cudaFuncSetAttribute`, or smaller tiles",
    CudaFault.HOST_POINTER: "pass memory of `cudaMalloc`, and copy the values",
    CudaFault.NULL_POINTER: "pass memory of `cudaMalloc`",
    CudaFault.DEVICE_POINTER: "copy the values to the host by `cudaMemcpy`",
    CudaFault.FOREIGN_LOCAL: "exchange values through shared memory, or by shuffles",
    CudaFault.DIRECTION: "exchange the pointers, or correct the direction",
    CudaFault.DIED: "guard the access",
}
