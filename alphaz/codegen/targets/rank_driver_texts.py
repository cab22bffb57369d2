"""Names and texts that the parts of a driver of ranks share: parameters, places of a rank, and its arrays."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.printer import expression_text, file_text, statements_text
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.integers import integer
from alphaz.codegen.c.names import identifier
from alphaz.codegen.targets.rank_program import ExchangedArray, RankProgram, Sides


@dataclass(frozen=True, slots=True)
class RankTexts:
    """Texts about the places and arrays of a rank."""

    program: RankProgram

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def parameters(self) -> list[str]:
        return [identifier(p) for p in self.program.parameters]

    @property
    def steps(self) -> list[str]:
        return [identifier(s) for s in self.program.names.steps]

    @property
    def run_arrays(self) -> list[FlatArray]:
        return [*(one.block for one in self.program.exchanged), *self.program.local]

    @property
    def declared(self) -> str:
        """Returns `int64_t N, ` for the parameters of the system."""
        return "".join(f"int64_t {p}, " for p in self.parameters) + "const int64_t *ends, " * self.program.is_given

    @property
    def given(self) -> str:
        return "".join(f"{p}, " for p in self.parameters) + "ends, " * self.program.is_given

    # --- places -----------------------------------------------------------------------------------------------------

    def places(self) -> str:
        """Returns the function that says which places a rank has."""
        program, names = self.program, self.program.names
        from_, to = map(expression, program.places[0])
        if not program.block:
            shared = f"    places_of({from_}, {to}, rank, size, first, behind);\n"
            if program.is_given:
                shared = f"{silent('size')}    *first = ends[rank];\n    *behind = ends[rank + 1];\n"
            if program.shape and len(program.places) == 1:
                shared = f"    const int rows = {self.ranks('size')};\n{self._idle('rows')}"
                shared += f"    places_of({from_}, {to}, rank, rows, first, behind);\n"
            if len(program.places) == 2:
                ends = ", ".join(map(expression, program.places[1]))
                idle = self._idle("rows * columns") if any(program.shape) else ""
                shared = f"""\
{self.grid("size")}{idle}    places_of({from_}, {to}, rank / columns, rows, first, behind);
    places_of({ends}, rank % columns, columns, first + 1, behind + 1);
"""
            return f"""\
int {self.name}_mpi_places({self.declared}int rank, int size, int64_t *first, int64_t *behind)
{{
{silent(*self.parameters)}{shared}    return 0;
}}
"""
        if len(program.places) == 2:
            return self._boxes("int ", "mpi_part", program.block)
        (first_place,) = names.first_place
        return f"""\
int {self.name}_mpi_part({self.declared}int64_t part, int rank, int size, int64_t *first, int64_t *behind)
{{
{silent(*self.parameters)}    const int64_t end = {to}, {first_place} = {from_};
    *first = {first_place} + (part * size + rank) * {program.block};
    *behind = *first + {program.block} < end ? *first + {program.block} : end;
    return *first < end;
}}
"""

    def _boxes(self, type_: str, function: str, height: int) -> str:
        """Returns the function that says which boxes of so many rows a rank of a grid has, row by row."""
        ends = ", ".join(expression(end) for side in self.program.places for end in side)
        return f"""\
{type_}{self.name}_{function}({self.declared}int64_t part, int rank, int size, int64_t *first, int64_t *behind)
{{
{silent(*self.parameters)}    const int64_t ends[4] = {{{ends}}};
    return box_of(ends, {self.program.block}, {height}, part, rank, size, first, behind);
}}
"""

    def rows(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Returns the function that says which rows of boxes a rank has, if one of the texts calls it."""
        is_called = any(f"{self.name}_row(" in text for text in texts)
        return (self._boxes("static int ", "row", 1),) if is_called else ()

    def refused(self, size: str, comm: str, freed: str) -> str:
        """Returns the text that returns status 1 on all ranks if the given ends are no blocks of all places."""
        if not self.program.is_given:
            return ""
        first, behind = map(expression, self.program.places[0])
        return f"""\
    if (agreed(are_blocks({first}, {behind}, {size}, ends) ? 0 : 1, {comm}) != 0) {{
        {freed}
        return 1;
    }}
"""

    def ranks(self, size: str) -> str:
        """Returns the number of ranks that own places, of one distributed dimension."""
        limit = self.program.shape[0] if self.program.shape else 0
        return f"({size} < {limit} ? {size} : {limit})" if limit else size

    def _idle(self, ranks: str) -> str:
        """Returns the text that gives the ranks beyond so many empty blocks."""
        ends = "".join(
            f"        first[{position}] = behind[{position}] = {expression(to)};\n"
            for position, (_, to) in enumerate(self.program.places)
        )
        return f"    if (rank >= {ranks}) {{\n{ends}        return 0;\n    }}\n"

    def grid(self, size: str) -> str:
        """Returns the text that declares the rows and columns of so many ranks."""
        if not any(self.program.shape):
            return f"    const int rows = rows_of({size}), columns = {size} / rows;\n"
        rows, columns = self.program.shape
        if not columns:
            return f"    const int rows = {size} < {rows} ? {size} : {rows}, columns = {size} / rows;\n"
        limit = f"{size} / columns < {rows} ? {size} / columns : {rows}" if rows else f"{size} / columns"
        return f"    const int columns = {size} < {columns} ? {size} : {columns}, rows = {limit};\n"

    def interface_of_places(self) -> str:
        """Returns the declaration of that function."""
        return self.places().split("\n{")[0] + ";"

    def rank_names(
        self, text: str, rank: str, size: str, parameters: str = "", receiver: str | Sequence[str] = ""
    ) -> str:
        """Returns the declarations of names of a rank that a text uses, if places are dealt out, and the text.
        `parameters` are given; the receiver is a rank, or its number in each dimension.
        """
        names, program = self.program.names, self.program
        if not program.block:
            return text
        known: dict[str, str] = {}
        arguments, to = (parameters or self.given).removesuffix(", "), receiver
        for position, ranks in enumerate(self._of_grid(size)):
            number = str(position) if len(program.places) > 1 else ""
            known |= {
                names.first_place[position]: f"{self.name}_first{number}({arguments})",
                names.ranks[position]: ranks,
            }
            known[names.own_rank[position]] = self._member(rank, size, position)
            if to:
                known[names.to_rank[position]] = (
                    self._member(to, size, position) if isinstance(to, str) else to[position]
                )
        used = {n: value for n, value in known.items() if re.search(rf"\b{n}\b", text)}
        return "".join(f"    const int64_t {n} = {value};\n" for n, value in used.items()) + text

    def _of_grid(self, size: str) -> tuple[str, ...]:
        """Returns the numbers of ranks in each dimension, if places are dealt out to so many."""
        return (size,) if len(self.program.places) == 1 else (f"rows_of({size})", f"{size} / rows_of({size})")

    def _member(self, rank: str, size: str, dimension: int) -> str:
        """Returns the number of a rank in a dimension of the grid."""
        if len(self.program.places) == 1:
            return rank
        return f"{rank} {'/%'[dimension]} ({size} / rows_of({size}))"

    def first_place(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Returns the functions that return the smallest place of a dimension, of those that one of the texts calls."""
        declared, every = self.declared.removesuffix(", ") or "void", "".join(texts)
        numbers = ("",) if len(self.program.places) == 1 else ("0", "1")
        return tuple(
            f"""\
static int64_t {self.name}_first{number}({declared})
{{
{silent(*self.parameters)}    return {expression(first)};
}}
"""
            for number, (first, _) in zip(numbers, self.program.places, strict=True)
            if f"{self.name}_first{number}(" in every
        )

    def parts(
        self, rank: str, size: str, ends: Sides, body: str, parameters: str = "", function: str = "mpi_part"
    ) -> str:
        """Returns the text that executes a body for each part of the places of a rank, in their order; those of a grid
        that is dealt out have the order of places if `function` is `row`.
        """
        arguments = parameters or self.given
        if not self.program.block:
            return f"    {{\n{self.ends(rank, size, ends, arguments)}{body}    }}\n"
        if len(ends) == 2:
            declared = "".join(
                f"        const int64_t {low} = first[{position}], {high} = behind[{position}];\n"
                f"        (void){low};\n        (void){high};\n"
                for position, (low, high) in enumerate(ends)
            )
            return (
                f"    for (int64_t part = 0;; part++) {{\n        int64_t first[2], behind[2];\n"
                f"        if (!{self.name}_{function}({arguments}part, {rank}, {size}, first, behind)) {{\n"
                f"            break;\n        }}\n{declared}{body}    }}\n"
            )
        ((low, high),) = ends
        declared = f"        int64_t {low}, {high};\n"
        return (
            f"    for (int64_t part = 0;; part++) {{\n{declared}"
            f"        if (!{self.name}_mpi_part({arguments}part, {rank}, {size}, &{low}, &{high})) {{\n"
            f"            break;\n        }}\n{body}    }}\n"
        )

    def ends(self, rank: str, size: str, ends: Sides, parameters: str = "") -> str:
        """Returns the declarations of the ends of the places of a rank."""
        arguments, names = parameters or self.given, [name for side in ends for name in side]
        if len(ends) == 1:
            ((low, high),) = ends
            text = (
                f"    int64_t {low}, {high};\n    {self.name}_mpi_places({arguments}{rank}, {size}, &{low}, &{high});\n"
            )
            return text + silent(*names)
        low = ends[0][0]
        text = f"    int64_t {low}_first[2], {low}_behind[2];\n"
        text += f"    {self.name}_mpi_places({arguments}{rank}, {size}, {low}_first, {low}_behind);\n"
        for position, (first, behind) in enumerate(ends):
            text += f"    const int64_t {first} = {low}_first[{position}], {behind} = {low}_behind[{position}];\n"
        return text + silent(*names)

    def with_places(self, text: str) -> str:
        """Returns the text after the declarations of the names of a rank that it uses."""
        if self.program.block:
            return complete(self.rank_names(text, "rank", "size"), *self.parameters, "rank", "size")
        return self.ends("rank", "size", self.program.names.own) + text

    # --- arrays -----------------------------------------------------------------------------------------------------

    @staticmethod
    def box(array: FlatArray, text: str) -> str:
        """Returns the declarations of constants of an array that a text uses."""
        constants: list[c.Declare] = []
        for declared in reversed(array.constants):
            if re.search(rf"\b{declared.name}\b", text + statements(constants)):
                constants.insert(0, declared)
        return statements(constants)

    def block(self, one: ExchangedArray) -> str:
        """Returns the function that describes the block of an array."""
        rank = range(one.block.rank)
        lower = "".join(f"    first[{at}] = {expression(integer(one.block.lower[at]))};\n" for at in rank)
        extents = "".join(f"    extent[{at}] = {expression(integer(one.block.extents[at]))};\n" for at in rank)
        unused = "" if one.block.rank else silent("first", "extent")
        text = self.with_places(f"{self.box(one.block, lower + extents)}{unused}{lower}{extents}")
        return f"""\
int {self.name}_mpi_block_{one.name}({self.declared}int rank, int size, int64_t *first, int64_t *extent)
{{
{text}    return 0;
}}
"""

    def moves(self, one: ExchangedArray) -> str:
        """Returns the functions that move the points of a rank between a buffer and an array of all, or of its own."""
        sides = (("whole", one.of_whole, one.whole), ("mine", one.of_block, one.block))
        return "\n".join(self._move(one, *side) for side in sides)

    def _move(self, one: ExchangedArray, side: str, function: c.Function, array: FlatArray) -> str:
        known = {array.name: "array", "direction": "direction", "buffer": "direction ? buffer + bytes : NULL"}
        arguments = ", ".join(known.get(p.name, p.name) for p in function.parameters)
        body = f"        bytes += {function.name}({arguments});\n"
        ends = self.program.names.own
        only = "if (rank == 0) " if one.on_all else ""
        moved = self.parts("rank", "size", ends, body) if one.is_by_parts else f"    {only}{{\n{body}    }}\n"
        text = self.rank_names(moved, "rank", "size")
        return f"""\
static int64_t {self.name}_{side}_{one.name}({self.declared}int rank, int size, {pointer(array)}array, int direction,
                                             unsigned char *buffer)
{{
    int64_t bytes = 0;
{complete(text, *self.parameters, "rank", "size", "array", "buffer")}    return bytes;
}}
"""

    def allocations(self) -> str:
        """Returns functions that allocate the arrays of a rank."""
        parts = []
        for array in self.run_arrays:
            type_ = array.type.c_name
            size = f"bytes_of(sizeof({type_}), {array.rank}, {expression(array.extents_code)})"
            text = self.with_places(f"{self.box(array, size)}    const int64_t bytes = {size};\n")
            parts.append(f"""\
static {type_} *{self.name}_allocate_{array.name}({self.declared}int rank, int size)
{{
{text}    return bytes < 0 ? NULL : malloc((size_t)largest(bytes, 1));
}}
""")
        return "\n".join(parts)


def silent(*names: str) -> str:
    """Returns statements that use names, so that compilers do not warn."""
    return "".join(f"    (void){name};\n" for name in names)


def complete(text: str, *names: str) -> str:
    """Returns the text after statements that use the names that it does not."""
    return silent(*(name for name in names if not re.search(rf"\b{name}\b", text))) + text


def expression(value: c.Expression) -> str:
    """Returns the text of an expression."""
    return expression_text(value).replace("\n", " ")


def statements(body: Sequence[c.Statement] | Iterable[c.Statement]) -> str:
    """Returns the text of statements in a function."""
    return statements_text(tuple(body), 1)


def pointer(array: FlatArray) -> str:
    """Returns the text of the type of a pointer to its elements."""
    return f"{array.type.c_name} *"


def declaration(parameter: c.Parameter, restrict: bool = True) -> str:
    """Returns the text of a parameter."""
    type_ = parameter.type
    if not restrict and isinstance(type_, c.Pointer):
        type_ = replace(type_, restrict=False)
    text = file_text(c.File((c.Function(c.VOID, "f", (replace(parameter, type=type_),)),)))
    return text[text.index("(") + 1 : text.rindex(")")]
