"""The expected C of the functions with which ranks exchange messages; the proof compares it with the text node by node.
They are compared with the text node by node; docs/distributed.md says why they send, receive and wait rightly.

These texts are no part of the generator: a generator that writes other ones is refused.
"""

import re

from alphaz.equivalence.ranks.protocol_helpers import ALWAYS
from alphaz.equivalence.ranks.protocol_steps import ends, lines_of, step_functions
from alphaz.equivalence.ranks.rank_outline import BlockArray, MovedPart, RankOutline, Way


def protocol(names: RankOutline) -> str:
    """Returns the expected functions; they call those that compute, move values, and describe blocks."""
    texts = [ALWAYS, _places(names), *step_functions(names), _entry(names), _whole_entry(names)]
    for array in names.exchanged:
        texts += [_moves(names, array, side) for side in ("whole", "mine")]
        texts.append(_scatter(names, array) if array.caller == "input" else _gather(names, array))
    return "\n".join(texts)


def of_fortran(names: RankOutline) -> str:
    """Returns the functions for callers in Fortran; a text may lack them."""
    ends = {"": _blocks(names)}
    for array in names.exchanged:
        verb, pair = ("scatter", _SCATTERED) if array.caller == "input" else ("gather", _GATHERED)
        ends[f"_{verb}_{array.name}"] = f"{pair.format(array.type, array.name)}, int root, "
    return "".join(
        f"int {names.name}_mpi_f{end}({names.declared}{more}MPI_Fint comm)\n{{\n"
        f"    return {names.name}_mpi{end}({_arguments(names.declared + more)}MPI_Comm_f2c(comm));\n}}\n"
        for end, more in ends.items()
    )


def _arguments(declared: str) -> str:
    """Returns the names of declared parameters, with a comma after each."""
    return "".join(f"{name}, " for name in re.findall(r"(\w+),", declared))


_SCATTERED, _GATHERED = "const {0} *{1}, {0} *block", "const {0} *block, {0} *{1}"
"""The parameters of the functions that scatter and gather an array, of its type and name."""


def _places(names: RankOutline) -> str:
    shared = [f"places_of({', '.join(names.places[0])}, rank, size, first, behind);"]
    if names.is_grid:
        rows, columns = (", ".join(side) for side in names.places)
        shared = [
            "const int rows = rows_of(size), columns = size / rows;",
            f"places_of({rows}, rank / columns, rows, first, behind);",
            f"places_of({columns}, rank % columns, columns, first + 1, behind + 1);",
        ]
    body = "".join(f"    {line}\n" for line in shared)
    return f"""\
int {names.name}_mpi_places({names.declared}int rank, int size, int64_t *first, int64_t *behind)
{{
{body}    return 0;
}}
"""


def _moves(names: RankOutline, array: BlockArray, side: str) -> str:
    condition = "if (rank == 0) " if array.moved is MovedPart.BY_FIRST else ""
    places = ends(names, "rank", "size", names.own, names.given) if array.moved is MovedPart.BY_PLACES else ""
    return f"""\
static int64_t {names.name}_{side}_{array.name}({names.declared}int rank, int size, {array.type} *array, int direction,
                                             unsigned char *buffer)
{{
    int64_t bytes = 0;
    {condition}{{
{places}        bytes += {names.points[array.name, side]};
    }}
    return bytes;
}}
"""


_ENTERED = """\
    MPI_Comm comm;
    int rank, size;
    if (MPI_Comm_dup(caller, &comm) != MPI_SUCCESS) {
        return 9;
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
"""


def _moved(names: RankOutline, array: BlockArray, verb: str, parameters: str, parts: tuple[int, str, str]) -> str:
    """Returns scatter or gather; `parts` are the direction of the own message, and the statements that pack before all
    messages start and unpack after all have come.
    """
    name, given, type_ = names.name, names.given, f"{array.type} *"
    sends, packed, unpacked = parts
    return f"""\
int {name}_mpi_{verb}_{array.name}({names.declared}{parameters}, int root, MPI_Comm caller)
{{
{_ENTERED}    int64_t bytes = 0, pieces = 0;
    const int64_t own = {name}_mine_{array.name}({given}rank, size, ({type_})block, 0, NULL);
    for (int other = 0; rank == root && other < size; other++) {{
        const int64_t part = {name}_whole_{array.name}({given}other, size, ({type_}){array.name}, 0, NULL);
        bytes += part;
        pieces += pieces_of(part);
    }}
    pieces += pieces_of(own);
    unsigned char *buffer = malloc((size_t)largest(own, 1)), *all = malloc((size_t)largest(bytes, 1));
    MPI_Request *requests = malloc((size_t)largest(pieces, 1) * sizeof *requests);
    int status = agreed(buffer == NULL || all == NULL || requests == NULL ? 3 : 0, comm), count = 0;
    if (status == 0) {{
        unsigned char *at = all;
{packed}        status = start_message({sends}, buffer, own, root, comm, requests, &count) ? 9 : 0;
        for (int other = 0; rank == root && other < size && status == 0; other++) {{
            const int64_t part = {name}_whole_{array.name}({given}other, size, ({type_}){array.name}, {1 - sends}, at);
            status = start_message({1 - sends}, at, part, other, comm, requests, &count) ? 9 : status;
            at += part;
        }}
        if (status == 0 && count > 0 && MPI_Waitall(count, requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS) {{
            status = 9;
        }}
{unpacked}        status = agreed(status, comm);
    }}
    free(requests);
    free(all);
    free(buffer);
    MPI_Comm_free(&comm);
    return status;
}}
"""


def _scatter(names: RankOutline, array: BlockArray) -> str:
    unpacked = f"""\
        if (status == 0) {{
            {names.name}_mine_{array.name}({names.given}rank, size, ({array.type} *)block, -1, buffer);
        }}
"""
    parameters = _SCATTERED.format(array.type, array.name)
    return _moved(names, array, "scatter", parameters, (0, "", unpacked))


def _gather(names: RankOutline, array: BlockArray) -> str:
    name, given, type_ = names.name, names.given, f"{array.type} *"
    packed = f"        {name}_mine_{array.name}({given}rank, size, ({type_})block, 1, buffer);\n"
    unpacked = f"""\
        at = all;
        for (int other = 0; rank == root && other < size && status == 0; other++) {{
            at += {name}_whole_{array.name}({given}other, size, ({type_}){array.name}, -1, at);
        }}
"""
    parameters = _GATHERED.format(array.type, array.name)
    return _moved(names, array, "gather", parameters, (1, packed, unpacked))


def _blocks(names: RankOutline) -> str:
    """Returns the parameters of the function of a rank: its blocks."""
    return "".join(
        f"{'const ' if array.caller == 'input' else ''}{array.type} *{array.name}, " for array in names.exchanged
    )


def _entry(names: RankOutline) -> str:
    name, lines = names.name, lines_of(names)
    places = ends(names, "run.rank", "run.size", names.own, names.given)
    places += "".join(f"    run.{end} = {end};\n" for side in names.own for end in side)
    numbers = "".join(f"    run.{parameter} = {parameter};\n" for parameter in names.parameters)
    blocks = "".join(
        f"    run.{array.name} = {f'({array.type} *)' if array.caller == 'input' else ''}{array.name};\n"
        for array in names.exchanged
    )
    made = "".join(
        f"    run.{array.name} = {name}_allocate_{array.name}({names.given}run.rank, run.size);\n"
        for array in names.local
    )
    lacking = "".join(f"run.{array.name} == NULL || " for array in names.local)
    freed = "".join(f"    free(run.{array.name});\n" for array in reversed(names.local))
    freed += "".join(f"    if ({x} != MPI_COMM_NULL) {{\n        MPI_Comm_free(&{x});\n    }}\n" for x in lines)
    split = f"    const int is_split = {name}_split(&run) == 0;\n" if lines else ""
    unsplit = "!is_split ? 9 : " if lines else ""
    finished = f"        run.failed = run.failed || {name}_finish(&run);\n" if names.way is Way.OVERLAP else ""
    return f"""\
int {name}_mpi({names.declared}{_blocks(names)}MPI_Comm caller)
{{
    struct {name}_run run;
    memset(&run, 0, sizeof run);
    if (MPI_Comm_dup(caller, &run.comm) != MPI_SUCCESS) {{
        return 9;
    }}
    MPI_Comm_set_errhandler(run.comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(run.comm, &run.rank);
    MPI_Comm_size(run.comm, &run.size);
{numbers}{blocks}{places}{split}    {name}_all(&run, {name}_measure);
{made}    run.in = malloc((size_t)largest(run.in_bytes, 1));
    run.out = malloc((size_t)largest(run.out_bytes, 1));
    run.requests = malloc((size_t)largest(run.pieces, 1) * sizeof *run.requests);
    int status = agreed({unsplit}{lacking}run.in == NULL || run.out == NULL || run.requests == NULL ? 3 : 0, run.comm);
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


def _whole_entry(names: RankOutline) -> str:
    name, given = names.name, names.given
    made = "".join(
        f"    {array.type} *my_{array.name} = {name}_allocate_{array.name}({given}rank, size);\n"
        for array in names.exchanged
    )
    lacking = " || ".join(f"my_{array.name} == NULL" for array in names.exchanged) or "0"
    calls = [
        f"{name}_mpi_scatter_{array.name}({given}{array.name}, my_{array.name}, 0, MPI_COMM_WORLD)"
        for array in names.exchanged
        if array.caller == "input"
    ]
    calls.append(f"{name}_mpi({given}{''.join(f'my_{a.name}, ' for a in names.exchanged)}MPI_COMM_WORLD)")
    calls += [
        f"{name}_mpi_gather_{array.name}({given}my_{array.name}, {array.name}, 0, MPI_COMM_WORLD)"
        for array in names.exchanged
        if array.caller == "output"
    ]
    called = "".join(f"    if (status == 0) {{\n        status = {call};\n    }}\n" for call in calls)
    freed = "".join(f"    free(my_{array.name});\n" for array in reversed(names.exchanged))
    arrays = ", ".join(
        f"{'const ' if array.caller == 'input' else ''}{array.type} *restrict {array.name}" for array in names.exchanged
    )
    arguments = given + ", ".join(array.name for array in names.exchanged)
    return f"""\
int {name}_status({names.declared}{arrays})
{{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
{made}    int status = agreed({lacking} ? 3 : 0, MPI_COMM_WORLD);
{called}{freed}    return status;
}}
void {name}({names.declared}{arrays})
{{
    const int status = {name}_status({arguments});
    if (status == 9) {{
        fprintf(stderr, "{name}: MPI has failed\\n");
    }} else {{
        report("{name}", status);
    }}
}}
"""
