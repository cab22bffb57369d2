"""Faults in generated code for MPI: one change of a text each, in the functions that communicate or compute."""

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.codegen.mpi_programs import MpiCase, MpiResult, build, expected, run

RANKS = (1, 3, 4)


@dataclass(frozen=True)
class MpiMutant:
    """The kind of a fault, the line where it is, with its number, and the text with the fault."""

    kind: str
    line: str
    number: int
    text: str


# Kinds of faults: the kind, a pattern, and what stands there instead.
_FAULTS = (
    ("message left out", r"start_message\(1, .*?&(?:run->)?count\)", "0"),
    ("receive left out", r"start_message\(0, .*?&(?:run->)?count\)", "0"),
    ("message doubled", r"start_message\(1, .*?&(?:run->)?count\)", r"(\g<0> || \g<0>)"),
    ("tag of messages", r"other, 0, comm, &requests\[\*count\]\)$", "other, 1, comm, &requests[*count])"),
    ("wait left out", r"(?:run->)?count > 0 && MPI_Waitall\(.*?\) != MPI_SUCCESS", "0"),
    ("buffer used again", r"return (\w+_receive\(.*?\));", r"memset(run->out, 0, (size_t)run->out_bytes); return \1;"),
    ("not packed", r"_move(\d?)\((run.*?), 1, (at|run->out)\b", r"_move\1(\2, 0, \3"),
    ("not unpacked", r"_move(\d?)\((run.*?), -1, (at|run->in|run->out)\b", r"_move\1(\2, 0, \3"),
    ("place of a message", r"(run->(?:in|out)) \+ bytes0", r"\1"),
    ("packed at the end", r"memcpy\(buffer \+ \*at, element, bytes\)", "memcpy(buffer + *at, element, bytes - 1)"),
    ("another receiver", r"(other = )0(; other < run->size)", r"\g<1>1\2"),
    ("one receiver less", r"other < run->size;", "other < run->size - 1;"),
    ("broadcast to fewer", r"receivers == size - 1", "receivers > 0"),
    ("root of the broadcast", r"(int root = )(\w+_root\d?\(.*?\));", r"\1(\2 + 1) % size;"),
    ("rows for columns", r"run->line0", "run->line1"),
    ("rows for columns", r"run->line1", "run->line0"),
    ("rows for columns", r"run->rank % columns", "run->rank / columns"),
    ("rows for columns", r"run->rank / columns", "run->rank % columns"),
    ("one line for all", r"has_places \? run->rank . columns", "has_places ? 0"),
    ("ranks without places", r"has_places \?", "1 ?"),
    ("order of a line", r"MPI_Comm_split\(comm, number, rank", "MPI_Comm_split(comm, number, -rank"),
    ("member of a line", r"\(other - run->rank0\) \* run->size1", "(other - run->rank0)"),
    ("member of a line", r"run->rank - run->rank1 \+ other", "run->rank + other"),
    ("combined twice", r"(run->failed = run->failed \|\| )(\w+_combine\(.*?\));", r"\1\2 || \2;"),
    ("not combined", r"run->failed \|\| \w+_combine\(.*?\);", "run->failed;"),
    ("order of operands", r"_step\(from\[at\], to\[at\]\)", "_step(to[at], from[at])"),
    ("operator commutes", r"MPI_Op_create\(combine, 0,", "MPI_Op_create(combine, 1,"),
    ("own terms in a prefix", r"MPI_Exscan\(", "MPI_Scan("),
    ("root of a reduction", r" \? 0 : \(int\)", " ? 0 : 0 * (int)"),
    ("root of a reduction", r"run->rank == root\)", "run->rank != root)"),
    ("no neutral element", r"^    \w+_begin\(.*?\);$", ""),
    ("exchange left out", r"run->failed = \w+_exchange\(.*?\);", "run->failed = 0;"),
    ("messages not started", r"run->failed = \w+_start\(.*?\);", "run->failed = 0;"),
    ("messages not finished", r"run->failed = \w+_finish\(run\);", "run->failed = 0;"),
    ("part left out", r"^    \w+_(?:part|inner|border)\(run.*\);$", ""),
    (
        "border before its messages",
        r"(    run->failed = \w+_finish\(run\);\n    if \(run->failed\) \{\n        return;\n    \}\n)(    .*\n)",
        r"\2\1",
    ),
    ("border", r"(run->\w+) [+-] \d+(?=[,)])", r"\1"),
    ("step of messages", r"run->(step\d) = \1;", r"run->\1 = \1 - 1;"),
    ("buffer used again", r"(run->pending = 0;)", r"\1 memset(run->out, 0, (size_t)run->out_bytes);"),
    ("not pending", r"run->pending = 1", "run->pending = 0"),
    ("pipeline not received", r"if \(\w+_receive\(run(, \w+)*, 0, run->rank, 0\)\)", "if (0)"),
    ("bound", r"(?<=[^<])<(?= )", "<="),
    ("bound", r"<=", "<"),
    ("bound", r"(?<=[\w)]) \+ 1\b(?! <)", ""),
    ("bound", r"(?<=[\w)]) - 1\b", " - 2"),
    ("cell", r"(?<=\w)\[(?=[^\]]*[a-z])", "[1 + "),
    ("condition", r" == ", " != "),
    ("owner", r"% ranks", "% (ranks + 1)"),
)

# The functions that are changed: of the helpers, messages, steps, places and arrays.
_CHANGED = re.compile(
    r"^(?:static |int )[^\n;]*?\b(\w+_(?:loops|message|(?:common|receives|move|root|is_receiver|send)\d?|exchange"
    r"|receive|split|step|start|finish|part|inner|border|begin|combine|totals|prefixes|operator|measure|mpi_places"
    r"|mpi_part|row|mine_\w+|block_\w+_points|allocate_\w+|values)|start_message|make_operator|combine_(?:all|on|lower)"
    r"|move_element|owns|owner_of|own_places|places_of|meets"
    r"|rows_of|line_of|smallest|box_of|line_part|owner_given|are_blocks)"
    r"\(.*?^\}",
    re.DOTALL | re.MULTILINE,
)
# Where no fault is put: comments, and sizes of types.
_SPARED = re.compile(r"/\*.*?\*/|sizeof\(.*?\)", re.DOTALL)


def mutants(text: str) -> Iterator[MpiMutant]:
    """Yields the text with one fault each."""
    spared = [range(*found.span()) for found in _SPARED.finditer(text)]
    for function in _CHANGED.finditer(text):
        for kind, pattern, other in _FAULTS:
            for found in re.finditer(pattern, function[0], re.MULTILINE):
                at, end = function.start() + found.start(), function.start() + found.end()
                if any(at in part for part in spared):
                    continue
                line = text[text.rindex("\n", 0, at) + 1 : text.index("\n", end)].strip()
                changed = text[:at] + found.expand(other) + text[end:]
                yield MpiMutant(kind, f"{function[1]}: {line}", text.count("\n", 0, at) + 1, changed)


def is_found(case: MpiCase, mutant: MpiMutant, ranks: Sequence[int] = RANKS) -> bool:
    """Returns True if an execution on one of the numbers of ranks shows the fault."""
    with TemporaryDirectory(prefix="alphaz-mpi-") as folder:
        try:
            program = build([case], Path(folder), changed=lambda _: mutant.text)
            return any(_differs(case, program, members) for members in ranks)
        except (AssertionError, subprocess.TimeoutExpired):
            return True


def _differs(case: MpiCase, program: Path, ranks: int) -> bool:
    results = zip(case.sizes, run(program, [case], ranks), strict=True)
    return any(not _is_same(case, found, expected(case, size, ranks)) for size, found in results)


def _is_same(case: MpiCase, found: MpiResult, wanted: MpiResult) -> bool:
    same = all(case.agree(found.outputs[name], values) for name, values in wanted.outputs.items())
    return same and (found.messages, found.sent) == (wanted.messages, wanted.sent)
