"""MPI: one process for each rank, with arrays for the values of the rank alone. This module alone calls MPI.

In each step a rank receives pipelined messages, computes, packs, sends and receives. Sender and receiver call one
function, `<name>_message`, to count, pack and unpack: count, order and tag agree. The communicator is a copy of the
caller's, errors are returned, and nothing is kept between calls.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.printer import comment_lines, expression_text, file_text, statements_text
from alphaz.c.walk import Part, rebuilt
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.frame import source_file
from alphaz.codegen.c.integers import integer
from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.rank_program import ExchangedArray, RankProgram
from alphaz.codegen.targets.target import Target
from alphaz.codegen.toolchain import Harness, Language, Toolchain
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import NOT_YET

MPI_LANGUAGE = Language("C with MPI", ".c")

_PROBE = """\
#include <mpi.h>
int main(int argc, char **argv) {
    int size;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS || MPI_Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS) return 1;
    return MPI_Finalize() == MPI_SUCCESS ? 0 : 1;
}
"""

_LARGEST = "((int64_t)1 << 30)"
"""The bytes of a message of MPI; longer ones are sent in pieces, since counts are int."""

_HELPERS = f"""\
static inline void move_element(int direction, unsigned char *buffer, int64_t *at, void *element, size_t bytes)
{{
    if (direction > 0) {{
        memcpy(buffer + *at, element, bytes);
    }} else if (direction < 0) {{
        memcpy(element, buffer + *at, bytes);
    }}
    *at += (int64_t)bytes;
}}

static int pieces_of(int64_t bytes) {{ return (int)((bytes + {_LARGEST} - 1) / {_LARGEST}); }}

/* Starts to send (or to receive) a message, in pieces; adds their number to `count`. */
static int start_message(int sends, unsigned char *buffer, int64_t bytes, int other, MPI_Comm comm,
                         MPI_Request *requests, int *count)
{{
    while (bytes > 0) {{
        const int part = (int)(bytes < {_LARGEST} ? bytes : {_LARGEST});
        const int failed = sends ? MPI_Isend(buffer, part, MPI_BYTE, other, 0, comm, &requests[*count])
                                 : MPI_Irecv(buffer, part, MPI_BYTE, other, 0, comm, &requests[*count]);
        if (failed != MPI_SUCCESS) {{
            return 1;
        }}
        *count += 1;
        buffer += part;
        bytes -= part;
    }}
    return 0;
}}

/* The places of a rank, when they are shared out evenly. */
static void places_of(int64_t first, int64_t behind, int rank, int size, int64_t *low, int64_t *high)
{{
    const int64_t count = behind > first ? behind - first : 0;
    const int64_t share = count / size, more = count % size;
    *low = first + share * rank + (rank < more ? rank : more);
    *high = *low + share + (rank < more ? 1 : 0);
}}

static int64_t largest(int64_t one, int64_t other) {{ return one > other ? one : other; }}

/* The largest status of all ranks, or 9. */
static int agreed(int status, MPI_Comm comm)
{{
    int all = 0;
    return MPI_Allreduce(&status, &all, 1, MPI_INT, MPI_MAX, comm) == MPI_SUCCESS ? all : 9;
}}
"""


def mpi_files(program: RankProgram) -> Sources:
    """Returns the source and the header."""
    text = "\n".join((_INCLUDES, "", _HELPERS))
    parts = _Parts(program)
    _check_names(program)
    functions: list[c.Function | c.Opaque] = [c.Opaque(text), program.loops, program.message]
    functions += [function for one in program.exchanged for function in (one.of_whole, one.of_block)]
    functions += [c.Opaque(text) for text in parts.texts()]
    comment = f"{program.comment}\nFor ranks of MPI; {_WAY[program.is_pipeline]}"
    source = source_file(program.stem, comment, program.program, functions, program.types)
    return Sources({f"{program.stem}.c": source, f"{program.stem}.h": parts.header()})


_INCLUDES = "#include <string.h>"

_WORDS = """
rank size first behind extent run direction buffer at other comm caller requests count bytes part pieces mine all block
root status failed in out in_bytes out_bytes from to received sent visit begin end move_element pieces_of start_message
places_of largest agreed
"""
_OWN = frozenset(_WORDS.split())
"""The names of the driver's variables, which parameters and arrays cannot have."""


def _check_names(program: RankProgram) -> None:
    """Raises Rejected(NOT_YET) for names of the program that the driver uses itself."""
    names = [*map(identifier, program.parameters), *(one.name for one in program.exchanged)]
    clash = next((name for name in (*names, *(array.name for array in program.local)) if name in _OWN), None)
    if clash is not None:
        message = f"code for MPI uses the name `{clash}` itself"
        system = program.program.system(program.system)
        raise Rejected(
            Diagnostic(NOT_YET, message, Label(system.span), help="give the parameter or variable another name")
        )


_WAY = {
    False: "values that other ranks read are exchanged at the end of each step.",
    True: "a rank receives the values of lower ranks before it computes a step: a pipeline.",
}


_MoveCall = Callable[[c.Function, str, str, str], str]
"""Returns the call of a function that moves values: the function, its array, the direction, the buffer."""


class _Parts:
    """The texts of the driver."""

    def __init__(self, program: RankProgram) -> None:
        self.program = program
        self.name = program.name
        self.parameters = [identifier(p) for p in program.parameters]
        self.steps = [identifier(s) for s in program.names.steps]
        self.run_arrays = [*(one.block for one in program.exchanged), *program.local]

    @property
    def declared(self) -> str:
        """Returns `int64_t N, ` for the parameters of the system."""
        return "".join(f"int64_t {p}, " for p in self.parameters)

    @property
    def given(self) -> str:
        return "".join(f"{p}, " for p in self.parameters)

    def texts(self) -> Iterator[str]:
        yield self._first()
        yield self._run()
        yield self._message()
        yield self._steps()
        for one in self.program.exchanged:
            yield self._block(one)
            yield self._moved(one)
        yield self._local_sizes()
        yield self._entry()
        yield self._whole_entry()

    # --- places -----------------------------------------------------------------------------------------------------

    def _first(self) -> str:
        from_ = expression(self.program.first)
        to = expression(self.program.behind)
        silent = "".join(f"    (void){p};\n" for p in self.parameters)
        return f"""\
int {self.name}_mpi_places({self.declared}int rank, int size, int64_t *first, int64_t *behind)
{{
{silent}    places_of({from_}, {to}, rank, size, first, behind);
    return 0;
}}
"""

    def _run(self) -> str:
        arrays = "".join(f"    {pointer(array)}{array.name};\n" for array in self.run_arrays)
        numbers = "".join(f"    int64_t {p};\n" for p in self.parameters)
        low, high = self.program.names.low, self.program.names.high
        return f"""\
/* One call on one rank. */
struct {self.name}_run {{
{numbers}    int64_t {low}, {high};
{arrays}    int rank, size, status, failed;
    MPI_Comm comm;
    MPI_Request *requests;
    unsigned char *in, *out;
    int64_t in_bytes, out_bytes, pieces;
}};
"""

    # --- steps ------------------------------------------------------------------------------------------------------

    def _message(self) -> str:
        names = self.program.names
        known = {p: f"run->{p}" for p in (*self.parameters, names.low, names.high)}
        known |= {array.name: f"run->{array.name}" for array in self.run_arrays}
        known |= {"direction": "direction", "buffer": "buffer"}
        steps = "".join(f", int64_t {s}" for s in self.steps)
        arguments = ", ".join(known.get(p.name, p.name) for p in self.program.message.parameters)
        used = {p.name for p in self.program.message.parameters}
        ends = ((names.from_low, names.from_high, "from"), (names.to_low, names.to_high, "to"))
        numbers = "".join(f"run->{p}, " for p in self.parameters)
        places = "".join(
            f"    int64_t {low}, {high};\n    {self.name}_mpi_places({numbers}{rank}, run->size, &{low}, &{high});\n"
            for low, high, rank in ends
        )
        silent = "".join(
            f"    (void){s};\n"
            for s in (*self.steps, *(n for low, high, _ in ends for n in (low, high)))
            if s not in used
        )
        return f"""\
/* Counts (direction 0), packs (1) or unpacks (-1) the message of a step from one rank to another. */
static int64_t {self.name}_move(struct {self.name}_run *run{steps}, int from, int to, int direction,
                                unsigned char *buffer)
{{
{places}{silent}    return {self.program.message.name}({arguments});
}}
"""

    def _steps(self) -> str:
        name, program = self.name, self.program
        steps = "".join(f", int64_t {s}" for s in self.steps)
        given = "".join(f", {s}" for s in self.steps)
        known = {p: f"run->{p}" for p in (*self.parameters, program.names.low, program.names.high)}
        known |= {array.name: f"run->{array.name}" for array in self.run_arrays}
        known["status"] = "&run->status"
        loops = ", ".join(known.get(p.name, p.name) for p in program.loops.parameters)
        early = (
            f"""\
    if ({name}_receive(run{given}, 0, run->rank, 0)) {{
        run->failed = 1;
        return;
    }}
"""
            if program.is_pipeline
            else ""
        )
        late = "run->rank + 1" if program.is_pipeline else "0"
        return f"""\
/* The largest messages of a step, in both directions. */
static void {name}_measure(struct {name}_run *run{steps})
{{
    int64_t in = 0, out = 0, pieces = 0;
    for (int other = 0; other < run->size; other++) {{
        if (other != run->rank) {{
            const int64_t received = {name}_move(run{given}, other, run->rank, 0, NULL);
            const int64_t sent = {name}_move(run{given}, run->rank, other, 0, NULL);
            in += received;
            out += sent;
            pieces += pieces_of(received) + pieces_of(sent);
        }}
    }}
    run->in_bytes = largest(run->in_bytes, in);
    run->out_bytes = largest(run->out_bytes, out);
    run->pieces = largest(run->pieces, pieces);
}}

/* Receives the messages of ranks `[begin, end)`, while requests `[0, count)` are under way; waits for all. */
static int {name}_receive(struct {name}_run *run{steps}, int begin, int end, int count)
{{
    unsigned char *at = run->in;
    for (int other = begin; other < end; other++) {{
        if (other != run->rank) {{
            const int64_t bytes = {name}_move(run{given}, other, run->rank, 0, NULL);
            if (start_message(0, at, bytes, other, run->comm, run->requests, &count)) {{
                return 1;
            }}
            at += bytes;
        }}
    }}
    if (count > 0 && MPI_Waitall(count, run->requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS) {{
        return 1;
    }}
    at = run->in;
    for (int other = begin; other < end; other++) {{
        if (other != run->rank) {{
            at += {name}_move(run{given}, other, run->rank, -1, at);
        }}
    }}
    return 0;
}}

static void {name}_step(struct {name}_run *run{steps})
{{
    if (run->failed) {{
        return;
    }}
{early}    {program.loops.name}({loops});
    unsigned char *at = run->out;
    int count = 0;
    for (int other = 0; other < run->size; other++) {{
        if (other != run->rank) {{
            const int64_t bytes = {name}_move(run{given}, run->rank, other, 1, at);
            if (start_message(1, at, bytes, other, run->comm, run->requests, &count)) {{
                run->failed = 1;
                return;
            }}
            at += bytes;
        }}
    }}
    run->failed = {name}_receive(run{given}, {late}, run->size, count);
}}

static void {name}_all(struct {name}_run *run, void (*visit)(struct {name}_run *run{steps}))
{{
{self._parameter_declarations()}{statements(self._visiting())}}}
"""

    def _parameter_declarations(self) -> str:
        used = c.names_used(self.program.steps)
        return "".join(f"    const int64_t {p} = run->{p};\n" for p in self.parameters if p in used)

    def _visiting(self) -> Iterator[c.Statement]:
        """Yields the loops over all steps, with calls of the function that visits them."""

        def visit(part: Part) -> Part | None:
            if isinstance(part, c.Call) and part.function == self.program.step_call:
                return c.Call("visit", (c.Name("run"), *part.arguments))
            return None

        yield from (rebuilt(statement, visit) for statement in self.program.steps)

    # --- arrays -----------------------------------------------------------------------------------------------------

    @staticmethod
    def _box(array: FlatArray, text: str) -> str:
        """Returns the declarations of constants of an array that a text uses."""
        kept: list[c.Declare] = []
        for declared in reversed(array.constants):
            if re.search(rf"\b{declared.name}\b", text + statements(kept)):
                kept.insert(0, declared)
        return statements(kept)

    def _places_of(self) -> str:
        low, high = self.program.names.low, self.program.names.high
        return (
            f"    int64_t {low}, {high};\n    {self.name}_mpi_places({self.given}rank, size, &{low}, &{high});\n"
            f"    (void){low};\n    (void){high};\n"
        )

    def _block(self, one: ExchangedArray) -> str:
        rank = range(one.block.rank)
        lower = "".join(f"    first[{at}] = {expression(integer(one.block.lower[at]))};\n" for at in rank)
        extents = "".join(f"    extent[{at}] = {expression(integer(one.block.extents[at]))};\n" for at in rank)
        silent = "" if one.block.rank else "    (void)first;\n    (void)extent;\n"
        return f"""\
int {self.name}_mpi_block_{one.name}({self.declared}int rank, int size, int64_t *first, int64_t *extent)
{{
{self._places_of()}{self._box(one.block, lower + extents)}{silent}{lower}{extents}    return 0;
}}
"""

    def _moved(self, one: ExchangedArray) -> str:
        """Returns scatter for an input, gather for an output."""
        name, verb = self.name, "scatter" if one.is_input else "gather"
        low, high = self.program.names.low, self.program.names.high
        root_side, rank_side = one.of_whole, one.of_block

        def call(function: c.Function, array: str, direction: str, buffer: str) -> str:
            known = {one.whole.name: array, "direction": direction, "buffer": buffer}
            return f"{function.name}({', '.join(known.get(p.name, p.name) for p in function.parameters)})"

        type_ = f"{one.whole.type.c_name} *"
        source, target = (
            (f"const {type_}{one.name}", f"{type_}block")
            if one.is_input
            else (f"const {type_}block", f"{type_}{one.name}")
        )
        whole_cast, block_cast = f"({type_}){one.name}", f"({type_})block"
        return f"""\
int {name}_mpi_{verb}_{one.name}({self.declared}{source}, {target}, int root, MPI_Comm caller)
{{
    MPI_Comm comm;
    int rank, size;
    if (MPI_Comm_dup(caller, &comm) != MPI_SUCCESS) {{
        return 9;
    }}
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int64_t {low}, {high}, bytes = 0, pieces = 0;
    {name}_mpi_places({self.given}rank, size, &{low}, &{high});
    (void){low};
    (void){high};
    const int64_t mine = {call(rank_side, block_cast, "0", "NULL")};
    for (int other = 0; rank == root && other < size; other++) {{
        {name}_mpi_places({self.given}other, size, &{low}, &{high});
        const int64_t part = {call(root_side, whole_cast, "0", "NULL")};
        bytes += part;
        pieces += pieces_of(part);
    }}
    pieces += pieces_of(mine);
    unsigned char *buffer = malloc((size_t)largest(mine, 1)), *all = malloc((size_t)largest(bytes, 1));
    MPI_Request *requests = malloc((size_t)largest(pieces, 1) * sizeof *requests);
    int status = agreed(buffer == NULL || all == NULL || requests == NULL ? 3 : 0, comm), count = 0;
    if (status == 0) {{
        unsigned char *at = all;
        {name}_mpi_places({self.given}rank, size, &{low}, &{high});
{self._rank_begin(one, call, rank_side, block_cast)}
        for (int other = 0; rank == root && other < size && status == 0; other++) {{
            {name}_mpi_places({self.given}other, size, &{low}, &{high});
            const int64_t part = {call(root_side, whole_cast, str(int(one.is_input)), "at")};
            status = start_message({int(one.is_input)}, at, part, other, comm, requests, &count) ? 9 : status;
            at += part;
        }}
        if (status == 0 && count > 0 && MPI_Waitall(count, requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS) {{
            status = 9;
        }}
{self._moved_end(one, call, root_side, rank_side, whole_cast, block_cast)}
        status = agreed(status, comm);
    }}
    free(requests);
    free(all);
    free(buffer);
    MPI_Comm_free(&comm);
    return status;
}}
"""

    def _rank_begin(self, one: ExchangedArray, call: _MoveCall, side: c.Function, block: str) -> str:
        pack = "" if one.is_input else f"        {call(side, block, '1', 'buffer')};\n"
        sends = int(not one.is_input)
        return f"{pack}        status = start_message({sends}, buffer, mine, root, comm, requests, &count) ? 9 : 0;"

    def _moved_end(
        self, one: ExchangedArray, call: _MoveCall, root_side: c.Function, rank_side: c.Function, whole: str, block: str
    ) -> str:
        low, high = self.program.names.low, self.program.names.high
        if one.is_input:
            return f"""\
        if (status == 0) {{
            {self.name}_mpi_places({self.given}rank, size, &{low}, &{high});
            {call(rank_side, block, "-1", "buffer")};
        }}"""
        return f"""\
        at = all;
        for (int other = 0; rank == root && other < size && status == 0; other++) {{
            {self.name}_mpi_places({self.given}other, size, &{low}, &{high});
            at += {call(root_side, whole, "-1", "at")};
        }}"""

    def _local_sizes(self) -> str:
        """Returns functions that allocate the arrays of a rank."""
        parts = []
        for array in self.run_arrays:
            type_ = array.type.c_name
            size = f"bytes_of(sizeof({type_}), {array.rank}, {expression(array.extents_code)})"
            parts.append(f"""\
static {type_} *{self.name}_allocate_{array.name}({self.declared}int rank, int size)
{{
{self._places_of()}{self._box(array, size)}    const int64_t bytes = {size};
    return bytes < 0 ? NULL : malloc((size_t)largest(bytes, 1));
}}
""")
        return "\n".join(parts)

    # --- entries ----------------------------------------------------------------------------------------------------

    def _interface(self) -> str:
        arrays = "".join(
            f"{'const ' if one.is_input else ''}{one.whole.type.c_name} *{one.name}, " for one in self.program.exchanged
        )
        return f"{self.declared}{arrays}"

    def _entry(self) -> str:
        name, program = self.name, self.program
        low, high = program.names.low, program.names.high
        numbers = "".join(f"    run.{p} = {p};\n" for p in self.parameters)
        given = "".join(
            f"    run.{one.block.name} = {'(' + one.whole.type.c_name + ' *)' if one.is_input else ''}{one.name};\n"
            for one in program.exchanged
        )
        made = "".join(
            f"    run.{a.name} = {name}_allocate_{a.name}({self.given}run.rank, run.size);\n" for a in program.local
        )
        lacking = " || ".join(
            [f"run.{a.name} == NULL" for a in program.local]
            + ["run.in == NULL", "run.out == NULL", "run.requests == NULL"]
        )
        freed = "".join(f"    free(run.{a.name});\n" for a in reversed(program.local))
        return f"""\
int {name}_mpi({self._interface()}MPI_Comm caller)
{{
{statements(program.checks)}    struct {name}_run run;
    memset(&run, 0, sizeof run);
    if (MPI_Comm_dup(caller, &run.comm) != MPI_SUCCESS) {{
        return 9;
    }}
    MPI_Comm_set_errhandler(run.comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(run.comm, &run.rank);
    MPI_Comm_size(run.comm, &run.size);
{numbers}{given}    {name}_mpi_places({self.given}run.rank, run.size, &run.{low}, &run.{high});
    {name}_all(&run, {name}_measure);
{made}    run.in = malloc((size_t)largest(run.in_bytes, 1));
    run.out = malloc((size_t)largest(run.out_bytes, 1));
    run.requests = malloc((size_t)largest(run.pieces, 1) * sizeof *run.requests);
    int status = agreed({lacking} ? 3 : 0, run.comm);
    if (status == 0) {{
        {name}_all(&run, {name}_step);
        status = run.failed ? 9 : agreed(run.status, run.comm);
    }}
    free(run.requests);
    free(run.out);
    free(run.in);
{freed}    MPI_Comm_free(&run.comm);
    return status;
}}
"""

    def _whole_entry(self) -> str:
        name, program = self.name, self.program
        made = "".join(
            f"    {one.whole.type.c_name} *my_{one.name} = {name}_allocate_{one.block.name}({self.given}rank, size);\n"
            for one in program.exchanged
        )
        lacking = " || ".join(f"my_{one.name} == NULL" for one in program.exchanged) or "0"
        scattered = "".join(
            self._next(f"scatter_{one.name}", f"{one.name}, my_{one.name}, 0, ")
            for one in program.exchanged
            if one.is_input
        )
        gathered = "".join(
            self._next(f"gather_{one.name}", f"my_{one.name}, {one.name}, 0, ")
            for one in program.exchanged
            if not one.is_input
        )
        arrays = "".join(f"my_{one.name}, " for one in program.exchanged)
        computed = self._next("", arrays)
        freed = "".join(f"    free(my_{one.name});\n" for one in reversed(program.exchanged))
        parameters = ", ".join(declaration(p) for p in program.interface)
        arguments = ", ".join(p.name for p in program.interface)
        return f"""\
int {name}_status({parameters})
{{
{statements(program.checks)}    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
{made}    int status = agreed({lacking} ? 3 : 0, MPI_COMM_WORLD);
{scattered}{computed}{gathered}{freed}    return status;
}}

void {name}({parameters})
{{
    const int status = {name}_status({arguments});
    if (status == 9) {{
        fprintf(stderr, "{name}: MPI has failed\\n");
    }} else {{
        report("{name}", status);
    }}
}}
"""

    def _next(self, verb: str, arrays: str) -> str:
        """Returns a collective call that is made if all before it were successful."""
        function = f"{self.name}_mpi_{verb}" if verb else f"{self.name}_mpi"
        call = f"{function}({self.given}{arrays}MPI_COMM_WORLD)"
        return f"    if (status == 0) {{\n        status = {call};\n    }}\n"

    # --- header -----------------------------------------------------------------------------------------------------

    def header(self) -> str:
        name, program = self.name, self.program
        lines = [*comment_lines(program.usage), f"#ifndef {name.upper()}_H", f"#define {name.upper()}_H", ""]
        lines += ["#include <mpi.h>", "#include <stdbool.h>", "#include <stdint.h>", ""]
        lines += ["#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
        lines += comment_lines(_INTERFACE)
        lines.append(f"int {name}_mpi({self._interface()}MPI_Comm comm);")
        lines.append(f"int {name}_mpi_places({self.declared}int rank, int size, int64_t *first, int64_t *behind);")
        for one in program.exchanged:
            type_ = f"{one.whole.type.c_name} *"
            lines.append(
                f"int {name}_mpi_block_{one.name}({self.declared}int rank, int size, int64_t *first, int64_t *extent);"
            )
            verb = "scatter" if one.is_input else "gather"
            pair = (
                (f"const {type_}{one.name}", f"{type_}block")
                if one.is_input
                else (f"const {type_}block", f"{type_}{one.name}")
            )
            lines.append(
                f"int {name}_mpi_{verb}_{one.name}({self.declared}{', '.join(pair)}, int root, MPI_Comm comm);"
            )
        parameters = ", ".join(declaration(p, restrict=False) for p in program.interface)
        lines += ["", *comment_lines(_WHOLE), f"int {name}_status({parameters});", f"void {name}({parameters});", ""]
        lines += ["#ifdef __cplusplus", "}", "#endif", "", "#endif", ""]
        return "\n".join(lines)


_INTERFACE = (
    "Collective calls; they return 0, or the same status on all ranks (9: MPI has failed).\n"
    "Every rank passes its blocks of the arrays, row by row: first[d] is the smallest index\n"
    "in dimension d, extent[d] the number of indices. MPI is initialised by the caller."
)

_WHOLE = "On MPI_COMM_WORLD, with whole arrays on every rank: rank 0 gets the outputs."


def expression(value: c.Expression) -> str:
    """Returns the text of an expression."""
    return expression_text(value).replace("\n", " ")


def statements(body: Sequence[c.Statement] | Iterable[c.Statement]) -> str:
    """Returns the text of statements in a function."""
    return statements_text(tuple(body), 1)


def pointer(array: FlatArray) -> str:
    return f"{array.type.c_name} *"


def declaration(parameter: c.Parameter, restrict: bool = True) -> str:
    """Returns the text of a parameter."""
    type_ = parameter.type
    if not restrict and isinstance(type_, c.Pointer):
        type_ = replace(type_, restrict=False)
    text = file_text(c.File((c.Function(c.VOID, "f", (replace(parameter, type=type_),)),)))
    return text[text.index("(") + 1 : text.rindex(")")]


def _mpiexec(members: int) -> tuple[str, ...]:
    return ("mpiexec", "-n", str(max(members, 1)))


MPI = Target(
    "mpi",
    distribute=mpi_files,
    toolchain=Toolchain(
        language=MPI_LANGUAGE,
        commands=("mpicc",),
        variable="MPICC",
        probe=_PROBE,
        remedy="install an engine (Debian: apt install mpich; or pip install mpich, with its folder in PATH)",
    ),
    harness=Harness(
        includes="#include <mpi.h>\n",
        start="    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) {\n        return 1;\n    }\n"
        "    int my_rank;\n    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);",
        end="    MPI_Finalize();",
        is_first="my_rank == 0",
        command=_mpiexec,
        is_loadable=False,
        depends_on_members=lambda _: True,
        member="rank",
    ),
)
