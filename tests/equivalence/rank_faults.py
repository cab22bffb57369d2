"""More faults in the texts of ranks: of names, declarations, early returns, order, types and lines of a grid."""

import re
from collections.abc import Iterator

from tests.codegen.mpi_mutants import MpiMutant, mutants
from tests.equivalence.rank_programs import sources

# Kinds of faults: the kind, a pattern, and what stands there instead.
_FAULTS = (
    ("early return", r"^(int \w+_mpi\(.*\n\{\n)", r"\1    if (run_early) { return 0; }\n"),
    ("early return", r"^(static int \w+_exchange\(.*\n\{\n)", r"\1    if (run->rank == 1) { return 0; }\n"),
    ("early return", r"^(static int \w+_send\d?\(.*\n\{\n)", r"\1    if (run->rank > 2) { return 0; }\n"),
    ("early return", r"^(static int \w+_combine\(.*\n\{\n)", r"\1    if (run->size > 2) { return 0; }\n"),
    ("early return", r"^(static void \w+_step\(.*\n\{\n)", r"\1    if (run->low == run->high) { return; }\n"),
    ("macro", r"^#include <string.h>$", "#include <string.h>\n#define max64 min64"),
    ("macro", r"^#include <string.h>$", "#include <string.h>\n#define run->out run->in"),
    ("macro", r"^#include <stdlib.h>$", '#include <stdlib.h>\n#include "more.h"'),
    ("redefined", r"^(static int64_t largest)", r"static int64_t min64(int64_t a, int64_t b) { return b; }\n\1"),
    ("redefined", r"^(static int64_t largest)", r"static long sum_long(long a, long b) { return a - b; }\n\1"),
    ("hidden", r"(    int64_t at = 0;\n)", r"    const int64_t low = 0;\n\1"),
    ("hidden", r"(    int64_t at = 0;\n)", r"    const int64_t N = 3;\n\1"),
    ("hidden", r"(    int64_t at = 0;\n)", r"\1    const int64_t step0 = 0;\n"),
    ("count", r"int64_t at = 0;", "int64_t at = 8;"),
    ("buffer", r"(run->in_bytes = largest\(run->in_bytes, )(.*)\);", r"\1 1 + 0 * (\2));"),
    ("buffer", r"(run->out_bytes = largest\(run->out_bytes, )(.*)\);", r"\1 8 + 0 * (\2));"),
    ("pieces", r"(\(int64_t\)pieces_of\(bytes\d?\)) \* run->size\d?", r"\1"),
    ("pieces", r"pieces \+= pieces_of\(received\) \+ pieces_of\(sent\)", "pieces += pieces_of(received)"),
    ("order of collectives", r"(    if \(\w+_send0\((?:.*\n){3})(    if \(\w+_send1\((?:.*\n){3})", r"\2\1"),
    (
        "order of packing",
        r"(    if \(bytes0 > 0 && run->rank0 ==(?:.*\n){3})((?:.*\n)*?    if \(\w+_send0(?:.*\n){3})",
        r"\2\1",
    ),
    (
        "unpacked before it is sent",
        r"(    if \(\w+_send0(?:.*\n){3})((?:.*\n)*?)(    if \(bytes0 > 0 && run->rank0 !=(?:.*\n){4})",
        r"\3\1\2",
    ),
    ("communicator", r"other, run->line\d, run->requests", "other, run->comm, run->requests"),
    ("communicator", r"root, run->line\d\)", "root, run->comm)"),
    ("communicator", r"root, run->comm\)", "root, MPI_COMM_WORLD)"),
    ("communicator", r"MPI_Comm_dup\(caller, &run.comm\)", "MPI_Comm_dup(MPI_COMM_WORLD, &run.comm)"),
    ("split", r"is_split = \w+_split\(&run\) == 0", "is_split = 1"),
    ("size of a line", r"run->size0 = rows", "run->size0 = columns"),
    ("rank in a line", r"run->rank1 = run->rank % columns", "run->rank1 = run->rank / columns"),
    ("rows", r"rows_of\(size\), columns", "1, columns"),
    ("places", r"first \+ 1, behind \+ 1", "first, behind"),
    ("places", r"rank / columns, rows", "rank % columns, columns"),
    ("owner", r"owner_among\(0, ", "owner_among(1, "),
    ("owner", r"(owner_among\(.*), (\S+)\);", r"\1, \2 + 1);"),
    ("owner", r"(owner_among\(.*), (\S+)\);", r"\1, N - 1);"),
    ("owner", r"at < \(share \+ 1\) \* more", "at <= (share + 1) * more"),
    ("receiver", r"return meets\((\S+), ", r"return meets(\1 + 1, "),
    ("receiver", r"return meets\((.*?, .*?), ", r"return meets(\1 - 1, "),
    ("receiver", r"return meets\(.*\);", "return 0;"),
    ("receiver", r"&& \w+_is_receiver\d?\(run.*, run->rank\d?\)\)", ")"),
    ("receiver", r"other != root && \w+_is_receiver\d?\(run, \w+, other\);", "other != root;"),
    ("neutral", r"return 0L;", "return 1L;"),
    ("neutral", r"return LONG_MIN;", "return 0L;"),
    ("operator", r"return sum_long\(left, right\)", "return left"),
    ("operator", r"return sum_long\(left, right\)", "return difference_long(left, right)"),
    ("operator", r"return max_long\(left, right\)", "return min_long(left, right)"),
    ("operator", r"return (\w+_long)\(left, right\)", r"return \1(right, right)"),
    ("not unpacked", r"    \w+_move\(run(, \w+)*, -1, run->out\);\n", ""),
    ("combination", r"MPI_Allreduce\(MPI_IN_PLACE, at", "MPI_Exscan(MPI_IN_PLACE, at"),
    ("combination", r"at \+= \(size_t\)part \* bytes;", "at += (size_t)part;"),
    ("combination", r"MPI_Reduce\(MPI_IN_PLACE, elements", "MPI_Reduce(elements, elements"),
    ("combination", r"return rank == root \?", "return rank != root ?"),
    (
        "combined early",
        r"(    \w+_loops\(run.*\n)((?:.*\n)*?)(    run->failed = run->failed \|\| \w+_combine.*\n)",
        r"\3\1\2",
    ),
    ("begun late", r"(    \w+_begin\(run.*\n)((?:.*\n)*?)(    \w+_loops\(run.*\n)", r"\3\2\1"),
    ("first rank", r"if \(rank == 0\) \{", "if (rank == 1) {"),
    ("every rank", r"if \(rank == 0\) \{", "if (rank >= 0 && size > 3) {"),
    ("types", r"sizeof\(long\), \w+_operator", "sizeof(int), x_operator"),
    ("types", r"const long \*from = lower", "const int *from = lower"),
    ("types", r"^(static long \w+_step\()long left", r"\1int left"),
    ("types", r"^static long (\w+_neutral)", r"static int \1"),
    ("points left out", r"(_points\((?:.*\n)*?    int64_t at = 0;\n    \{\n        for \(int64_t \w = )0;", r"\g<1>1;"),
    (
        "points left out",
        r"(_points\((?:.*\n)*?    int64_t at = 0;\n    \{\n        for \(.*; \w )< (\w+);",
        r"\1< \2 - 1;",
    ),
    ("ghost", r"direction < 0 \?", "direction > 0 ?"),
    ("step", r"visit\(run, (\w+)\);", r"visit(run, \1 + 1);"),
    ("step", r"visit\(run, (\w+)\);", r"if (\1 > 0) { visit(run, \1); }"),
    ("step", r"visit\(run, (\w+)\);", r"visit(run, \1); visit(run, \1);"),
    ("step", r"visit\(run, (\w+)\);", r"if (run->rank == 0) { visit(run, \1); }"),
    ("bounds of a message", r"step0 >= 0\b", "step0 >= 1"),
    ("bounds of a message", r"step0 < N\b", "step0 < N - 1"),
    ("bounds of a message", r"step0 < N\b", "step0 <= N"),
    ("own places in a message", r"(_common\d?\((?:.*\n)*?.*\{\n        if \()", r"\1low0 >= 0 && "),
    (
        "direction in a message",
        r"(_(?:common\d?|message|values)\((?:.*\n)*?.*\{\n        if \()",
        r"\1direction >= 0 && ",
    ),
)


def _more_mutants(text: str) -> Iterator[MpiMutant]:
    """Yields a text with one of these faults each."""
    for kind, pattern, other in _FAULTS:
        for found in re.finditer(pattern, text, re.MULTILINE):
            line = text[text.rindex("\n", 0, found.start()) + 1 : text.find("\n", found.start() + 1)].strip()
            changed = text[: found.start()] + found.expand(other) + text[found.end() :]
            yield MpiMutant(kind, line, text.count("\n", 0, found.start()) + 1, changed)


def faulty(name: str) -> Iterator[MpiMutant]:
    """Yields the text of a program with one fault each."""
    made, mapped = sources(name)
    text = made.files[f"{mapped.system}.c"]
    yield from (mutant for mutant in (*mutants(text), *_more_mutants(text)) if mutant.text != text)
