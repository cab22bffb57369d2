"""The C of the steps of a rank under MPI: it computes, packs, sends, receives and unpacks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.c.walk import Part, rebuilt
from alphaz.codegen.targets.rank_driver import RankTexts, complete, expression, pointer, silent, statements
from alphaz.codegen.targets.rank_program import CombinedValues, CommonMessage, RankProgram


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
        return "".join(f"run->{p}, " for p in self.rank.parameters)

    def texts(self) -> Iterator[str]:
        """Yields the functions, in their order."""
        yield self._run()
        for combined in self.program.combined:
            yield self._combined(combined)
        if self.program.common is not None:
            yield self._common(self.program.common)
        elif self.program.message is not None:
            yield self._message(self.program.message)
            yield self._exchange()
        else:
            yield self._measured()
        yield self._steps()

    def _run(self) -> str:
        arrays = "".join(f"    {pointer(array)}{array.name};\n" for array in self.rank.run_arrays)
        numbers = "".join(f"    int64_t {p};\n" for p in self.rank.parameters)
        sides = () if self.program.block else self.program.names.own
        ends = "".join(f"    int64_t {low}, {high};\n" for low, high in sides)
        return f"""\
/* One call on one rank. */
struct {self.name}_run {{
{numbers}{ends}{arrays}    int rank, size, status, failed;
    MPI_Comm comm;
    MPI_Request *requests;
    unsigned char *in, *out;
    int64_t in_bytes, out_bytes, pieces;
}};
"""

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

    def _exchange(self) -> str:
        name, given = self.name, self._given
        late = "run->rank + 1" if self.program.is_pipeline else "0"
        return f"""\
/* The largest messages of a step, in both directions. */
static void {name}_measure(struct {name}_run *run{self._declared})
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
{self._measured_values()}    run->pieces = largest(run->pieces, pieces);
}}

/* Receives the messages of ranks `[begin, end)`, while requests `[0, count)` are under way; waits for all. */
static int {name}_receive(struct {name}_run *run{self._declared}, int begin, int end, int count)
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

/* Sends what other ranks read, and receives. */
static int {name}_exchange(struct {name}_run *run{self._declared})
{{
    unsigned char *at = run->out;
    int count = 0;
    for (int other = 0; other < run->size; other++) {{
        if (other != run->rank) {{
            const int64_t bytes = {name}_move(run{given}, run->rank, other, 1, at);
            if (start_message(1, at, bytes, other, run->comm, run->requests, &count)) {{
                return 1;
            }}
            at += bytes;
        }}
    }}
    return {name}_receive(run{given}, {late}, run->size, count);
}}
"""

    # --- one message for all receivers --------------------------------------------------------------------------------

    def _common(self, common: CommonMessage) -> str:
        name, names, given = self.name, self.program.names, self._given
        moved = self._named(f"    return {self._call(common.message)};\n")
        asked = f"    return {self._call(common.receives)};\n"
        if self.program.block:
            owner = expression(
                c.Call("owner_of", (c.Binary("-", common.place, c.Name(names.first_place)), *self._dealing))
            )
            asked = complete(self._named(asked), *self.rank.steps)
        else:
            ((first, behind),) = self.program.places
            owner = expression(c.Call("owner_among", (first, behind, c.Name("run->size"), common.place)))
            ends = self.rank.ends("other", "run->size", names.receiver, self._numbers)
            asked = f"{ends}{self._silent(common.receives)}{asked}"
        words = set(re.findall(r"\w+", owner))
        numbers = "".join(f"    const int64_t {p} = run->{p};\n" for p in self.rank.parameters if p in words)
        unused = silent(*(s for s in self.rank.steps if s not in words))
        root = self._named(f"{numbers}{unused}    return (int){owner};\n")
        return f"""\
/* Counts (direction 0), packs (1) or unpacks (-1) the message of a step, which is the same for all receivers. */
static int64_t {name}_move(struct {name}_run *run{self._declared}, int direction, unsigned char *buffer)
{{
{self._silent(common.message)}{moved}}}

static int {name}_is_receiver(struct {name}_run *run{self._declared}, int other)
{{
{asked}}}

/* The rank that sends the message of a step. */
static int {name}_root(struct {name}_run *run{self._declared})
{{
{root}}}

static void {name}_measure(struct {name}_run *run{self._declared})
{{
    const int64_t bytes = {name}_move(run{given}, 0, NULL);
    run->in_bytes = largest(run->in_bytes, bytes);
    run->out_bytes = largest(run->out_bytes, bytes);
{self._measured_values()}    run->pieces = largest(run->pieces, (int64_t)pieces_of(bytes) * run->size);
}}

/* Sends a message to all its receivers: by a broadcast if these are all other ranks. */
static int {name}_exchange(struct {name}_run *run{self._declared})
{{
    const int64_t bytes = {name}_move(run{given}, 0, NULL);
    if (bytes == 0) {{
        return 0;
    }}
    const int root = {name}_root(run{given});
    const int receives = run->rank != root && {name}_is_receiver(run{given}, run->rank);
    int receivers = 0, count = 0;
    for (int other = 0; other < run->size; other++) {{
        receivers += other != root && {name}_is_receiver(run{given}, other);
    }}
    if (receivers > 0 && run->rank == root) {{
        {name}_move(run{given}, 1, run->out);
    }}
    if (receivers > 1 && receivers == run->size - 1) {{
        if (broadcast(run->rank == root ? run->out : run->in, bytes, root, run->comm)) {{
            return 1;
        }}
    }} else if (run->rank == root) {{
        for (int other = 0; other < run->size; other++) {{
            if (other != root && {name}_is_receiver(run{given}, other)
                && start_message(1, run->out, bytes, other, run->comm, run->requests, &count)) {{
                return 1;
            }}
        }}
    }} else if (receives && start_message(0, run->in, bytes, root, run->comm, run->requests, &count)) {{
        return 1;
    }}
    if (count > 0 && MPI_Waitall(count, run->requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS) {{
        return 1;
    }}
    if (receives) {{
        {name}_move(run{given}, -1, run->in);
    }}
    return 0;
}}
"""

    # --- combined values ----------------------------------------------------------------------------------------------

    def _combined(self, values: CombinedValues) -> str:
        name, type_, given = f"{self.name}_{values.name}", values.type.c_name, self._given
        moved = self._named(f"    return {self._call(values.moves)};\n")
        return f"""\
/* Counts (direction 0), packs (1) or unpacks (-1) the values of {values.name} that ranks combine in a step. */
static int64_t {name}_move(struct {self.name}_run *run{self._declared}, int direction, unsigned char *buffer)
{{
{self._silent(values.moves)}{moved}}}

/* Gives the values the neutral element, before a step. */
static void {name}_begin(struct {self.name}_run *run{self._declared})
{{
    {type_} *elements = ({type_} *)(void *)run->out;
    const int64_t count = {name}_move(run{given}, 0, NULL) / (int64_t)sizeof *elements;
    for (int64_t at = 0; at < count; at++) {{
        elements[at] = {values.neutral.name}();
    }}
    {name}_move(run{given}, -1, run->out);
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

static int {name}_combine(struct {self.name}_run *run{self._declared})
{{
    const int64_t bytes = {name}_move(run{given}, 1, run->out);
    if (bytes == 0) {{
        return 0;
    }}
    if (combine_all(run->out, bytes / (int64_t)sizeof({type_}), sizeof({type_}), {name}_operator, run->comm)) {{
        return 1;
    }}
    {name}_move(run{given}, -1, run->out);
    return 0;
}}
"""

    def _measured_values(self) -> str:
        return self._of_combined(f"    run->out_bytes = largest(run->out_bytes, @_move(run{self._given}, 0, NULL));\n")

    def _of_combined(self, text: str) -> str:
        """Returns the text for every combined variable, with its name for `@`."""
        return "".join(text.replace("@", f"{self.name}_{values.name}") for values in self.program.combined)

    @property
    def _dealing(self) -> tuple[c.Expression, c.Expression]:
        return c.Literal(str(self.program.block)), c.Name(self.program.names.ranks)

    def _named(self, text: str) -> str:
        """Returns the text after the names of the rank that it uses."""
        return self.rank.rank_names(text, "run->rank", "run->size", self._numbers, "other")

    # --- steps --------------------------------------------------------------------------------------------------------

    def _steps(self) -> str:
        name, program, names = self.name, self.program, self.program.names
        computed = f"        {self._call(program.loops, status='&run->status')};\n"
        if program.block:
            computed = self._named(self.rank.parts("run->rank", "run->size", names.own, computed, self._numbers))
            computed = complete(computed, *self.rank.steps)
        else:
            computed = computed[4:]
        early = f"""\
    if ({name}_receive(run{self._given}, 0, run->rank, 0)) {{
        run->failed = 1;
        return;
    }}
"""
        begun = self._of_combined(f"    @_begin(run{self._given});\n")
        is_silent = program.common is None and program.message is None
        sent = "" if is_silent else f"    run->failed = {name}_exchange(run{self._given});\n"
        ended = self._of_combined(f"    run->failed = run->failed || @_combine(run{self._given});\n")
        return f"""\
static void {name}_step(struct {name}_run *run{self._declared})
{{
    if (run->failed) {{
        return;
    }}
{begun}{early if program.is_pipeline else ""}{computed}{sent}{ended}}}

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
