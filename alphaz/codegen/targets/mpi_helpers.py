"""The functions of a file with calls of MPI that are the same for all programs: messages, broadcasts, places."""

import re

_LARGEST = "((int64_t)1 << 30)"
"""The bytes of a message of MPI; longer ones are sent in pieces, since counts are int."""

_TEXT = f"""\
static void move_element(int direction, unsigned char *buffer, int64_t *at, void *element, size_t bytes)
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

/* The ends of blocks that are shared out evenly; NULL: out of memory. */
static int64_t *even_blocks(int64_t first, int64_t behind, int size)
{{
    int64_t *ends = malloc(((size_t)size + 1) * sizeof *ends);
    for (int rank = 0; ends != NULL && rank < size; rank++) {{
        places_of(first, behind, rank, size, &ends[rank], &ends[rank + 1]);
    }}
    return ends;
}}

/* The rank that has a place in its interval. */
static int64_t owner_among(int64_t first, int64_t behind, int size, int64_t place)
{{
    const int64_t share = (behind - first) / size, more = (behind - first) % size, at = place - first;
    return at < (share + 1) * more ? at / (share + 1) : more + (at - (share + 1) * more) / (share ? share : 1);
}}

/* Whether so many blocks, from each of the ends to the next one, have all places `[first, behind)`. */
static int are_blocks(int64_t first, int64_t behind, int size, const int64_t *ends)
{{
    int result = ends[0] == first && ends[size] == (behind > first ? behind : first);
    for (int rank = 0; rank < size; rank++) {{
        result = result && ends[rank] <= ends[rank + 1];
    }}
    return result;
}}

/* The rank that has a place, when the ends of the blocks are given. */
static int64_t owner_given(const int64_t *ends, int size, int64_t place)
{{
    int low = 0, high = size;
    while (high - low > 1) {{
        const int middle = low + (high - low) / 2;
        *(ends[middle] <= place ? &low : &high) = middle;
    }}
    return low;
}}

/* Whether an interval `[low, high]` of places has one of `[from, to)`. */
static int meets(int64_t low, int64_t high, int64_t from, int64_t to)
{{
    return (low > from ? low : from) <= (high < to - 1 ? high : to - 1);
}}

/* The rank that has a place, of which `offset` come before, when blocks are dealt out. */
static int64_t owner_of(int64_t offset, int64_t block, int64_t ranks) {{ return offset / block % ranks; }}

/* Whether a rank has one of the places `[low, high]`, counted from the first. */
static int owns(int64_t low, int64_t high, int64_t block, int64_t ranks, int64_t rank)
{{
    const int64_t begin = low / block;
    return low <= high && begin + (rank - begin % ranks + ranks) % ranks <= high / block;
}}

/* The number of places that a rank has of so many. */
static int64_t own_places(int64_t places, int64_t block, int64_t ranks, int64_t rank)
{{
    const int64_t round = block * ranks, count = places > 0 ? places : 0, rest = count % round - rank * block;
    return count / round * block + (rest < 0 ? 0 : rest < block ? rest : block);
}}

/* The rows of a grid of ranks, which is as square as possible. */
static int rows_of(int size)
{{
    int rows = 1;
    for (int at = 2; at <= size / at; at++) {{
        rows = size % at == 0 ? at : rows;
    }}
    return rows;
}}

static int64_t largest(int64_t one, int64_t other) {{ return one > other ? one : other; }}

static int64_t smallest(int64_t one, int64_t other) {{ return one < other ? one : other; }}

/* A part of a rank of a grid to which blocks are dealt out: so many rows of one of its blocks; 0 if it has no such. */
static int box_of(const int64_t *ends, int64_t block, int64_t height, int64_t part, int rank, int size, int64_t *first,
                  int64_t *behind)
{{
    const int rows = rows_of(size), columns = size / rows;
    const int64_t blocks = (ends[3] - ends[2] + block - 1) / block;
    const int64_t across = (blocks - rank % columns + columns - 1) / columns;
    if (across <= 0) {{
        return 0;
    }}
    const int64_t row = part / across * height;
    first[0] = ends[0] + (row / block * rows + rank / columns) * block + row % block;
    first[1] = ends[2] + (part % across * columns + rank % columns) * block;
    behind[0] = smallest(first[0] + height, ends[1]);
    behind[1] = smallest(first[1] + block, ends[3]);
    return first[0] < ends[1];
}}

/* The part of the places that one of the ranks of a line has, when blocks are dealt out; 0 if it has no such part. */
static int line_part(int64_t first, int64_t end, int64_t block, int64_t part, int64_t ranks, int64_t rank, int64_t *low,
                     int64_t *high)
{{
    *low = first + (part * ranks + rank) * block;
    *high = smallest(*low + block, end);
    return *low < end;
}}

/* Broadcasts a message, in pieces. */
static int broadcast(unsigned char *buffer, int64_t bytes, int root, MPI_Comm comm)
{{
    while (bytes > 0) {{
        const int part = (int)(bytes < {_LARGEST} ? bytes : {_LARGEST});
        if (MPI_Bcast(buffer, part, MPI_BYTE, root, comm) != MPI_SUCCESS) {{
            return 1;
        }}
        buffer += part;
        bytes -= part;
    }}
    return 0;
}}

/* Makes the communicator of the ranks of a line of a grid, in their order; none if its number is MPI_UNDEFINED. */
static int line_of(int number, int rank, MPI_Comm comm, MPI_Comm *line)
{{
    return MPI_Comm_split(comm, number, rank, line) != MPI_SUCCESS
           || (*line != MPI_COMM_NULL && MPI_Comm_set_errhandler(*line, MPI_ERRORS_RETURN) != MPI_SUCCESS);
}}

/* Makes the type of an element and the operator, which keeps the order of the ranks. */
static int make_operator(size_t bytes, MPI_User_function *combine, MPI_Datatype *type, MPI_Op *operator)
{{
    return MPI_Type_contiguous((int)bytes, MPI_BYTE, type) != MPI_SUCCESS || MPI_Type_commit(type) != MPI_SUCCESS
           || MPI_Op_create(combine, 0, operator) != MPI_SUCCESS;
}}

/* MPI_Reduce in the memory of the elements. */
static int reduce_on(void *elements, int count, MPI_Datatype type, MPI_Op operator, int root, MPI_Comm comm)
{{
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank == root ? MPI_Reduce(MPI_IN_PLACE, elements, count, type, operator, root, comm)
                        : MPI_Reduce(elements, NULL, count, type, operator, root, comm);
}}

/* The largest status of all ranks, or 9. */
static int agreed(int status, MPI_Comm comm)
{{
    int all = 0;
    return MPI_Allreduce(&status, &all, 1, MPI_INT, MPI_MAX, comm) == MPI_SUCCESS ? all : 9;
}}
"""


def _combination(name: str, comment: str, call: str, root: str = "") -> str:
    """Returns the function that combines elements of ranks by calls of MPI, in pieces; `root`: one rank gets them."""
    parameters = f"void *elements, int64_t count, size_t bytes, MPI_User_function *combine, {root}MPI_Comm comm"
    return f"""\
/* {comment} */
static int {name}({parameters})
{{
    MPI_Datatype type;
    MPI_Op operator;
    int failed = make_operator(bytes, combine, &type, &operator);
    if (failed) {{
        return 1;
    }}
    for (unsigned char *at = elements; !failed && count > 0;) {{
        const int part = (int)(count < {_LARGEST} / 16 ? count : {_LARGEST} / 16);
        failed = {call} != MPI_SUCCESS;
        at += (size_t)part * bytes;
        count -= part;
    }}
    MPI_Op_free(&operator);
    MPI_Type_free(&type);
    return failed;
}}"""


_COMBINATIONS = (
    _combination(
        "combine_all",
        "Combines so many elements of all ranks, in the order of the ranks.",
        "MPI_Allreduce(MPI_IN_PLACE, at, part, type, operator, comm)",
    ),
    _combination(
        "combine_on",
        "Combines so many elements of all ranks on one rank.",
        "reduce_on(at, part, type, operator, root, comm)",
        root="int root, ",
    ),
    _combination(
        "combine_lower",
        "Gives a rank the combined elements of the ranks before it, in their order; rank 0 has none.",
        "MPI_Exscan(MPI_IN_PLACE, at, part, type, operator, comm)",
    ),
)

# Each calls only functions before it.
_FUNCTIONS = (*_TEXT.split("\n\n"), *_COMBINATIONS)


def helper_functions(text: str) -> str:
    """Returns the helpers that a text calls, and those that they call."""
    functions: list[str] = []
    for function in reversed(_FUNCTIONS):
        name = re.findall(r"(\w+)\(", re.sub(r"/\*.*?\*/", "", function, flags=re.DOTALL))[0]
        if re.search(rf"\b{name}\(", "\n".join((text, *functions))):
            functions.insert(0, function.strip("\n"))
    return "\n\n".join(functions) + "\n"
