"""The functions that are the same in all texts of ranks: messages, places, broadcasts, combined values."""

from collections.abc import Mapping

_PIECE = "((int64_t)1 << 30)"

ALWAYS = f"""\
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
static int agreed(int status, MPI_Comm comm)
{{
    int all = 0;
    return MPI_Allreduce(&status, &all, 1, MPI_INT, MPI_MAX, comm) == MPI_SUCCESS ? all : 9;
}}
"""


def _combination(name: str, call: str, root: str = "") -> str:
    """Returns the function that combines elements of ranks by calls of MPI, in pieces; `root`: one rank gets them."""
    parameters = f"void *elements, int64_t count, size_t bytes, MPI_User_function *combine, {root}MPI_Comm comm"
    return f"""\
static int {name}({parameters})
{{
    MPI_Datatype type;
    MPI_Op operator;
    int failed = make_operator(bytes, combine, &type, &operator);
    if (failed) {{
        return 1;
    }}
    for (unsigned char *at = elements; !failed && count > 0;) {{
        const int part = (int)(count < {_PIECE} / 16 ? count : {_PIECE} / 16);
        failed = {call} != MPI_SUCCESS;
        at += (size_t)part * bytes;
        count -= part;
    }}
    MPI_Op_free(&operator);
    MPI_Type_free(&type);
    return failed;
}}
"""


OPTIONAL: Mapping[str, str] = {
    "smallest": "static int64_t smallest(int64_t one, int64_t other) { return one < other ? one : other; }\n",
    "owner_among": """\
static int64_t owner_among(int64_t first, int64_t behind, int size, int64_t place)
{
    const int64_t share = (behind - first) / size, more = (behind - first) % size, at = place - first;
    return at < (share + 1) * more ? at / (share + 1) : more + (at - (share + 1) * more) / (share ? share : 1);
}
""",
    "meets": """\
static int meets(int64_t low, int64_t high, int64_t from, int64_t to)
{
    return (low > from ? low : from) <= (high < to - 1 ? high : to - 1);
}
""",
    "rows_of": """\
static int rows_of(int size)
{
    int rows = 1;
    for (int at = 2; at <= size / at; at++) {
        rows = size % at == 0 ? at : rows;
    }
    return rows;
}
""",
    "broadcast": f"""\
static int broadcast(unsigned char *buffer, int64_t bytes, int root, MPI_Comm comm)
{{
    while (bytes > 0) {{
        const int part = (int)(bytes < {_PIECE} ? bytes : {_PIECE});
        if (MPI_Bcast(buffer, part, MPI_BYTE, root, comm) != MPI_SUCCESS) {{
            return 1;
        }}
        buffer += part;
        bytes -= part;
    }}
    return 0;
}}
""",
    "line_of": """\
static int line_of(int number, int rank, MPI_Comm comm, MPI_Comm *line)
{
    return MPI_Comm_split(comm, number, rank, line) != MPI_SUCCESS
           || (*line != MPI_COMM_NULL && MPI_Comm_set_errhandler(*line, MPI_ERRORS_RETURN) != MPI_SUCCESS);
}
""",
    "make_operator": """\
static int make_operator(size_t bytes, MPI_User_function *combine, MPI_Datatype *type, MPI_Op *operator)
{
    return MPI_Type_contiguous((int)bytes, MPI_BYTE, type) != MPI_SUCCESS || MPI_Type_commit(type) != MPI_SUCCESS
           || MPI_Op_create(combine, 0, operator) != MPI_SUCCESS;
}
""",
    "reduce_on": """\
static int reduce_on(void *elements, int count, MPI_Datatype type, MPI_Op operator, int root, MPI_Comm comm)
{
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank == root ? MPI_Reduce(MPI_IN_PLACE, elements, count, type, operator, root, comm)
                        : MPI_Reduce(elements, NULL, count, type, operator, root, comm);
}
""",
    "combine_all": _combination("combine_all", "MPI_Allreduce(MPI_IN_PLACE, at, part, type, operator, comm)"),
    "combine_on": _combination("combine_on", "reduce_on(at, part, type, operator, root, comm)", root="int root, "),
    "combine_lower": _combination("combine_lower", "MPI_Exscan(MPI_IN_PLACE, at, part, type, operator, comm)"),
}
"""The helpers that only some programs have, by name."""

HELPERS = "".join((ALWAYS, *OPTIONAL.values()))
