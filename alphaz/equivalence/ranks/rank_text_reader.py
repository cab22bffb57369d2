"""Reads the generated C of ranks: the parts that are proved, of a text that is otherwise the expected protocol."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.parse import parse
from alphaz.c.printer import expression_text
from alphaz.c.walk import difference, nodes
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.ranks.protocol_functions import of_fortran, protocol
from alphaz.equivalence.ranks.protocol_helpers import ALWAYS, HELPERS, OPTIONAL
from alphaz.equivalence.ranks.protocol_steps import ends
from alphaz.equivalence.ranks.rank_outline import (
    BlockArray,
    Border,
    CombinedVariable,
    MovedPart,
    RankOutline,
    SharedMessage,
    Sides,
    Way,
    flat,
)
from alphaz.equivalence.ranks.rank_statement_checks import (
    MOST,
    Statements,
    UnexpectedText,
    check_control,
    check_numbers,
    check_pure,
    constants_of,
    integers,
    is_constant,
    is_pure,
    is_simple,
    is_truth,
    visited,
    without_silence,
)

TYPES = ("MPI_Comm", "MPI_Request", "MPI_Fint", "MPI_Datatype", "MPI_Op", "MPI_User_function")
_INCLUDES = ("<stdio.h>", "<stdlib.h>", "<string.h>", '"alphaz.h"')
NUMERIC = ("<math.h>", "<limits.h>", "<stdbool.h>", "<float.h>")
"""Headers of the functions and numbers of the equations."""
_ANY = RankOutline(
    name="",
    parameters=(),
    steps=(),
    own=(("0", "0"), ("0", "0")),
    part=(("0", "0"), ("0", "0")),
    sender=(("0", "0"), ("0", "0")),
    receiver=(("0", "0"), ("0", "0")),
    arrays=(BlockArray("0", "0", "input"), BlockArray("0", "0", "output")),
    way=Way.OVERLAP,
    border=((0, 0), (0, 0)),
    places=(("0", "0"), ("0", "0")),
    computing="0",
    moving="0",
    points={("0", "whole"): "0", ("0", "mine"): "0"},
)
_SHARED = replace(_ANY, way=Way.EXCHANGE, moving="", shared=tuple(SharedMessage(at, "0", "0", "0") for at in (0, 1)))
_COMBINED = replace(
    _SHARED, own=(("0", "0"),), receiver=(("0", "0"),), places=(("0", "0"),), shared=(SharedMessage(0, "0", "0", "0"),)
)
_COMBINED = replace(_COMBINED, combined=(CombinedVariable("0", "0", "0"), CombinedVariable("0", "0", "0", "0")))
_NULL = c.Name("NULL")


@dataclass(frozen=True, slots=True, eq=False)
class SharedText:
    """The parts of a message that is the same for all its receivers, which differ in one dimension: the function that
    moves its values, whether a rank receives it, and the place whose rank sends it.
    """

    dimension: int
    moving: c.Function
    receives: c.Expression
    place: c.Expression


@dataclass(frozen=True, slots=True, eq=False)
class CombinedText:
    """The parts of a variable whose values ranks combine: the function that moves those of a step, the neutral element,
    the function that combines two, and the place whose rank alone gets them (None: all ranks do).
    """

    array: str
    values: c.Function
    neutral: c.Expression
    combining: c.Function
    place: c.Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class RankText:
    """The parts of a text that are proved. `constants` are sizes and offsets of arrays, by name, over the parameters
    and the ends of the places of a rank; `extents` those of the arrays. `points` are the functions that move the points
    of an array, by its name and the side. `moving` moves the values of a message from one rank to another; None without
    such messages. `steps` are the loops over all steps, with calls of `visit`. `places` are the smallest place and the
    one after the largest, by dimension. `refused` are the conditions under which parameters are not valid, and `sized`
    the arrays of the caller, with their extents, that are refused if they are too large. `headers` are those of the
    functions and numbers of the equations.
    """

    outline: RankOutline
    computing: c.Function
    moving: c.Function | None
    shared: tuple[SharedText, ...]
    combined: tuple[CombinedText, ...]
    points: Mapping[tuple[str, str], c.Function]
    extents: Mapping[str, tuple[c.Expression, ...]]
    constants: Mapping[str, c.Expression]
    places: tuple[tuple[c.Expression, c.Expression], ...]
    steps: Statements
    refused: tuple[c.Expression, ...]
    sized: tuple[tuple[str, tuple[c.Expression, ...]], ...]
    headers: tuple[str, ...]


def read_rank_text(source: Source, name: str, header: str) -> RankText:
    """Returns the parts of the text of a program of ranks, whose functions begin with this name.

    Raises UnexpectedText.
    """
    try:
        tree = parse(source, types=TYPES)
    except Rejected as problem:
        finding = problem.diagnostics[0]
        raise UnexpectedText(finding.message, c.SourcePlace("", *finding.primary.span.position)) from None
    others = {*tree.includes} - {*_INCLUDES, *NUMERIC, f'"{header}"'}
    if others or tree.constants:
        raise UnexpectedText("the text has other headers or macros")
    functions = _by_name(tree, name)
    for end, what in _UNREAD.items():
        if f"{name}_{end}" in functions:
            raise UnexpectedText(f"{what} are not read: `{name}_{end}`")
    headers = tuple(header for header in NUMERIC if header in tree.includes)
    return _Reader(name, functions, _run_fields(tree, name), headers).text()


_UNREAD = {"mpi_part": "places that are dealt out", "totals": "scans"}
"""By the end of the name of a function: what a text with this function has."""


def _by_name(tree: c.File, name: str) -> dict[str, c.Function]:
    functions: dict[str, c.Function] = {}
    for item in tree.items:
        match item:
            case c.Function(body=body) if body is not None and item.name not in functions:
                functions[item.name] = item
            case c.Declare(c.Record(tag), ""):
                if tag != f"{name}_run":
                    raise UnexpectedText(f"`struct {tag}` is not expected", item.at)
            case _:
                name = getattr(item, "name", "")
                raise UnexpectedText(f"`{name}` is declared twice, or is not expected", getattr(item, "at", None))
    return functions


def _run_fields(tree: c.File, name: str) -> tuple[c.Parameter, ...]:
    for item in tree.items:
        match item:
            case c.Declare(c.Record(tag, fields), "") if tag == f"{name}_run" and fields is not None:
                return fields
    raise UnexpectedText(f"`struct {name}_run` is missing")


@dataclass(frozen=True, slots=True, eq=False)
class _Reader:
    name: str
    functions: Mapping[str, c.Function]
    fields: tuple[c.Parameter, ...]

    headers: tuple[str, ...]

    def text(self) -> RankText:
        outline = self._outline()
        _check_names(outline)
        expected = _parsed(protocol(outline))
        known = self._checked(outline, expected)
        points = {
            (array.name, side): self.function(f"{self.name}_{word}_{array.name}_points")
            for array in outline.exchanged
            for side, word in (("whole", "whole"), ("mine", "block"))
        }
        moving = self.function(f"{self.name}_message") if outline.moving else None
        shared = tuple(self._shared_text(outline, message) for message in outline.shared)
        combined = tuple(self._combined_text(outline, variable) for variable in outline.combined)
        computing, all_ = self.function(f"{self.name}_loops"), self.function(f"{self.name}_all")
        allocations = {array.name: self.function(f"{self.name}_allocate_{array.name}") for array in outline.arrays}
        moved = [*points.values(), *(one.moving for one in shared), *(one.values for one in combined)]
        moved += [moving] if moving is not None else []
        _check_kind(computing, c.VOID)
        _check_arguments(computing, outline)
        for function in moved:
            _check_kind(function, c.INT64)
        receiving = (self.body(f"{self.name}_receives{outline.line(message)}") for message in outline.shared)
        for body in (*(function.body or () for function in (computing, *moved)), *receiving):
            check_numbers(body)
        self._check_known(outline, {*known, *(f.name for f in (computing, all_, *moved, *allocations.values()))})
        extents: dict[str, tuple[c.Expression, ...]] = {}
        constants: dict[str, c.Expression] = {}
        for array in outline.arrays:
            extents[array.name] = self._extents(outline, array, allocations[array.name], constants)
        for function in (computing, *moved):
            _collect(constants, constants_of(function, outline)[0])
        return RankText(
            outline=outline,
            computing=computing,
            moving=moving,
            shared=shared,
            combined=combined,
            points=points,
            extents=extents,
            constants=constants,
            places=self._places(),
            steps=self._steps(outline, all_),
            refused=tuple(condition for entry in self._entries for condition in self._refused(outline, entry)),
            sized=tuple(size for entry in self._entries for size in _sized(_checks(self.body(entry), outline))),
            headers=self.headers,
        )

    def _check_known(self, outline: RankOutline, known: set[str]) -> None:
        """Raises UnexpectedText for a function that is not read, and for a call of a helper that is missing."""
        blocks = (f"{self.name}_mpi_block_{array.name}" for array in outline.exchanged)
        receives = (f"{self.name}_receives{outline.line(message)}" for message in outline.shared)
        combining = (f"{self.name}_{one.name}_{end}" for one in outline.combined for end in ("neutral", "step"))
        allowed = {*known, *blocks, *receives, *combining}
        for name, function in self.functions.items():
            if name not in allowed:
                raise UnexpectedText(f"`{name}` is not expected", function.at)
            for call in nodes(function.body or (), c.Call):
                if call.function in OPTIONAL and call.function not in self.functions:
                    raise UnexpectedText(f"`{call.function}` is missing")

    def _shared_text(self, outline: RankOutline, message: SharedMessage) -> SharedText:
        at = outline.line(message)
        receives = self.function(f"{self.name}_receives{at}")
        _check_kind(receives, c.INT)
        match without_silence(receives.body or ()):
            case (c.Return(condition),) if condition is not None and is_truth(condition):
                names = {*outline.parameters, *outline.steps, *outline.receiver[message.dimension]}
                check_pure(condition, names, {"meets"})
                place = self._place(f"{self.name}_root{at}", outline)
                moving = self.function(f"{self.name}_common{at}")
                return SharedText(message.dimension, moving, condition, place)
        raise UnexpectedText(f"`{receives.name}` is not the expected one", receives.at)

    def _combined_text(self, outline: RankOutline, variable: CombinedVariable) -> CombinedText:
        name = f"{self.name}_{variable.name}"
        neutral, combining = self.function(f"{name}_neutral"), self.function(f"{name}_step")
        (array,) = (array for array in outline.arrays if array.name == variable.name)
        for function, count in ((neutral, 0), (combining, 2)):
            if len(function.parameters) != count or not is_simple(function, array.type):
                raise UnexpectedText(f"`{function.name}` is not the expected one", function.at)
        match neutral.body:
            case (c.Return(value),) if value is not None:
                place = self._place(f"{name}_root", outline) if variable.place else None
                return CombinedText(
                    array=variable.name,
                    values=self.function(f"{name}_values"),
                    neutral=value,
                    combining=combining,
                    place=place,
                )
        raise UnexpectedText(f"`{neutral.name}` is not the expected one", neutral.at)

    def _place(self, name: str, outline: RankOutline) -> c.Expression:
        """Returns the place whose rank a function returns. Raises UnexpectedText."""
        place = self._returned_place(name)
        check_pure(place, {*outline.parameters, *outline.steps})
        return place

    def _returned_place(self, name: str) -> c.Expression:
        match self.body(name):
            case (*_, c.Return(c.Cast(_, c.Call("owner_among", (*_, place))))):
                return place
            case (*_, c.Declare(_, "at", place), c.Return(_)) if place is not None:
                return place
        raise UnexpectedText(f"`{name}` is not the expected one", self.function(name).at)

    def _refused(self, outline: RankOutline, entry: str) -> list[c.Expression]:
        """Returns the conditions under which parameters are not valid. Raises UnexpectedText unless all are limited."""
        checks = _checks(self.body(entry), outline)
        limits = [call.arguments for call in nodes(checks, c.Call) if call.function == "too_large"]
        if any((c.Name(name),) not in limits for name in outline.parameters):
            raise UnexpectedText(f"`{entry}` does not limit a parameter", self.function(entry).at)
        return [check.condition for check in checks if check.then == (c.Return(c.Literal("1")),)]

    def function(self, name: str) -> c.Function:
        if name not in self.functions:
            raise UnexpectedText(f"`{name}` is missing")
        return self.functions[name]

    @property
    def _entries(self) -> tuple[str, str]:
        """Returns the names of the functions that begin with checks of the parameters."""
        return f"{self.name}_mpi", f"{self.name}_status"

    def body(self, name: str) -> Statements:
        return without_silence(self.function(name).body or ())

    # --- the outline ------------------------------------------------------------------------------------------------

    def _outline(self) -> RankOutline:
        name = self.name
        parameters = _before(self.function(f"{name}_mpi_places").parameters, "rank")
        steps = tuple(p.name for p in self.function(f"{name}_step").parameters[1:])
        places = tuple((expression_text(first), expression_text(behind)) for first, behind in self._places())
        sides = self.fields[len(parameters) : len(parameters) + 2 * len(places)]
        own = _pairs([field.name for field in sides])
        arrays = self._arrays(len(parameters), len(sides))
        way = self._way()
        sender, receiver = self._ends_in_move(len(own))
        part = own
        if way is Way.OVERLAP:
            part = _pairs([p.name for p in self.function(f"{name}_part").parameters[-2 * len(own) :]])
        known = {p: f"run->{p}" for p in (*parameters, *(array.name for array in arrays))}
        mine = {end: f"run->{end}" for side in own for end in side}
        plain = {p: p for p in (*steps, "direction", "buffer")}
        inside = {end: end for sides in (part, sender, receiver) for side in sides for end in side}
        outline = RankOutline(
            name=name,
            parameters=tuple(parameters),
            steps=steps,
            own=own,
            part=part,
            sender=sender,
            receiver=receiver,
            arrays=arrays,
            way=way,
            border=self._border(len(own)) if way is Way.OVERLAP else ((0, 0),) * len(own),
            places=places,
            computing=self._call(f"{name}_loops", {**plain, **inside, **known, **mine}),
            moving=self._call(f"{name}_message", {**plain, **inside, **known, **mine}) if sender else "",
            points=self._point_calls(arrays, parameters, mine),
        )
        outline = replace(outline, shared=tuple(self._shared(outline, {**plain, **known})))
        outline = replace(outline, combined=tuple(self._combined(outline, {**plain, **known})))
        is_late = bool(outline.shared or outline.combined) and way is Way.OVERLAP
        if is_late or (outline.shared and way is Way.PIPELINE):
            raise UnexpectedText("messages of several kinds are under way at once")
        if outline.is_grid and way is Way.PIPELINE:
            raise UnexpectedText("a grid of ranks is no pipeline")
        return outline

    def _shared(self, outline: RankOutline, known: Mapping[str, str]) -> Iterator[SharedMessage]:
        """Yields the messages that are the same for all their receivers."""
        for dimension in range(len(outline.own)):
            at = str(dimension) if outline.is_grid else ""
            if f"{self.name}_common{at}" in self.functions:
                own = {end: f"run->{end}" for side in outline.own for end in side}
                receiver = outline.receiver[dimension]
                yield SharedMessage(
                    dimension=dimension,
                    place=expression_text(self._returned_place(f"{self.name}_root{at}")),
                    moving=self._call(f"{self.name}_common{at}", {**known, **own}),
                    receives=self._call(f"{self.name}_receives{at}", {**known, **{end: end for end in receiver}}),
                )

    def _combined(self, outline: RankOutline, known: Mapping[str, str]) -> Iterator[CombinedVariable]:
        for array in outline.arrays:
            name = f"{self.name}_{array.name}"
            if f"{name}_combine" not in self.functions:
                continue
            if outline.is_grid:
                raise UnexpectedText(f"`{name}_combine`: values that ranks of a grid combine are not read")
            place = expression_text(self._returned_place(f"{name}_root")) if f"{name}_root" in self.functions else ""
            yield CombinedVariable(array.name, array.type, self._call(f"{name}_values", known), place)

    def _call(self, name: str, known: Mapping[str, str]) -> str:
        """Returns the call in which each argument has the name of its parameter."""
        fields = {field.name: field.type for field in self.fields}
        words = [known.get(parameter.name) for parameter in self.function(name).parameters]
        if None in words or not all(_has_its_type(p, fields) for p in self.function(name).parameters):
            raise UnexpectedText(f"`{name}` has a parameter that is not expected", self.function(name).at)
        return f"{name}({', '.join(word for word in words if word)})"

    def _point_calls(
        self, arrays: Sequence[BlockArray], parameters: Sequence[str], own: Iterable[str]
    ) -> dict[tuple[str, str], str]:
        calls, names = {}, (*parameters, *own)
        for array in (array for array in arrays if array.caller):
            named = names if array.moved is MovedPart.BY_PLACES else parameters
            known = {name: name for name in named} | {array.name: "array", "direction": "direction"}
            known["buffer"] = "direction ? buffer + bytes : NULL"
            calls[array.name, "whole"] = self._call(f"{self.name}_whole_{array.name}_points", known)
            calls[array.name, "mine"] = self._call(f"{self.name}_block_{array.name}_points", known)
        return calls

    def _arrays(self, first: int, ends: int) -> tuple[BlockArray, ...]:
        """Returns the arrays in the record of a run, behind so many parameters and ends of places."""
        callers = {}
        for parameter in self.function(f"{self.name}_mpi").parameters[first:-1]:
            match parameter.type:
                case c.Pointer(to):
                    callers[parameter.name] = "input" if getattr(to, "const", False) else "output"
        arrays = list[BlockArray]()
        for field in self.fields[first + ends :]:
            match field.type:
                case c.Pointer((c.Scalar() | c.Named()) as type_) if type_.name not in (*TYPES, "unsigned char"):
                    caller = callers.get(field.name, "")
                    moved = self._moved(field.name, caller) if caller else MovedPart.BY_PLACES
                    arrays.append(BlockArray(field.name, type_.name, caller, moved))
        return tuple(arrays)

    def _moved(self, array: str, caller: str) -> MovedPart:
        """Returns the points of an array of the caller that a rank moves."""
        match self.body(f"{self.name}_whole_{array}"):
            case (_, c.If(), _) if caller == "output":
                return MovedPart.BY_FIRST
            case (_, c.Block((c.Evaluate(),)), _):
                return MovedPart.BY_ALL
        return MovedPart.BY_PLACES

    def _way(self) -> Way:
        if f"{self.name}_start" in self.functions:
            return Way.OVERLAP
        calls = nodes(self.body(f"{self.name}_step"), c.Call)
        return Way.PIPELINE if any(call.function == f"{self.name}_receive" for call in calls) else Way.EXCHANGE

    def _border(self, width: int) -> tuple[Border, ...]:
        *sides, _ = self.body(f"{self.name}_inner")
        borders = list[Border]()
        for begin, end in zip(sides[::2], sides[1::2], strict=False):
            match begin, end:
                case (
                    c.Declare(value=c.Call("smallest", (c.Binary("+", _, c.Literal(low)), _))),
                    c.Declare(value=c.Call("largest", (_, c.Binary("-", _, c.Literal(high))))),
                ) if low.isdecimal() and high.isdecimal() and int(low) <= MOST and int(high) <= MOST:
                    borders.append((int(low), int(high)))
        if len(borders) != width:
            inner = self.function(f"{self.name}_inner")
            raise UnexpectedText(f"`{inner.name}` has other ends of the inner places", inner.at)
        return tuple(borders)

    def _ends_in_move(self, width: int) -> tuple[Sides, Sides]:
        """Returns the names of the ends of the places of a sender and of a receiver, in the functions of messages;
        those of a sender are none if no message has one receiver.
        """
        count = 2 * width if width == 1 else 2 + 2 * width
        if f"{self.name}_message" in self.functions:
            declared = self._declared(f"{self.name}_move", 2 * count)
            return _pairs(declared[count - 2 * width : count]), _pairs(declared[2 * count - 2 * width :])
        for at in ("", "0", "1"):
            if f"{self.name}_common{at}" in self.functions:
                return (), _pairs(self._declared(f"{self.name}_is_receiver{at}", count)[count - 2 * width :])
        return (), ()

    def _declared(self, name: str, count: int) -> list[str]:
        """Returns so many names that a function declares. Raises UnexpectedText for another number."""
        declared = [s.name for s in self.body(name) if isinstance(s, c.Declare)]
        if len(declared) != count:
            raise UnexpectedText(f"`{name}` is not the expected one", self.function(name).at)
        return declared

    def _places(self) -> tuple[tuple[c.Expression, c.Expression], ...]:
        name, places = f"{self.name}_mpi_places", list[tuple[c.Expression, c.Expression]]()
        if any(parameter.name == "ends" for parameter in self.function(name).parameters):
            raise UnexpectedText(f"blocks that the caller gives are not read: `{name}`")
        for call in nodes(self.body(name), c.Call):
            match call:
                case c.Call("places_of", (first, behind, *_)):
                    places.append((first, behind))
        if len(places) not in (1, 2):
            raise UnexpectedText(f"`{name}` is not the expected one", self.function(name).at)
        return tuple(places)

    # --- the protocol -----------------------------------------------------------------------------------------------

    def _checked(self, outline: RankOutline, expected: c.File) -> set[str]:
        """Returns the names of the functions of the protocol. Raises UnexpectedText for one that differs."""
        known = set[str]()
        for helper in _parsed("".join((*OPTIONAL.values(), of_fortran(outline)))).items:
            if isinstance(helper, c.Function) and helper.name in self.functions:
                known.add(helper.name)
                self._check(outline, helper)
        for array in outline.exchanged:
            self._check_block(outline, array)
        for item in expected.items:
            if isinstance(item, c.Function):
                if item.name in known:
                    raise UnexpectedText(f"`{item.name}` has two meanings")
                known.add(item.name)
                self._check(outline, item)
            elif isinstance(item, c.Declare) and isinstance(item.type, c.Record) and item.type.fields != self.fields:
                differing = difference(c.Record("", self.fields), c.Record("", item.type.fields))
                raise UnexpectedText(f"`struct {self.name}_run` is not the expected one", differing)
        return known

    def _check(self, outline: RankOutline, wanted: c.Function) -> None:
        actual = self.function(wanted.name)
        body = without_silence(actual.body or ())
        if wanted.name in self._entries:
            body = body[len(_checks(body, outline)) :]
        actual = replace(actual, body=body, comment="")
        wanted = replace(wanted, body=without_silence(wanted.body or ()))
        if actual != wanted:
            raise UnexpectedText(f"`{wanted.name}` is not the expected one", difference(actual, wanted))

    def _check_block(self, outline: RankOutline, array: BlockArray) -> None:
        """Raises UnexpectedText unless the function that describes the block of an array has no other effect."""
        name = f"{self.name}_mpi_block_{array.name}"
        places = ends(outline, "rank", "size", outline.own, outline.given)
        numbers = "int rank, int size, int64_t *first, int64_t *extent"
        (head,) = _parsed(f"int {name}({outline.declared}{numbers}) {{ {places} return 0; }}").items
        assert isinstance(head, c.Function)
        *start, last = without_silence(head.body or ())
        function, stored = self.function(name), list(self.body(name))
        if stored[: len(start)] == start:
            del stored[: len(start)]
        if replace(function, body=head.body, comment="") != head or stored[-1:] != [last]:
            raise UnexpectedText(f"`{name}` is not the expected one", self.function(name).at)
        if not all(_is_number_of_block(statement) for statement in stored[:-1]):
            raise UnexpectedText(f"`{name}` is not the expected one", self.function(name).at)

    def _steps(self, outline: RankOutline, function: c.Function) -> Statements:
        run = f"struct {self.name}_run *run"
        wanted = _parsed(f"static void {self.name}_all({run}, void (*visit)({run}{outline.step_parameters})) {{}}")
        (head,) = wanted.items
        if replace(function, body=(), comment="") != head:
            raise UnexpectedText(f"`{function.name}` is not the expected one", function.at)
        body = list(without_silence(function.body or ()))
        while body and isinstance(body[0], c.Declare):
            declared = body.pop(0)
            assert isinstance(declared, c.Declare)
            is_parameter = declared.name in outline.parameters and is_constant(declared)
            if not is_parameter or declared.value != c.Member(c.Name("run"), declared.name, arrow=True):
                reason = f"`{function.name}` declares `{declared.name}`, which is no parameter"
                raise UnexpectedText(reason, declared.at)
        check_control(body, {*outline.parameters}, {"run", "visit"}, lambda statement: visited(statement) is not None)
        return tuple(body)

    def _extents(
        self, outline: RankOutline, array: BlockArray, function: c.Function, constants: dict[str, c.Expression]
    ) -> tuple[c.Expression, ...]:
        """Returns the extents of an array, of the function that allocates it."""
        body = list(without_silence(function.body or ()))
        places = ends(outline, "rank", "size", outline.own, outline.given)
        wanted = _parsed(f"""\
static {array.type} *{function.name}({outline.declared}int rank, int size)
{{
{places}    const int64_t bytes = bytes_of(sizeof({array.type}), 0, (const int64_t[]){{0}});
    return bytes < 0 ? NULL : malloc((size_t)largest(bytes, 1));
}}
""")
        (head,) = wanted.items
        assert isinstance(head, c.Function)
        *start, middle, last = head.body or ()
        count = len(start)
        (sizes,) = nodes(middle, c.Call)
        assert isinstance(middle, c.Declare)
        own = dict[str, c.Expression]()
        for statement in body[count:-2]:
            if not isinstance(statement, c.Declare) or statement.value is None or not is_constant(statement):
                raise UnexpectedText(f"`{function.name}` is not the expected one", function.at)
            own[statement.name] = statement.value
        match body[-2:]:
            case [c.Declare(_, _, c.Call(_, (_, _, extents))), _] if extents == _NULL or integers(extents):
                values = integers(extents)
                size = replace(sizes, arguments=(sizes.arguments[0], c.Literal(str(len(values))), extents))
                if (*body[:count], *body[-2:]) == (*start, replace(middle, value=size), last) and head == replace(
                    function, body=head.body, comment=""
                ):
                    _collect(constants, own)
                    return values
        raise UnexpectedText(f"`{function.name}` is not the expected one", function.at)


# --- statements -------------------------------------------------------------------------------------------------------


def _parsed(text: str) -> c.File:
    return parse(Source("protocol", text), types=TYPES)


def _has_its_type(parameter: c.Parameter, fields: Mapping[str, c.Type]) -> bool:
    """Returns True if a parameter is an array of the type of the field of this name, or an integer of 64 bits."""
    match parameter.name, parameter.type:
        case "direction", type_:
            return type_ == c.INT
        case "buffer", c.Pointer(to):
            return to == c.Scalar("unsigned char")
        case name, c.Pointer((c.Scalar() | c.Named()) as to):
            return fields.get(name) == c.Pointer(replace(to, const=False))
        case name, type_:
            return type_ == c.INT64 and not isinstance(fields.get(name), c.Pointer)


def _before(parameters: Sequence[c.Parameter], name: str) -> tuple[str, ...]:
    """Returns the names of the parameters in front of one."""
    names = [parameter.name for parameter in parameters]
    if name not in names:
        raise UnexpectedText(f"a function has no parameter `{name}`")
    return tuple(names[: names.index(name)])


def _check_names(outline: RankOutline) -> None:
    """Raises UnexpectedText if a name of the program is one of the protocol, or has two meanings."""
    arrays = (array.name for array in outline.arrays)
    sides = (*outline.own, *outline.sender, *outline.receiver)
    sides += outline.part if outline.way is Way.OVERLAP else ()
    mine = [*outline.parameters, *outline.steps, *flat(sides), *arrays]
    if len({*mine}) != len(mine):
        raise UnexpectedText("a name of the program has two meanings")
    helpers = {function.name for function in _parsed(HELPERS).items if isinstance(function, c.Function)}
    texts = "".join(protocol(names).removeprefix(ALWAYS) for names in (_ANY, _SHARED, _COMBINED))
    taken = {*re.findall(r"[A-Za-z_]\w*", texts), *helpers}
    taken |= {f"{low}{end}" for low in outline.ends for end in ("_first", "_behind")}
    clash = next((name for name in mine if name in taken or name.startswith(("MPI_", f"{outline.name}_"))), None)
    if clash is not None:
        raise UnexpectedText(f"`{clash}` is a name of the protocol")


def _check_kind(function: c.Function, type_: c.Type) -> None:
    """Raises UnexpectedText unless a function is a static one that returns this type."""
    expected = c.Function(type_, function.name, function.parameters, function.body, "static", function.comment)
    if function != expected:
        raise UnexpectedText(f"`{function.name}` is not the expected one", function.at)


def _check_arguments(function: c.Function, outline: RankOutline) -> None:
    """Raises UnexpectedText if a function changes one of its arguments: the next step has those of the rank again.
    Nor may it store in inputs, which are constant for callers: only their elements are used.
    """
    inputs = {array.name for array in outline.exchanged if array.caller == "input"}
    body = function.body or ()
    used = [node for node in nodes(body, c.Name) if node.name in inputs]
    elements = [node for node in nodes(body, c.Index) if node.base in used]
    pointed = [node for node in nodes(body, c.Unary) if node.operator == "&" and node.operand in elements]
    if len(used) != len(elements) or pointed:
        raise UnexpectedText(f"`{function.name}` uses an input other than by the values of its elements", used[0].at)
    targets = [node.target for node in nodes(body, (c.Assign, c.Set))]
    targets += [
        node.operand for node in nodes(body, (c.Step, c.Unary)) if not isinstance(node, c.Unary) or node.operator == "&"
    ]
    for parameter in function.parameters:
        is_changed = parameter.name in inputs and not getattr(getattr(parameter.type, "to", None), "const", False)
        if is_changed or c.Name(parameter.name) in targets:
            raise UnexpectedText(f"`{function.name}` changes `{parameter.name}`", function.at)


def _collect(constants: dict[str, c.Expression], more: Mapping[str, c.Expression]) -> None:
    for name, value in more.items():
        if constants.setdefault(name, value) != value:
            raise UnexpectedText(f"`{name}` has two values", value.at)


def _checks(body: Statements, outline: RankOutline) -> tuple[c.If, ...]:
    """Returns the first statements, which return 1 for parameters that are not valid, and 2 for sizes that are too
    large: conditions on the parameters alone, so all ranks return.
    """
    checks = list[c.If]()
    for statement in body:
        match statement:
            case c.If(condition, (c.Return(c.Literal("1")),), ()) if is_pure(condition, {*outline.parameters}):
                checks.append(statement)
            case c.If(condition, (c.Return(c.Literal("2")),), ()) if _is_size_check(condition, outline):
                checks.append(statement)
            case _:
                break
    return tuple(checks)


def _is_number_of_block(statement: c.Statement) -> bool:
    """Returns True for a constant, and for a number in the description of a block."""
    match statement:
        case c.Assign(c.Index(c.Name("first" | "extent"), c.Literal()), value, "=") | c.Declare(value=value):
            is_number = isinstance(statement, c.Assign) or is_constant(statement)
            return value is not None and is_number and is_pure(value, {*c.names_used((c.Evaluate(value),))})
    return False


def _is_size_check(condition: c.Expression, outline: RankOutline) -> bool:
    match condition:
        case c.Binary("||", left, right):
            return _is_size_check(left, outline) and _is_size_check(right, outline)
        case c.Call("too_large", (c.Name(name),)):
            return name in outline.parameters
        case c.Binary("<", c.Call("bytes_of", (c.SizeOf(c.Unary("*", c.Name())), c.Literal(rank), extents)), c.ZERO):
            return rank == str(len(integers(extents)))
    return False


def _sized(checks: Iterable[c.If]) -> Iterator[tuple[str, tuple[c.Expression, ...]]]:
    """Yields the arrays whose sizes are checked, with their extents."""
    for call in nodes(tuple(checks), c.Call):
        match call:
            case c.Call("bytes_of", (c.SizeOf(c.Unary("*", c.Name(array))), _, extents)):
                yield array, integers(extents)


def _pairs(names: Sequence[str]) -> Sides:
    return tuple(zip(names[::2], names[1::2], strict=True))
