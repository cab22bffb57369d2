"""MPI: one process for each rank, with arrays for the values of the rank alone.

In each step a rank receives pipelined messages, computes, packs, sends and receives. Sender and receiver call one
function, `<name>_message`, to count, pack and unpack: count, order and tag agree. The communicator is a copy of the
caller's, errors are returned, and nothing is kept between calls.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from alphaz.c import tree as c
from alphaz.c.printer import comment_lines, file_text
from alphaz.codegen.c.annotations import unmarked, with_marks
from alphaz.codegen.c.frame import source_file
from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.mpi_build_files import mpi_builds
from alphaz.codegen.targets.mpi_helpers import helper_functions
from alphaz.codegen.targets.mpi_message_checks import CHECKS
from alphaz.codegen.targets.mpi_steps import StepTexts
from alphaz.codegen.targets.openmp import OPENMP, declared
from alphaz.codegen.targets.rank_driver_texts import RankTexts, declaration, expression, statements
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

# Only the first thread of a rank calls MPI.
_FUNNELED = """\
    int threads;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads) != MPI_SUCCESS || threads < MPI_THREAD_FUNNELED) {
        return 1;
    }
    int my_rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);"""


def mpi_files(
    program: RankProgram, declared: Callable[[Sequence[c.Statement]], Sequence[str]] | None = None
) -> Sources:
    """Returns the source and the header. `declared` is that of `c_files`, for threads inside a rank."""
    _check_names(program)
    rank, entries, common = RankTexts(program), _Entries(program), program.common
    messages = [program.message] if program.message is not None else []
    messages = [function for one in common for function in (one.message, one.receives)] or messages
    messages += [function for values in program.combined for function in values.functions]
    moves = (function for one in program.exchanged for function in (one.of_whole, one.of_block))
    texts = [*filter(None, (rank.places(),)), *StepTexts(program, rank).texts()]
    texts += [text for one in program.exchanged for text in (rank.block(one), rank.moves(one))]
    texts += [rank.allocations(), *entries.texts()]
    texts[:0] = [*rank.first_place(texts), *rank.rows(texts)]
    totals = [program.totals] if program.totals is not None else []
    functions: list[c.Function | c.Opaque] = [program.loops, *totals, *messages, *moves]
    helpers = helper_functions(file_text(c.File((*functions, *map(c.Opaque, texts)))))
    marked = (replace(f, body=with_marks(f.body or ())) for f in functions if isinstance(f, c.Function))
    functions = [*marked, *map(c.Opaque, texts)]
    functions.insert(0, c.Opaque(f"{_INCLUDES}\n\n{helpers}"))
    texts_in_front = declared(program.loops.body or ()) if declared is not None else ()
    way = _WAY[program.is_pipeline] if program.border is None else _OVERLAP
    way = way if program.totals is None else _SCAN
    comment = f"{program.comment}\nFor ranks of MPI; {way}"
    source = source_file(program.stem, comment, program.program, functions, program.types, declared=texts_in_front)
    source, claims = unmarked(source)
    files = {f"{program.stem}.c": source, f"{program.stem}.h": entries.header()}
    return Sources(files, claims={f"{program.stem}.c": claims}, places=program.owners)


_INCLUDES = "#include <string.h>"

_WORDS = """
rank size first behind extent run direction buffer at other comm caller requests count bytes part pieces mine all block
root status failed in out in_bytes out_bytes from to received sent visit begin end move_element pieces_of start_message
places_of largest agreed part end array own owner_among meets owner_of owns own_places broadcast
receives receivers round combine_all combine_lower combine_on box_of line_part elements operator lower higher type
pending smallest make_operator begin0 end0 begin1 end1 ends are_blocks owner_given even_blocks
"""
_OWN = frozenset(_WORDS.split())
"""The names of the driver's variables, which parameters and arrays cannot have."""
_OF_GRIDS = frozenset(("rows", "columns", "rank0", "rank1", "size0", "size1", "line0", "line1"))
"""The same, if there is a grid or a number of ranks."""


def _check_names(program: RankProgram) -> None:
    """Raises Rejected(NOT_YET) for names of the program that the driver uses itself."""
    names = [*map(identifier, program.parameters), *(one.name for one in program.exchanged)]
    own = _OWN | _OF_GRIDS if program.shape or len(program.places) > 1 else _OWN
    clash = next((name for name in (*names, *(array.name for array in program.local)) if name in own), None)
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

_SCAN = "a rank begins a step with the combined terms of all lower places: a scan."

_OVERLAP = "messages of a step are under way while a rank computes the inner places of the next one."


class _Entries:
    """The functions that callers use."""

    def __init__(self, program: RankProgram) -> None:
        self.program, self.rank = program, RankTexts(program)
        self.name, self.declared, self.given = program.name, self.rank.declared, self.rank.given

    def texts(self) -> Iterator[str]:
        for one in self.program.exchanged:
            yield self._moved(one)
        yield self._entry()
        yield self._whole_entry()
        for verb, parameters in self._collective():
            yield self._of_fortran(verb, parameters)

    def _moved(self, one: ExchangedArray) -> str:
        """Returns scatter for an input, gather for an output."""
        name, verb, is_input = self.name, "scatter" if one.is_input else "gather", one.is_input
        type_ = f"{one.whole.type.c_name} *"
        source, target = self._sides(one)
        arguments = self.given
        whole, mine = f"({type_}){one.name}", f"({type_})block"
        pack = "" if is_input else f"        {name}_mine_{one.name}({arguments}rank, size, {mine}, 1, buffer);\n"
        unpack = (
            f"""\
        if (status == 0) {{
            {name}_mine_{one.name}({arguments}rank, size, {mine}, -1, buffer);
        }}
"""
            if is_input
            else f"""\
        at = all;
        for (int other = 0; rank == root && other < size && status == 0; other++) {{
            at += {name}_whole_{one.name}({arguments}other, size, {whole}, -1, at);
        }}
"""
        )
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
{self.rank.refused("size", "comm", "MPI_Comm_free(&comm);")}    int64_t bytes = 0, pieces = 0;
    const int64_t own = {name}_mine_{one.name}({arguments}rank, size, {mine}, 0, NULL);
    for (int other = 0; rank == root && other < size; other++) {{
        const int64_t part = {name}_whole_{one.name}({arguments}other, size, {whole}, 0, NULL);
        bytes += part;
        pieces += pieces_of(part);
    }}
    pieces += pieces_of(own);
    unsigned char *buffer = malloc((size_t)largest(own, 1)), *all = malloc((size_t)largest(bytes, 1));
    MPI_Request *requests = malloc((size_t)largest(pieces, 1) * sizeof *requests);
    int status = agreed(buffer == NULL || all == NULL || requests == NULL ? 3 : 0, comm), count = 0;
    if (status == 0) {{
        unsigned char *at = all;
{pack}        status = start_message({int(not is_input)}, buffer, own, root, comm, requests, &count) ? 9 : 0;
        for (int other = 0; rank == root && other < size && status == 0; other++) {{
            const int64_t part = {name}_whole_{one.name}({arguments}other, size, {whole}, {int(is_input)}, at);
            status = start_message({int(is_input)}, at, part, other, comm, requests, &count) ? 9 : status;
            at += part;
        }}
        if (status == 0 && count > 0 && MPI_Waitall(count, requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS) {{
            status = 9;
        }}
{unpack}        status = agreed(status, comm);
    }}
    free(requests);
    free(all);
    free(buffer);
    MPI_Comm_free(&comm);
    return status;
}}
"""

    @staticmethod
    def _sides(one: ExchangedArray) -> tuple[str, str]:
        """Returns the parameters of scatter, or of gather: the array that is read, and the one that is written."""
        type_ = f"{one.whole.type.c_name} *"
        whole, block = (one.name, "block") if one.is_input else ("block", one.name)
        return f"const {type_}{whole}", f"{type_}{block}"

    # --- entries ----------------------------------------------------------------------------------------------------

    def _interface(self) -> str:
        arrays = "".join(
            f"{'const ' if one.is_input else ''}{one.whole.type.c_name} *{one.name}, " for one in self.program.exchanged
        )
        return f"{self.declared}{arrays}"

    def _entry(self) -> str:
        name, program = self.name, self.program
        ends = "" if program.block else self.rank.ends("run.rank", "run.size", program.names.own)
        places = ends + "".join(f"    run.{n} = {n};\n" for side in program.names.own for n in side if ends)
        numbers = "".join(f"    run.{p} = {p};\n" for p in self.rank.parameters)
        numbers += "    run.ends = ends;\n" * program.is_given
        refused = self.rank.refused("run.size", "run.comm", "MPI_Comm_free(&run.comm);")
        assignments = "".join(
            f"    run.{one.block.name} = {'(' + one.whole.type.c_name + ' *)' if one.is_input else ''}{one.name};\n"
            for one in program.exchanged
        )
        made = "".join(
            f"    run.{a.name} = {name}_allocate_{a.name}({self.given}run.rank, run.size);\n" for a in program.local
        )
        lacking = [f"run.{a.name} == NULL" for a in program.local]
        lacking += ["run.in == NULL", "run.out == NULL", "run.requests == NULL"]
        freed = "".join(f"    free(run.{a.name});\n" for a in reversed(program.local))
        lines = [f"run.line{one.dimension}" for one in program.common] if program.has_lines else []
        split = f"    const int is_split = {name}_split(&run) == 0;\n" if lines else ""
        status = f"!is_split ? 9 : {' || '.join(lacking)} ? 3 : 0" if lines else f"{' || '.join(lacking)} ? 3 : 0"
        freed += "".join(f"    if ({x} != MPI_COMM_NULL) {{\n        MPI_Comm_free(&{x});\n    }}\n" for x in lines)
        is_late = program.border is not None and program.message is not None
        finished = f"        run.failed = run.failed || {name}_finish(&run);\n" if is_late else ""
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
{refused}{numbers}{assignments}{places}{split}    {name}_all(&run, {name}_measure);
{made}    run.in = malloc((size_t)largest(run.in_bytes, 1));
    run.out = malloc((size_t)largest(run.out_bytes, 1));
    run.requests = malloc((size_t)largest(run.pieces, 1) * sizeof *run.requests);
    int status = agreed({status}, run.comm);
    if (status == 0) {{
        {name}_all(&run, {name}_step);
{finished}        status = run.failed ? 9 : agreed(run.status, run.comm);
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
        ends = f"""\
    int64_t *ends = even_blocks({", ".join(map(expression, program.places[0]))}, size);
    if (agreed(ends == NULL ? 3 : 0, MPI_COMM_WORLD) != 0) {{
        free(ends);
        return 3;
    }}
"""
        made = ends * program.is_given + made
        freed += "    free(ends);\n" * program.is_given
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

    def _collective(self) -> Iterator[tuple[str, str]]:
        """Yields the ends of the names of functions with a communicator, and their parameters before it."""
        yield "", self._interface()
        for one in self.program.exchanged:
            verb, pair = "scatter" if one.is_input else "gather", ", ".join(self._sides(one))
            yield f"_{verb}_{one.name}", f"{self.declared}{pair}, int root, "

    def _of_fortran(self, verb: str, parameters: str) -> str:
        """Returns the function that takes the communicator as an integer of Fortran."""
        arguments = "".join(f"{name}, " for name in re.findall(r"(\w+), ", parameters))
        return f"""\
int {self.name}_mpi_f{verb}({parameters}MPI_Fint comm)
{{
    return {self.name}_mpi{verb}({arguments}MPI_Comm_f2c(comm));
}}
"""

    # --- header -----------------------------------------------------------------------------------------------------

    def header(self) -> str:
        name, program = self.name, self.program
        lines = [*comment_lines(program.usage), f"#ifndef {name.upper()}_H", f"#define {name.upper()}_H", ""]
        lines += ["#include <mpi.h>", "#include <stdbool.h>", "#include <stdint.h>", ""]
        lines += ["#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
        lines += comment_lines(_INTERFACE + _ENDS * program.is_given)
        lines.append(self.rank.interface_of_places())
        for one in program.exchanged:
            lines.append(
                f"int {name}_mpi_block_{one.name}({self.declared}int rank, int size, int64_t *first, int64_t *extent);"
            )
        every = list(self._collective())
        lines += [f"int {name}_mpi{verb}({arguments}MPI_Comm comm);" for verb, arguments in every]
        lines += ["", *comment_lines(_FORTRAN)]
        lines += [f"int {name}_mpi_f{verb}({arguments}MPI_Fint comm);" for verb, arguments in every]
        parameters = ", ".join(declaration(p, restrict=False) for p in program.interface)
        lines += ["", *comment_lines(_WHOLE), f"int {name}_status({parameters});", f"void {name}({parameters});", ""]
        lines += ["#ifdef __cplusplus", "}", "#endif", "", "#endif", ""]
        return "\n".join(lines)


_INTERFACE = (
    "Collective calls; they return 0, or the same status on all ranks (9: MPI has failed).\n"
    "Every rank passes its blocks of the arrays, row by row: first[d] is the smallest index\n"
    "in dimension d, extent[d] the number of indices. MPI is initialised by the caller."
)

_ENDS = (
    "\nRank r owns the places from ends[r] to ends[r+1]-1; ends[0] is the smallest place, the\n"
    "last one of ends, whose number is that of the ranks, the place behind the largest."
)

_FORTRAN = "The same for callers in Fortran, where a communicator is an integer."

_WHOLE = "On MPI_COMM_WORLD, with whole arrays on every rank: rank 0 gets the outputs."


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
        remedy="install an engine (Debian: apt install mpich), or the extra `mpi` of alphaz",
        builds=mpi_builds,
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
        checks=CHECKS,
    ),
)

# Ranks whose parallel loops are shared out to threads.
MPI_OPENMP = replace(
    MPI,
    name="mpi-openmp",
    passes=OPENMP.passes,
    forms=OPENMP.forms,
    modes=OPENMP.modes,
    distribute=partial(mpi_files, declared=declared),
    toolchain=replace(MPI.toolchain, threads=OPENMP.toolchain.threads),
    harness=replace(MPI.harness, start=_FUNNELED),
)
