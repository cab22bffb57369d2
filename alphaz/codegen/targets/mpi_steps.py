"""The C of the steps of a rank under MPI: it computes, packs, sends, receives and unpacks."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.c.walk import Part, rebuilt
from alphaz.codegen.targets.rank_driver_texts import RankTexts, complete, expression, pointer, silent, statements
from alphaz.codegen.targets.rank_program import CombinedValues, CommonMessage, RankProgram
from alphaz.legality.message_overlap import Border

# By dimension of a grid: the rank of a member of a line, and the receivers of its messages; all ranks without a grid.
_MEMBERS = {"": "other", "0": "run->rank + (other - run->rank0) * run->size1", "1": "run->rank - run->rank1 + other"}
_WHERE = {"": "", "0": " in a column of the grid", "1": " in a row of the grid"}


@dataclass(frozen=True, slots=True)
class StepTexts:
    """Texts of the functions that execute the steps."""

    program: RankProgram
    rank: RankTexts

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def _declared(self) -> str:
        return "".join(f", int64_t {s}" for s in self.rank.steps)

    @property
    def _given(self) -> str:
        return "".join(f", {s}" for s in self.rank.steps)

    @property
    def _numbers(self) -> str:
        return "".join(f"run->{p}, " for p in self.rank.parameters) + "run->ends, " * self.program.is_given

    def texts(self) -> Iterator[str]:
        """Yields the functions, in their order."""
        yield self._run()
        for combined in self.program.combined:
            yield self._combined(combined)
        if self.program.common:
            yield from map(self._common, self.program.common)
            yield self._common_exchange()
            if self.program.has_lines:
                yield self._split()
        elif self.program.message is not None:
            yield self._message(self.program.message)
            yield self._measure()
            yield self._exchange() if self.program.border is None else self._overlapped()
        else:
            yield self._measured()
        if self.program.border is not None:
            yield self._parts(self.program.border)
        yield self._steps()

    def _run(self) -> str:
        arrays = "".join(f"    {pointer(array)}{array.name};\n" for array in self.rank.run_arrays)
        numbers = "".join(f"    int64_t {p};\n" for p in self.rank.parameters)
        numbers += "    const int64_t *ends;\n" * self.program.is_given
        sides = () if self.program.block else self.program.names.own
        ends = "".join(f"    int64_t {low}, {high};\n" for low, high in sides)
        lines = "    int rank0, rank1, size0, size1;\n    MPI_Comm line0, line1;\n" if self.program.has_lines else ""
        return f"""\
/* One call on one rank. */
struct {self.name}_run {{
{numbers}{ends}{arrays}    int rank, size, status, failed;
    MPI_Comm comm;
{lines}    MPI_Request *requests;
    unsigned char *in, *out;
    int64_t in_bytes, out_bytes, pieces;
{self._pending()}}};
"""

    @property
    def _is_overlapped(self) -> bool:
        return self.program.border is not None and self.program.message is not None

    def _pending(self) -> str:
        """Returns the members about messages that are under way between two steps."""
        if not self._is_overlapped:
            return ""
        return "    int pending, count;\n" + "".join(f"    int64_t {s};\n" for s in self.rank.steps)

    # --- messages of pairs of ranks -----------------------------------------------------------------------------------

    def _known(self) -> dict[str, str]:
        """Returns the arguments of functions of the program that the run has."""
        names = self.program.names
        ends = () if self.program.block else [name for side in names.own for name in side]
        return {p: f"run->{p}" for p in (*self.rank.parameters, *ends, *(a.name for a in self.rank.run_arrays))}

    def _call(self, function: c.Function, **known: str) -> str:
        words = {**self._known(), **known}
        return f"{function.name}({', '.join(words.get(p.name, p.name) for p in function.parameters)})"

    def _silent(self, function: c.Function, names: tuple[str, ...] = ()) -> str:
        used = {p.name for p in function.parameters}
        return silent(*(n for n in (*self.rank.steps, *names) if n not in used))

    def _measured(self) -> str:
        """Returns the function that measures messages, where there are none."""
        text = complete(self._measured_values(), "run", *self.rank.steps)
        return f"static void {self.name}_measure(struct {self.name}_run *run{self._declared})\n{{\n{text}}}\n"

    def _message(self, message: c.Function) -> str:
        names = self.program.names
        if self.program.block:
            call = self._call(message, buffer="direction ? buffer + bytes : NULL")
            body = f"        bytes += {call};\n"
            loop = self.rank.parts("from", "run->size", names.sender, body, self._numbers)
            text = self.rank.rank_names(loop, "run->rank", "run->size", self._numbers, "to")
            unused = silent("to", "buffer") + self._silent(message)
            text = f"    int64_t bytes = 0;\n{unused}{text}    return bytes;\n"
        else:
            places = "".join(
                self.rank.ends(rank, "run->size", ends, self._numbers)
                for ends, rank in ((names.sender, "from"), (names.receiver, "to"))
            )
            text = f"{places}{self._silent(message)}    return {self._call(message)};\n"
        return f"""\
/* Counts (direction 0), packs (1) or unpacks (-1) the message of a step from one rank to another. */
static int64_t {self.name}_move(struct {self.name}_run *run{self._declared}, int from, int to, int direction,
                                unsigned char *buffer)
{{
{text}}}
"""

    def _measure(self) -> str:
        name, arguments = self.name, self._given
        return f"""\
/* The largest messages of a step, in both directions. */
static void {name}_measure(struct {name}_run *run{self._declared})
{{
    int64_t in = 0, out = 0, pieces = 0;
    for (int other = 0; other < run->size; other++) {{
        if (other != run->rank) {{
            const int64_t received = {name}_move(run{arguments}, other, run->rank, 0, NULL);
            const int64_t sent = {name}_move(run{arguments}, run->rank, other, 0, NULL);
            in += received;
            out += sent;
            pieces += pieces_of(received) + pieces_of(sent);
        }}
    }}
    run->in_bytes = largest(run->in_bytes, in);
    run->out_bytes = largest(run->out_bytes, out);
{self._measured_values()}    run->pieces = largest(run->pieces, pieces);
}}
"""

    def _exchange(self) -> str:
        name, arguments = self.name, self._given
        late = "run->rank + 1" if self.program.is_pipeline else "0"
        return f"""\
/* Receives the messages of ranks `[begin, end)`, while requests `[0, count)` are under way; waits for all. */
static int {name}_receive(struct {name}_run *run{self._declared}, int begin, int end, int count)
{{
    unsigned char *at = run->in;
    for (int other = begin; other < end; other++) {{
        if (other != run->rank) {{
            const int64_t bytes = {name}_move(run{arguments}, other, run->rank, 0, NULL);
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
            at += {name}_move(run{arguments}, other, run->rank, -1, at);
        }}
    }}
    return 0;
}}

/* Sends what other ranks read, and receives. */
static int {name}_exchange(struct {name}_run *run{self._declared})
{{
    unsigned char *at = run->out;
    int count = 0;
    for (int other = 0; other < run->size; other++) {{
        if (other != run->rank) {{
            const int64_t bytes = {name}_move(run{arguments}, run->rank, other, 1, at);
            if (start_message(1, at, bytes, other, run->comm, run->requests, &count)) {{
                return 1;
            }}
            at += bytes;
        }}
    }}
    return {name}_receive(run{arguments}, {late}, run->size, count);
}}
"""

    # --- messages that are under way while a rank computes ------------------------------------------------------------

    def _overlapped(self) -> str:
        name, arguments = self.name, self._given
        noted = "".join(f"    run->{s} = {s};\n" for s in self.rank.steps)
        last = "".join(f", run->{s}" for s in self.rank.steps)
        return f"""\
/* Starts the messages of a step. */
static int {name}_start(struct {name}_run *run{self._declared})
{{
    unsigned char *from = run->in, *to = run->out;
    run->count = 0;
    run->pending = 1;
{noted}    for (int other = 0; other < run->size; other++) {{
        if (other != run->rank) {{
            const int64_t bytes = {name}_move(run{arguments}, other, run->rank, 0, NULL);
            if (start_message(0, from, bytes, other, run->comm, run->requests, &run->count)) {{
                return 1;
            }}
            from += bytes;
        }}
    }}
    for (int other = 0; other < run->size; other++) {{
        if (other != run->rank) {{
            const int64_t bytes = {name}_move(run{arguments}, run->rank, other, 1, to);
            if (start_message(1, to, bytes, other, run->comm, run->requests, &run->count)) {{
                return 1;
            }}
            to += bytes;
        }}
    }}
    return 0;
}}

/* Waits for the messages of the last step. */
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
"""

    def _parts(self, border: Border) -> str:
        """Returns the functions that compute the inner places of a rank in a step, and those at the ends of its block.

        Of a grid the border is four boxes: the first and last rows whole, then the ends of the other rows.
        """
        name, own = self.name, self.program.names.own
        call = self._call(self.program.loops, status="&run->status")
        words = [f"int64_t {end}" for side in self.program.names.part for end in side]
        declared = ", ".join(words)
        is_there = " && ".join(f"{low} < {high}" for low, high in self.program.names.part)
        silent_ = self._silent(self.program.loops)
        ends = "".join(
            f"    const int64_t begin{position} = smallest(run->{low} + {border.low[position]}, run->{high});\n"
            f"    const int64_t end{position} = largest(begin{position}, run->{high} - {border.high[position]});\n"
            for position, (low, high) in enumerate(own)
        )
        lows, highs = zip(*((f"run->{low}", f"run->{high}") for low, high in own), strict=True)
        inner = ", ".join(f"begin{position}, end{position}" for position in range(len(own)))
        rest = "".join(f", {lows[position]}, {highs[position]}" for position in range(1, len(own)))
        outer = [f"{lows[0]}, begin0{rest}", f"end0, {highs[0]}{rest}"]
        if len(own) > 1:
            outer += [f"begin0, end0, {lows[1]}, begin1", f"begin0, end0, end1, {highs[1]}"]
        calls = "".join(f"    {name}_part(run{self._given}, {box});\n" for box in outer)
        return f"""\
/* Computes the operations of a step at the places of a part. */
static void {name}_part(struct {name}_run *run{self._declared}, {declared})
{{
    if ({is_there}) {{
        {call};
    }}
{silent_}}}

/* Computes the operations that read no values of other ranks. */
static void {name}_inner(struct {name}_run *run{self._declared})
{{
{ends}    {name}_part(run{self._given}, {inner});
}}

/* Computes the operations at the ends of the block. */
static void {name}_border(struct {name}_run *run{self._declared})
{{
{ends}{calls}}}
"""

    # --- messages for all receivers -----------------------------------------------------------------------------------

    def _split(self) -> str:
        """Returns the function that makes the communicators of the lines of a grid that have messages."""
        dimensions = [common.dimension for common in self.program.common]
        numbers = ("run->rank % columns", "run->rank / columns")
        none = "".join(f"    run->line{axis} = MPI_COMM_NULL;\n" for axis in dimensions)
        made = "\n           || ".join(
            f"line_of(has_places ? {numbers[axis]} : MPI_UNDEFINED, run->rank, run->comm, &run->line{axis})"
            for axis in dimensions
        )
        return f"""\
/* Splits the communicator: line0 has the ranks of a column of the grid, line1 those of a row. */
static int {self.name}_split(struct {self.name}_run *run)
{{
{self.rank.grid("run->size")}    const int has_places = run->rank < rows * columns;
    run->rank0 = run->rank / columns;
    run->rank1 = run->rank % columns;
    run->size0 = rows;
    run->size1 = columns;
{none}    return {made};
}}
"""

    def _common(self, common: CommonMessage) -> str:
        """Returns the functions of a message that is the same for all its receivers."""
        name, names, at = self.name, self.program.names, self._line(common)
        moved = self._named(f"    return {self._call(common.message)};\n")
        if self.program.block and len(self.program.places) > 1:
            moved = self._moved_in_line(common)
        asked = f"    return {self._call(common.receives)};\n"
        if self.program.block:
            asked = complete(self._named(asked), *self.rank.steps)
        else:
            member = _MEMBERS[at]
            ends = self.rank.ends(member, "run->size", names.receiver, self._numbers)
            asked = f"{ends}{self._silent(common.receives)}{asked}"
        root = self._returned(f"(int){self._owner(common.place, common.dimension)}")
        where = _WHERE[at]
        return f"""\
/* Counts (direction 0), packs (1) or unpacks (-1) the message of a step{where}, the same for all receivers. */
static int64_t {name}_move{at}(struct {name}_run *run{self._declared}, int direction, unsigned char *buffer)
{{
{self._silent(common.message)}{moved}}}

static int {name}_is_receiver{at}(struct {name}_run *run{self._declared}, int other)
{{
{asked}}}

/* The rank{where} that sends the message of a step. */
static int {name}_root{at}(struct {name}_run *run{self._declared})
{{
{root}}}

{self._sent(common)}"""

    def _owner(self, place: c.Expression, dimension: int) -> str:
        """Returns the text of the rank, or of the member of a line of a grid, that has a place."""
        names, program = self.program.names, self.program
        if program.block:
            offset = c.Binary("-", place, c.Name(names.first_place[dimension]))
            dealing = (c.Literal(str(program.block)), c.Name(names.ranks[dimension]))
            return expression(c.Call("owner_of", (offset, *dealing)))
        size = "run->size" if len(program.places) == 1 else f"run->size{dimension}"
        ranks = c.Name(self.rank.ranks(size) if len(program.places) == 1 else size)
        if program.is_given:
            return expression(c.Call("owner_given", (c.Name("run->ends"), ranks, place)))
        return expression(c.Call("owner_among", (*program.places[dimension], ranks, place)))

    def _returned(self, value: str, before: str = "") -> str:
        """Returns the text that returns a value, after other statements; both use parameters, components of a step, and
        names of the rank.
        """
        words = set(re.findall(r"\w+", before + value))
        numbers = "".join(f"    const int64_t {p} = run->{p};\n" for p in self.rank.parameters if p in words)
        unused = silent(*(s for s in self.rank.steps if s not in words))
        return self._named(f"{numbers}{unused}{before}    return {value};\n")

    def _sent(self, common: CommonMessage) -> str:
        """Returns the function that sends a packed message to its receivers."""
        name, arguments, at = self.name, self._given, self._line(common)
        comm = f"run->line{at}" if at else "run->comm"
        return f"""\
/* Sends a packed message to all its receivers{_WHERE[at]}: by a broadcast if these are all other ranks. */
static int {name}_send{at}(struct {name}_run *run{self._declared}, int64_t bytes, unsigned char *out, unsigned char *in)
{{
    if (bytes == 0) {{
        return 0;
    }}
    const int rank = run->rank{at}, size = run->size{at};
    const int root = {name}_root{at}(run{arguments});
    int receivers = 0, count = 0;
    for (int other = 0; other < size; other++) {{
        receivers += other != root && {name}_is_receiver{at}(run{arguments}, other);
    }}
    if (receivers > 1 && receivers == size - 1) {{
        return broadcast(rank == root ? out : in, bytes, root, {comm});
    }}
    for (int other = 0; rank == root && other < size; other++) {{
        if (other != root && {name}_is_receiver{at}(run{arguments}, other)
            && start_message(1, out, bytes, other, {comm}, run->requests, &count)) {{
            return 1;
        }}
    }}
    if (rank != root && {name}_is_receiver{at}(run{arguments}, rank)
        && start_message(0, in, bytes, root, {comm}, run->requests, &count)) {{
        return 1;
    }}
    return count > 0 && MPI_Waitall(count, run->requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
}}
"""

    def _common_exchange(self) -> str:
        """Returns the functions that measure and exchange the messages of a step: all are packed before one arrives."""
        name, arguments = self.name, self._given
        lines = [self._line(common) for common in self.program.common]
        counted = "".join(f"    const int64_t bytes{at} = {name}_move{at}(run{arguments}, 0, NULL);\n" for at in lines)
        every = " + ".join(f"bytes{at}" for at in lines)
        pieces = "".join(
            f"    run->pieces = largest(run->pieces, (int64_t)pieces_of(bytes{at}) * run->size{at});\n" for at in lines
        )
        before = ["".join(f" + bytes{other}" for other in lines[:number]) for number in range(len(lines))]
        offsets = list(zip(lines, before, strict=True))
        packed = "".join(
            f"    if (bytes{at} > 0 && run->rank{at} == {name}_root{at}(run{arguments})) {{\n"
            f"        {name}_move{at}(run{arguments}, 1, run->out{offset});\n    }}\n"
            for at, offset in offsets
        )
        sent = "".join(
            f"    if ({name}_send{at}(run{arguments}, bytes{at}, run->out{offset}, run->in{offset})) {{\n"
            f"        return 1;\n    }}\n"
            for at, offset in offsets
        )
        unpacked = "".join(
            f"    if (bytes{at} > 0 && run->rank{at} != {name}_root{at}(run{arguments})\n"
            f"        && {name}_is_receiver{at}(run{arguments}, run->rank{at})) {{\n"
            f"        {name}_move{at}(run{arguments}, -1, run->in{offset});\n    }}\n"
            for at, offset in offsets
        )
        return f"""\
static void {name}_measure(struct {name}_run *run{self._declared})
{{
{counted}    run->in_bytes = largest(run->in_bytes, {every});
    run->out_bytes = largest(run->out_bytes, {every});
{self._measured_values()}{pieces}}}

/* Packs the messages of a step, before a received value may overwrite one of them, sends and unpacks them. */
static int {name}_exchange(struct {name}_run *run{self._declared})
{{
{counted}{packed}{sent}{unpacked}    return 0;
}}
"""

    def _line(self, common: CommonMessage) -> str:
        """Returns the end of the names of a message of a grid."""
        return str(common.dimension) if len(self.program.places) > 1 else ""

    # --- combined values ----------------------------------------------------------------------------------------------

    def _combined(self, values: CombinedValues) -> str:
        name, type_, arguments = f"{self.name}_{values.name}", values.type.c_name, self._given
        moved = self._named(f"    return {self._call(values.moves)};\n")
        function = "combine_all" if values.prefixes is None else "combine_lower"
        prefixes = "" if values.prefixes is None else f"    {self._call(values.prefixes)};\n"
        on_root = (f"    const int root = {name}_root(run{arguments});\n", "root, ", "if (run->rank == root) ")
        root, given, if_root = on_root if values.reader is not None else ("", "", "")
        function = "combine_on" if values.reader is not None else function
        unpacked = f"{name}_move(run{arguments}, -1, run->out);"
        unpacked = f"    {if_root}{{\n        {unpacked}\n    }}\n" if if_root else f"    {unpacked}\n"
        return f"""\
/* Counts (direction 0), packs (1) or unpacks (-1) the values of {values.name} that ranks combine in a step. */
static int64_t {name}_move(struct {self.name}_run *run{self._declared}, int direction, unsigned char *buffer)
{{
{self._silent(values.moves)}{moved}}}

/* Gives the values the neutral element, before a step. */
static void {name}_begin(struct {self.name}_run *run{self._declared})
{{
    {type_} *elements = ({type_} *)(void *)run->out;
    const int64_t count = {name}_move(run{arguments}, 0, NULL) / (int64_t)sizeof *elements;
    for (int64_t at = 0; at < count; at++) {{
        elements[at] = {values.neutral.name}();
    }}
    {name}_move(run{arguments}, -1, run->out);
}}

static void {name}_operator(void *lower, void *higher, int *count, MPI_Datatype *type)
{{
    const {type_} *from = lower;
    {type_} *to = higher;
    (void)type;
    for (int at = 0; at < *count; at++) {{
        to[at] = {values.step.name}(from[at], to[at]);
    }}
}}

{self._reader(values)}static int {name}_combine(struct {self.name}_run *run{self._declared})
{{
{root}    const int64_t bytes = {name}_move(run{arguments}, 1, run->out);
    if (bytes == 0) {{
        return 0;
    }}
    if ({function}(run->out, bytes / (int64_t)sizeof({type_}), sizeof({type_}), {name}_operator, {given}run->comm)) {{
        return 1;
    }}
{unpacked}{prefixes}    return 0;
}}
"""

    def _reader(self, values: CombinedValues) -> str:
        """Returns the function that says which rank gets the combined values of a step; empty if all do."""
        if values.reader is None:
            return ""
        (first, behind), place = map(expression, self.program.places[0]), expression(values.reader)
        is_outside = f"at < {first} || at >= {behind}"
        root = self._returned(
            f"{is_outside} ? 0 : (int){self._owner(c.Name('at'), 0)}", f"    const int64_t at = {place};\n"
        )
        return f"""\
/* The rank whose operations alone read the combined values of {values.name} of a step. */
static int {self.name}_{values.name}_root(struct {self.name}_run *run{self._declared})
{{
{root}}}

"""

    def _measured_values(self) -> str:
        measured = f"    run->out_bytes = largest(run->out_bytes, @_move(run{self._given}, 0, NULL));\n"
        return self._of_combined(measured, self.program.combined)

    def _of_combined(self, text: str, combined: Iterable[CombinedValues]) -> str:
        """Returns the text for the combined variables, with its name for `@`."""
        return "".join(text.replace("@", f"{self.name}_{values.name}") for values in combined)

    def _scanned(self) -> str:
        """Returns the text that gives a rank the values before its first place."""
        totals = self.program.totals
        if totals is None:
            return ""
        scans = [values for values in self.program.combined if values.prefixes is not None]
        combined = self._of_combined(f"    run->failed = run->failed || @_combine(run{self._given});\n", scans)
        return f"    {self._call(totals)};\n{combined}    if (run->failed) {{\n        return;\n    }}\n"

    def _named(self, text: str) -> str:
        """Returns the text after the names of the rank that it uses; `other` is a rank, or a member of a line."""
        receiver = "other" if len(self.program.places) == 1 else ("other", "other")
        return self.rank.rank_names(text, "run->rank", "run->size", self._numbers, receiver)

    def _moved_in_line(self, common: CommonMessage) -> str:
        """Returns the text that moves the values of a line of a grid, for each part of the places of the rank."""
        side, names = 1 - common.dimension, self.program.names
        low, high = names.own[side]
        first, behind = map(expression, self.program.places[side])
        ranks = ("run->size0", "run->size1")[side], ("run->rank0", "run->rank1")[side]
        call = self._call(common.message, buffer="direction ? buffer + bytes : NULL", **{low: low, high: high})
        body = f"""\
    int64_t bytes = 0;
    for (int64_t part = 0;; part++) {{
        int64_t {low}, {high};
        if (!line_part({first}, {behind}, {self.program.block}, part, {", ".join(ranks)}, &{low}, &{high})) {{
            break;
        }}
        bytes += {call};
    }}
    return bytes;
"""
        words = set(re.findall(r"\w+", f"{first} {behind}"))
        numbers = "".join(f"    const int64_t {p} = run->{p};\n" for p in self.rank.parameters if p in words)
        return self._named(numbers + body)

    # --- steps --------------------------------------------------------------------------------------------------------

    def _steps(self) -> str:
        return f"{self._step()}\n{self._all()}"

    def _overlapped_step(self) -> str:
        name, arguments = self.name, self._given
        waits = f"    run->failed = {name}_finish(run);\n" if self._is_overlapped else ""
        starts = f"    run->failed = {name}_start(run{arguments});\n" if self._is_overlapped else ""
        return f"""\
static void {name}_step(struct {name}_run *run{self._declared})
{{
    if (run->failed) {{
        return;
    }}
    {name}_inner(run{arguments});
{waits}    if (run->failed) {{
        return;
    }}
    {name}_border(run{arguments});
{starts}}}
"""

    def _step(self) -> str:
        if self.program.border is not None:
            return self._overlapped_step()
        name, program, names = self.name, self.program, self.program.names
        computed = f"        {self._call(program.loops, status='&run->status')};\n"
        if program.block:
            function = "row" if len(program.places) > 1 and program.block > 1 else "mpi_part"
            parts = self.rank.parts("run->rank", "run->size", names.own, computed, self._numbers, function)
            computed = self._named(parts)
            computed = complete(computed, *self.rank.steps)
        else:
            computed = computed[4:]
        early = f"""\
    if ({name}_receive(run{self._given}, 0, run->rank, 0)) {{
        run->failed = 1;
        return;
    }}
"""
        begun = self._of_combined(f"    @_begin(run{self._given});\n", program.combined) + self._scanned()
        is_silent = program.message is None
        sent = "" if is_silent else f"    run->failed = {name}_exchange(run{self._given});\n"
        late = [values for values in program.combined if values.prefixes is None]
        ended = self._of_combined(f"    run->failed = run->failed || @_combine(run{self._given});\n", late)
        return f"""\
static void {name}_step(struct {name}_run *run{self._declared})
{{
    if (run->failed) {{
        return;
    }}
{begun}{early if program.is_pipeline else ""}{computed}{sent}{ended}}}
"""

    def _all(self) -> str:
        name = self.name
        return f"""\
static void {name}_all(struct {name}_run *run, void (*visit)(struct {name}_run *run{self._declared}))
{{
{self._parameters()}{statements(self._visiting())}}}
"""

    def _parameters(self) -> str:
        used = c.names_used(self.program.steps)
        return "".join(f"    const int64_t {p} = run->{p};\n" for p in self.rank.parameters if p in used)

    def _visiting(self) -> Iterator[c.Statement]:
        """Yields the loops over all steps, with calls of the function that visits them."""

        def visit(part: Part) -> Part | None:
            if isinstance(part, c.Call) and part.function == self.program.step_call:
                return c.Call("visit", (c.Name("run"), *part.arguments))
            return None

        yield from (rebuilt(statement, visit) for statement in self.program.steps)
