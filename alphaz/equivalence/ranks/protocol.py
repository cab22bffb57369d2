"""The C of ranks that exchange messages, as the proof of a rank expects it: the functions whose text depends on names
alone. They are compared with the text node by node; docs/distributed.md says why they send, receive and wait rightly.

These texts are no part of the generator: a generator that writes other ones is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

Border = tuple[int, int]
"""The numbers of places at the low and at the high end of a block that wait for messages."""


class Way(StrEnum):
    """The order in which a rank computes a step, sends and receives."""

    EXCHANGE = "exchange"
    PIPELINE = "pipeline"
    OVERLAP = "overlap"


@dataclass(frozen=True, slots=True)
class BlockArray:
    """An array of a rank: `caller` is "input" or "output" of a block that the caller passes, else empty."""

    name: str
    type: str
    caller: str = ""


@dataclass(frozen=True, slots=True)
class RankOutline:
    """The names in the text of a rank, and the expressions that a proof reads: `first` and `behind` are the smallest
    place and the one after the largest. `calls`: the calls of the functions that compute a step, and that move the
    values of a message, with their arguments; `points` those of the functions that move the points of an array, by its
    name and the side, "whole" or "mine".
    """

    name: str
    parameters: tuple[str, ...]
    steps: tuple[str, ...]
    own: tuple[str, str]
    part: tuple[str, str]
    sender: tuple[str, str]
    receiver: tuple[str, str]
    arrays: tuple[BlockArray, ...]
    way: Way
    border: Border
    first: str
    behind: str
    computing: str
    moving: str
    points: Mapping[tuple[str, str], str]

    @property
    def given(self) -> str:
        """Returns the parameters as arguments, with a comma after each."""
        return "".join(f"{name}, " for name in self.parameters)

    @property
    def declared(self) -> str:
        return "".join(f"int64_t {name}, " for name in self.parameters)

    @property
    def of_run(self) -> str:
        return "".join(f"run->{name}, " for name in self.parameters)

    @property
    def step_arguments(self) -> str:
        return "".join(f", {step}" for step in self.steps)

    @property
    def step_parameters(self) -> str:
        return "".join(f", int64_t {step}" for step in self.steps)

    @property
    def exchanged(self) -> tuple[BlockArray, ...]:
        return tuple(array for array in self.arrays if array.caller)

    @property
    def local(self) -> tuple[BlockArray, ...]:
        return tuple(array for array in self.arrays if not array.caller)


_PIECE = "((int64_t)1 << 30)"

HELPERS = f"""\
static void move_element(int direction, unsigned char *buffer, int64_t *at, void *element, size_t bytes)
{{
    if (direction > 0) {{
        memcpy(buffer + *at, element, bytes);
    }} else if (direction < 0) {{
        memcpy(element, buffer + *at, bytes);
    }}
    *at += (int64_t)bytes;
}}
static int pieces_of(int64_t bytes) {{ return (int)((bytes + {_PIECE} - 1) / {_PIECE}); }}
static int start_message(int sends, unsigned char *buffer, int64_t bytes, int other, MPI_Comm comm,
                         MPI_Request *requests, int *count)
{{
    while (bytes > 0) {{
        const int part = (int)(bytes < {_PIECE} ? bytes : {_PIECE});
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
static void places_of(int64_t first, int64_t behind, int rank, int size, int64_t *low, int64_t *high)
{{
    const int64_t count = behind > first ? behind - first : 0;
    const int64_t share = count / size, more = count % size;
    *low = first + share * rank + (rank < more ? rank : more);
    *high = *low + share + (rank < more ? 1 : 0);
}}
static int64_t largest(int64_t one, int64_t other) {{ return one > other ? one : other; }}
static int64_t smallest(int64_t one, int64_t other) {{ return one < other ? one : other; }}
static int agreed(int status, MPI_Comm comm)
{{
    int all = 0;
    return MPI_Allreduce(&status, &all, 1, MPI_INT, MPI_MAX, comm) == MPI_SUCCESS ? all : 9;
}}
"""

OPTIONAL = ("smallest",)
"""The helpers that only some programs have."""


def protocol(names: RankOutline) -> str:
    """Returns the expected functions; they call those that compute, move values, and describe blocks."""
    texts = [HELPERS, _places(names), _run(names), _move(names), _measure(names)]
    texts.append(_overlap(names) if names.way is Way.OVERLAP else _exchange(names))
    texts += [_step(names), _entry(names), _whole_entry(names)]
    for array in names.exchanged:
        texts += [_moves(names, array, side) for side in ("whole", "mine")]
        texts.append(_scatter(names, array) if array.caller == "input" else _gather(names, array))
    return "\n".join(texts)


def ends(names: RankOutline, rank: str, size: str, sides: tuple[str, str], given: str) -> str:
    """Returns the declarations of the ends of the places of a rank."""
    low, high = sides
    return f"""\
    int64_t {low}, {high};
    {names.name}_mpi_places({given}{rank}, {size}, &{low}, &{high});
    (void){low};
    (void){high};
"""


def _places(names: RankOutline) -> str:
    silent = "".join(f"    (void){name};\n" for name in names.parameters)
    return f"""\
int {names.name}_mpi_places({names.declared}int rank, int size, int64_t *first, int64_t *behind)
{{
{silent}    places_of({names.first}, {names.behind}, rank, size, first, behind);
    return 0;
}}
"""


def _run(names: RankOutline) -> str:
    numbers = "".join(f"    int64_t {name};\n" for name in names.parameters)
    arrays = "".join(f"    {array.type} *{array.name};\n" for array in names.arrays)
    pending = "    int pending, count;\n" + "".join(f"    int64_t {step};\n" for step in names.steps)
    return f"""\
struct {names.name}_run {{
{numbers}    int64_t {names.own[0]}, {names.own[1]};
{arrays}    int rank, size, status, failed;
    MPI_Comm comm;
    MPI_Request *requests;
    unsigned char *in, *out;
    int64_t in_bytes, out_bytes, pieces;
{pending * (names.way is Way.OVERLAP)}}};
"""


def _move(names: RankOutline) -> str:
    from_ = ends(names, "from", "run->size", names.sender, names.of_run)
    to = ends(names, "to", "run->size", names.receiver, names.of_run)
    return f"""\
static int64_t {names.name}_move(struct {names.name}_run *run{names.step_parameters}, int from, int to, int direction,
                                unsigned char *buffer)
{{
{from_}{to}    return {names.moving};
}}
"""


def _measure(names: RankOutline) -> str:
    name, steps = names.name, names.step_arguments
    return f"""\
static void {name}_measure(struct {name}_run *run{names.step_parameters})
{{
    int64_t in = 0, out = 0, pieces = 0;
    for (int other = 0; other < run->size; other++) {{
        if (other != run->rank) {{
            const int64_t received = {name}_move(run{steps}, other, run->rank, 0, NULL);
            const int64_t sent = {name}_move(run{steps}, run->rank, other, 0, NULL);
            in += received;
            out += sent;
            pieces += pieces_of(received) + pieces_of(sent);
        }}
    }}
    run->in_bytes = largest(run->in_bytes, in);
    run->out_bytes = largest(run->out_bytes, out);
    run->pieces = largest(run->pieces, pieces);
}}
"""


def _exchange(names: RankOutline) -> str:
    name, steps, step_parameters = names.name, names.step_arguments, names.step_parameters
    late = "run->rank + 1" if names.way is Way.PIPELINE else "0"
    return f"""\
static int {name}_receive(struct {name}_run *run{step_parameters}, int begin, int end, int count)
{{
    unsigned char *at = run->in;
    for (int other = begin; other < end; other++) {{
        if (other != run->rank) {{
            const int64_t bytes = {name}_move(run{steps}, other, run->rank, 0, NULL);
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
            at += {name}_move(run{steps}, other, run->rank, -1, at);
        }}
    }}
    return 0;
}}
static int {name}_exchange(struct {name}_run *run{step_parameters})
{{
    unsigned char *at = run->out;
    int count = 0;
    for (int other = 0; other < run->size; other++) {{
        if (other != run->rank) {{
            const int64_t bytes = {name}_move(run{steps}, run->rank, other, 1, at);
            if (start_message(1, at, bytes, other, run->comm, run->requests, &count)) {{
                return 1;
            }}
            at += bytes;
        }}
    }}
    return {name}_receive(run{steps}, {late}, run->size, count);
}}
"""


def _overlap(names: RankOutline) -> str:
    name, steps, (low, high) = names.name, names.step_arguments, names.own
    noted = "".join(f"    run->{step} = {step};\n" for step in names.steps)
    last = "".join(f", run->{step}" for step in names.steps)
    sides = f"""\
    const int64_t begin0 = smallest(run->{low} + {names.border[0]}, run->{high});
    const int64_t end0 = largest(begin0, run->{high} - {names.border[1]});
"""
    return f"""\
static int {name}_start(struct {name}_run *run{names.step_parameters})
{{
    unsigned char *from = run->in, *to = run->out;
    run->count = 0;
    run->pending = 1;
{noted}    for (int other = 0; other < run->size; other++) {{
        if (other != run->rank) {{
            const int64_t bytes = {name}_move(run{steps}, other, run->rank, 0, NULL);
            if (start_message(0, from, bytes, other, run->comm, run->requests, &run->count)) {{
                return 1;
            }}
            from += bytes;
        }}
    }}
    for (int other = 0; other < run->size; other++) {{
        if (other != run->rank) {{
            const int64_t bytes = {name}_move(run{steps}, run->rank, other, 1, to);
            if (start_message(1, to, bytes, other, run->comm, run->requests, &run->count)) {{
                return 1;
            }}
            to += bytes;
        }}
    }}
    return 0;
}}
static int {name}_finish(struct {name}_run *run)
{{
    unsigned char *at = run->in;
    if (!run->pending) {{
        return 0;
    }}
    run->pending = 0;
    if (run->count > 0 && MPI_Waitall(run->count, run->requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS) {{
        return 1;
    }}
    for (int other = 0; other < run->size; other++) {{
        if (other != run->rank) {{
            at += {name}_move(run{last}, other, run->rank, -1, at);
        }}
    }}
    return 0;
}}
static void {name}_part(struct {name}_run *run{names.step_parameters}, int64_t {names.part[0]}, int64_t {names.part[1]})
{{
    if ({names.part[0]} < {names.part[1]}) {{
        {names.computing};
    }}
}}
static void {name}_inner(struct {name}_run *run{names.step_parameters})
{{
{sides}    {name}_part(run{steps}, begin0, end0);
}}
static void {name}_border(struct {name}_run *run{names.step_parameters})
{{
{sides}    {name}_part(run{steps}, run->{low}, begin0);
    {name}_part(run{steps}, end0, run->{high});
}}
"""


def _step(names: RankOutline) -> str:
    name, steps = names.name, names.step_arguments
    match names.way:
        case Way.OVERLAP:
            body = f"""\
    {name}_inner(run{steps});
    run->failed = {name}_finish(run);
    if (run->failed) {{
        return;
    }}
    {name}_border(run{steps});
    run->failed = {name}_start(run{steps});
"""
        case Way.PIPELINE:
            body = f"""\
    if ({name}_receive(run{steps}, 0, run->rank, 0)) {{
        run->failed = 1;
        return;
    }}
    {names.computing};
    run->failed = {name}_exchange(run{steps});
"""
        case Way.EXCHANGE:
            body = f"""\
    {names.computing};
    run->failed = {name}_exchange(run{steps});
"""
    return f"""\
static void {name}_step(struct {name}_run *run{names.step_parameters})
{{
    if (run->failed) {{
        return;
    }}
{body}}}
"""


def _moves(names: RankOutline, array: BlockArray, side: str) -> str:
    return f"""\
static int64_t {names.name}_{side}_{array.name}({names.declared}int rank, int size, {array.type} *array, int direction,
                                             unsigned char *buffer)
{{
    int64_t bytes = 0;
    {{
{ends(names, "rank", "size", names.own, names.given)}        bytes += {names.points[array.name, side]};
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
    parameters = f"const {array.type} *{array.name}, {array.type} *block"
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
    parameters = f"const {array.type} *block, {array.type} *{array.name}"
    return _moved(names, array, "gather", parameters, (1, packed, unpacked))


def _blocks(names: RankOutline) -> str:
    """Returns the parameters of the function of a rank: its blocks."""
    return "".join(
        f"{'const ' if array.caller == 'input' else ''}{array.type} *{array.name}, " for array in names.exchanged
    )


def _entry(names: RankOutline) -> str:
    name, (low, high) = names.name, names.own
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
{numbers}{blocks}{ends(names, "run.rank", "run.size", names.own, names.given)}    run.{low} = {low};
    run.{high} = {high};
    {name}_all(&run, {name}_measure);
{made}    run.in = malloc((size_t)largest(run.in_bytes, 1));
    run.out = malloc((size_t)largest(run.out_bytes, 1));
    run.requests = malloc((size_t)largest(run.pieces, 1) * sizeof *run.requests);
    int status = agreed({lacking}run.in == NULL || run.out == NULL || run.requests == NULL ? 3 : 0, run.comm);
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
    lacking = " || ".join(f"my_{array.name} == NULL" for array in names.exchanged)
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
