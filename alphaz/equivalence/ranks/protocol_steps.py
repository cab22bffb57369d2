"""The functions of the protocol that execute a step of a rank: they compute, pack, send, receive and unpack."""

import re
from collections.abc import Iterator, Sequence

from alphaz.equivalence.ranks.rank_outline import RankOutline, Sides, Way


def ends(names: RankOutline, rank: str, size: str, sides: Sides, given: str) -> str:
    """Returns the declarations of the ends of the places of a rank."""
    if len(sides) == 1:
        ((low, high),) = sides
        return f"""\
    int64_t {low}, {high};
    {names.name}_mpi_places({given}{rank}, {size}, &{low}, &{high});
"""
    low = sides[0][0]
    text = f"    int64_t {low}_first[2], {low}_behind[2];\n"
    text += f"    {names.name}_mpi_places({given}{rank}, {size}, {low}_first, {low}_behind);\n"
    for position, (first, behind) in enumerate(sides):
        text += f"    const int64_t {first} = {low}_first[{position}], {behind} = {low}_behind[{position}];\n"
    return text


def step_functions(names: RankOutline) -> list[str]:
    """Returns the functions that execute the steps, and the record of a run."""
    texts = [_run(names)]
    texts += shared_messages(names)
    if names.shared:
        texts.append(_shared_exchange(names))
        if names.has_lines:
            texts.append(_split(names))
    elif names.moving:
        texts += [_move(names), _measure(names)]
        texts.append(_overlap(names) if names.way is Way.OVERLAP else _exchange(names))
    else:
        texts.append(_measure_combined(names))
    texts += _combined(names)
    return [*texts, _step(names)]


def _run(names: RankOutline) -> str:
    numbers = "".join(f"    int64_t {name};\n" for name in names.parameters)
    sides = "".join(f"    int64_t {low}, {high};\n" for low, high in names.own)
    arrays = "".join(f"    {array.type} *{array.name};\n" for array in names.arrays)
    lines = "    int rank0, rank1, size0, size1;\n    MPI_Comm line0, line1;\n" * names.has_lines
    pending = "    int pending, count;\n" + "".join(f"    int64_t {step};\n" for step in names.steps)
    return f"""\
struct {names.name}_run {{
{numbers}{sides}{arrays}    int rank, size, status, failed;
    MPI_Comm comm;
{lines}    MPI_Request *requests;
    unsigned char *in, *out;
    int64_t in_bytes, out_bytes, pieces;
{pending * (names.way is Way.OVERLAP)}}};
"""


# --- messages of pairs of ranks ---------------------------------------------------------------------------------------


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
{_measured(names)}    run->pieces = largest(run->pieces, pieces);
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
    name, steps = names.name, names.step_arguments
    noted = "".join(f"    run->{step} = {step};\n" for step in names.steps)
    last = "".join(f", run->{step}" for step in names.steps)
    words = ", ".join(f"int64_t {end}" for side in names.part for end in side)
    is_there = " && ".join(f"{low} < {high}" for low, high in names.part)
    sides = "".join(
        f"    const int64_t begin{at} = smallest(run->{low} + {border[0]}, run->{high});\n"
        f"    const int64_t end{at} = largest(begin{at}, run->{high} - {border[1]});\n"
        for at, ((low, high), border) in enumerate(zip(names.own, names.border, strict=True))
    )
    outer = "".join(f"    {name}_part(run{steps}, {', '.join(box)});\n" for box in border_boxes(names, "run->"))
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
static void {name}_part(struct {name}_run *run{names.step_parameters}, {words})
{{
    if ({is_there}) {{
        {names.computing};
    }}
}}
static void {name}_inner(struct {name}_run *run{names.step_parameters})
{{
{sides}    {name}_part(run{steps}, {", ".join(inner_box(names))});
}}
static void {name}_border(struct {name}_run *run{names.step_parameters})
{{
{sides}{outer}}}
"""


def inner_box(names: RankOutline) -> tuple[str, ...]:
    """Returns the ends of the places that need no message of the last step."""
    return tuple(end for at in range(len(names.own)) for end in (f"begin{at}", f"end{at}"))


def border_boxes(names: RankOutline, run: str) -> list[tuple[str, ...]]:
    """Returns the ends of the boxes of the other places; own ends have the text `run` in front."""
    own = [(f"{run}{low}", f"{run}{high}") for low, high in names.own]
    rest = tuple(end for side in own[1:] for end in side)
    boxes = [(own[0][0], "begin0", *rest), ("end0", own[0][1], *rest)]
    if names.is_grid:
        boxes += [("begin0", "end0", own[1][0], "begin1"), ("begin0", "end0", "end1", own[1][1])]
    return boxes


# --- messages for all receivers ---------------------------------------------------------------------------------------

_MEMBERS = {"": "other", "0": "run->rank + (other - run->rank0) * run->size1", "1": "run->rank - run->rank1 + other"}
"""By the end of the names of a message: the rank of a member of its line; of all ranks without a grid."""


def owner(names: RankOutline, dimension: int, place: str) -> str:
    """Returns the rank, or the member of a line of the grid, that has a place."""
    size = f"run->size{dimension}" if names.is_grid else "run->size"
    return f"owner_among({', '.join(names.places[dimension])}, {size}, {place})"


def returned(names: RankOutline, before: str, value: str) -> str:
    """Returns the text that returns a value after other statements; they use parameters of the program."""
    words = {*re.findall(r"\w+", before + value)}
    numbers = "".join(f"    const int64_t {name} = run->{name};\n" for name in names.parameters if name in words)
    return f"{numbers}{before}    return {value};\n"


def shared_messages(names: RankOutline) -> Iterator[str]:
    """Yields the functions of the messages that are the same for all their receivers."""
    name, steps, declared = names.name, names.step_arguments, names.step_parameters
    for shared in names.shared:
        at = names.line(shared)
        to = ends(names, _MEMBERS[at], "run->size", names.receiver, names.of_run)
        comm = f"run->line{at}" if at else "run->comm"
        yield f"""\
static int64_t {name}_move{at}(struct {name}_run *run{declared}, int direction, unsigned char *buffer)
{{
    return {shared.moving};
}}
static int {name}_is_receiver{at}(struct {name}_run *run{declared}, int other)
{{
{to}    return {shared.receives};
}}
static int {name}_root{at}(struct {name}_run *run{declared})
{{
{returned(names, "", f"(int){owner(names, shared.dimension, shared.place)}")}}}
static int {name}_send{at}(struct {name}_run *run{declared}, int64_t bytes, unsigned char *out, unsigned char *in)
{{
    if (bytes == 0) {{
        return 0;
    }}
    const int rank = run->rank{at}, size = run->size{at};
    const int root = {name}_root{at}(run{steps});
    int receivers = 0, count = 0;
    for (int other = 0; other < size; other++) {{
        receivers += other != root && {name}_is_receiver{at}(run{steps}, other);
    }}
    if (receivers > 1 && receivers == size - 1) {{
        return broadcast(rank == root ? out : in, bytes, root, {comm});
    }}
    for (int other = 0; rank == root && other < size; other++) {{
        if (other != root && {name}_is_receiver{at}(run{steps}, other)
            && start_message(1, out, bytes, other, {comm}, run->requests, &count)) {{
            return 1;
        }}
    }}
    if (rank != root && {name}_is_receiver{at}(run{steps}, rank)
        && start_message(0, in, bytes, root, {comm}, run->requests, &count)) {{
        return 1;
    }}
    return count > 0 && MPI_Waitall(count, run->requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
}}
"""


def _shared_exchange(names: RankOutline) -> str:
    """Returns the functions that measure and exchange the messages: all are packed before one arrives."""
    name, steps, lines = names.name, names.step_arguments, [names.line(shared) for shared in names.shared]
    offsets = ["".join(f" + bytes{other}" for other in lines[:number]) for number in range(len(lines))]
    counted = "".join(f"    const int64_t bytes{at} = {name}_move{at}(run{steps}, 0, NULL);\n" for at in lines)
    every = " + ".join(f"bytes{at}" for at in lines)
    pieces = "".join(
        f"    run->pieces = largest(run->pieces, (int64_t)pieces_of(bytes{at}) * run->size{at});\n" for at in lines
    )
    both = list(zip(lines, offsets, strict=True))
    packed = "".join(
        f"    if (bytes{at} > 0 && run->rank{at} == {name}_root{at}(run{steps})) {{\n"
        f"        {name}_move{at}(run{steps}, 1, run->out{offset});\n    }}\n"
        for at, offset in both
    )
    sent = "".join(
        f"    if ({name}_send{at}(run{steps}, bytes{at}, run->out{offset}, run->in{offset})) {{\n"
        f"        return 1;\n    }}\n"
        for at, offset in both
    )
    unpacked = "".join(
        f"    if (bytes{at} > 0 && run->rank{at} != {name}_root{at}(run{steps})\n"
        f"        && {name}_is_receiver{at}(run{steps}, run->rank{at})) {{\n"
        f"        {name}_move{at}(run{steps}, -1, run->in{offset});\n    }}\n"
        for at, offset in both
    )
    return f"""\
static void {name}_measure(struct {name}_run *run{names.step_parameters})
{{
{counted}    run->in_bytes = largest(run->in_bytes, {every});
    run->out_bytes = largest(run->out_bytes, {every});
{_measured(names)}{pieces}}}
static int {name}_exchange(struct {name}_run *run{names.step_parameters})
{{
{counted}{packed}{sent}{unpacked}    return 0;
}}
"""


def _split(names: RankOutline) -> str:
    """Returns the function that makes the communicators of the lines of a grid that have messages."""
    numbers, axes = ("run->rank % columns", "run->rank / columns"), [shared.dimension for shared in names.shared]
    none = "".join(f"    run->line{axis} = MPI_COMM_NULL;\n" for axis in axes)
    made = "\n           || ".join(
        f"line_of(has_places ? {numbers[axis]} : MPI_UNDEFINED, run->rank, run->comm, &run->line{axis})"
        for axis in axes
    )
    return f"""\
static int {names.name}_split(struct {names.name}_run *run)
{{
    const int rows = rows_of(run->size), columns = run->size / rows;
    const int has_places = run->rank < rows * columns;
    run->rank0 = run->rank / columns;
    run->rank1 = run->rank % columns;
    run->size0 = rows;
    run->size1 = columns;
{none}    return {made};
}}
"""


# --- combined values --------------------------------------------------------------------------------------------------


def _measured(names: RankOutline) -> str:
    text = f"    run->out_bytes = largest(run->out_bytes, @_move(run{names.step_arguments}, 0, NULL));\n"
    return _of_combined(names, text)


def _measure_combined(names: RankOutline) -> str:
    return f"""\
static void {names.name}_measure(struct {names.name}_run *run{names.step_parameters})
{{
{_measured(names)}}}
"""


def _combined(names: RankOutline) -> Iterator[str]:
    """Yields the functions that combine the values of a variable, on all ranks or on one."""
    declared, steps = f"struct {names.name}_run *run{names.step_parameters}", names.step_arguments
    for one in names.combined:
        name = f"{names.name}_{one.name}"
        function, root = "combine_all", ""
        unpacked = f"    {name}_move(run{steps}, -1, run->out);\n"
        if one.place:
            function, root = "combine_on", f"    const int root = {name}_root(run{steps});\n"
            unpacked = f"    if (run->rank == root) {{\n    {unpacked}    }}\n"
            (first, behind), place = names.places[0], f"    const int64_t at = {one.place};\n"
            value = f"at < {first} || at >= {behind} ? 0 : (int){owner(names, 0, 'at')}"
            yield f"static int {name}_root({declared})\n{{\n{returned(names, place, value)}}}\n"
        yield f"""\
static int64_t {name}_move({declared}, int direction, unsigned char *buffer)
{{
    return {one.moving};
}}
static void {name}_begin({declared})
{{
    {one.type} *elements = ({one.type} *)(void *)run->out;
    const int64_t count = {name}_move(run{steps}, 0, NULL) / (int64_t)sizeof *elements;
    for (int64_t at = 0; at < count; at++) {{
        elements[at] = {name}_neutral();
    }}
    {name}_move(run{steps}, -1, run->out);
}}
static void {name}_operator(void *lower, void *higher, int *count, MPI_Datatype *type)
{{
    const {one.type} *from = lower;
    {one.type} *to = higher;
    for (int at = 0; at < *count; at++) {{
        to[at] = {name}_step(from[at], to[at]);
    }}
}}
static int {name}_combine({declared})
{{
{root}    const int64_t bytes = {name}_move(run{steps}, 1, run->out);
    if (bytes == 0) {{
        return 0;
    }}
    if ({function}(run->out, bytes / (int64_t)sizeof({one.type}), sizeof({one.type}), {name}_operator,
        {"root, " if root else ""}run->comm)) {{
        return 1;
    }}
{unpacked}    return 0;
}}
"""


# --- steps ------------------------------------------------------------------------------------------------------------


def _of_combined(names: RankOutline, text: str) -> str:
    return "".join(text.replace("@", f"{names.name}_{one.name}") for one in names.combined)


def _step(names: RankOutline) -> str:
    name, steps = names.name, names.step_arguments
    begun = _of_combined(names, f"    @_begin(run{steps});\n")
    ended = _of_combined(names, f"    run->failed = run->failed || @_combine(run{steps});\n")
    exchanged = "" if names.is_silent else f"    run->failed = {name}_exchange(run{steps});\n"
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
{exchanged}"""
        case Way.EXCHANGE:
            body = f"    {names.computing};\n{exchanged}"
    return f"""\
static void {name}_step(struct {name}_run *run{names.step_parameters})
{{
    if (run->failed) {{
        return;
    }}
{begun}{body}{ended}}}
"""


def lines_of(names: RankOutline) -> Sequence[str]:
    """Returns the communicators of lines of the grid that a run has."""
    return [f"run.line{shared.dimension}" for shared in names.shared] if names.has_lines else ()
