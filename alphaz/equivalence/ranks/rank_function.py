"""The C function of one rank without messages: its steps, with arrays for what it receives and sends."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from alphaz.c import tree as c
from alphaz.c.alphaz_header import INCLUSION
from alphaz.c.printer import file_text
from alphaz.c.walk import Part, rebuilt
from alphaz.codegen.c.annotations import unmarked, unplaced, with_marks, with_places
from alphaz.codegen.c.arrays import FlatArray, stored_array
from alphaz.codegen.c.expressions import parameter_values
from alphaz.codegen.c.integers import affine
from alphaz.codegen.c.names import identifier
from alphaz.codegen.c.nest import bind, loops_in_c, reached_instances, with_used
from alphaz.equivalence.ranks.affine_cases import meeting
from alphaz.equivalence.ranks.protocol_steps import border_boxes, inner_box
from alphaz.equivalence.ranks.rank_equations import partial, received, result, sent
from alphaz.equivalence.ranks.rank_messages import Message, RankSubject
from alphaz.equivalence.ranks.rank_outline import BlockArray, MovedPart, Way, flat
from alphaz.equivalence.ranks.rank_statement_checks import (
    Statements,
    UnexpectedText,
    constants_of,
    message_body,
    moved_cells,
    visited,
)
from alphaz.equivalence.ranks.rank_text_reader import CombinedText, RankText
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Instance, Scan
from alphaz.model.program import Kind, System, Variable
from alphaz.poly import Affine

_CONSTANT = c.Named("int64_t", const=True)
_PLACE, _QUOTIENT = "sender", "moved_quotient"


def included(text: RankText) -> str:
    """Returns the lines that include the headers of a text."""
    return "\n".join([INCLUSION, *(f"#include {header}" for header in (*text.headers, "<stdlib.h>"))]) + "\n"


def has_own_names(subject: RankSubject) -> bool:
    """Returns True if sizes and offsets of arrays, and new variables, have names without another meaning in the text or
    the model: a function that lacks a parameter might declare it with another value.
    """
    outline, program, constants = subject.text.outline, subject.checked.program, subject.text.constants
    words = {v.name for s in program.systems for v in s.variables} | {e.name for e in program.externals}
    words |= {name for domain in subject.checked.facts.context_domain.values() for name in domain.space.names}
    made = [name(v.name) for v in subject.computed for name in (received, result, partial)]
    made += [f"{v.name}_sent{at}" for v in subject.computed for at in ("", "0", "1")]
    new = [*subject.more, *made]
    if not words.isdisjoint(new) or len({*new, *subject.system.parameters}) != len(new) + len(
        subject.system.parameters
    ):
        return False
    dimensions = ("", "0", "1")
    ends = {f"{word}{at}" for word in (_PLACE, "begin", "end") for at in dimensions} | {*outline.ends}
    every = {*outline.parameters, *outline.steps, *constants, *(array.name for array in outline.arrays)}
    if any(name.startswith((_QUOTIENT, _PLACE, "whole_")) for name in every):
        return False
    arrays = [array.name for array in outline.arrays]
    wholes = [f"whole_{name}" for name in (*arrays, *constants)]
    iterators = {name for visit in subject.visits() for name in visit.names} - {*outline.parameters}
    taken = {*outline.steps, *(ends - {*flat(outline.own)}), *arrays, *wholes}
    is_own = iterators.isdisjoint({*taken, *new, *ends, *flat(outline.own)})
    return is_own and {*taken, *iterators, "at", "direction", "buffer"}.isdisjoint(constants)


@dataclass(frozen=True, eq=False)
class RankFunction:
    """Makes the function of one rank, for its equations in a system."""

    subject: RankSubject
    system: System

    @property
    def own(self) -> Sequence[tuple[str, str]]:
        return self.subject.text.outline.own

    def text(self) -> tuple[str, Mapping[int, Mapping[str, object]], Mapping[int, int]]:
        """Returns the text of the function, the claims of its lines, and the lines of the text of all ranks in them."""
        body = with_places(with_marks(tuple(self._body())))
        numbers = [c.Parameter(c.INT64, name) for name in self.system.parameters]
        arrays = [self._whole(v).parameter for v in (*self.system.inputs, *self.system.outputs)]
        name = f"{self.subject.text.outline.name}_rank"
        function = c.Function(c.VOID, name, (*numbers, *arrays), body)
        text, places = unplaced(f"{included(self.subject.text)}\n{file_text(c.File((function,)))}")
        computing = self.subject.text.computing.at
        return *unmarked(text), places if computing is None else {0: computing.line, **places}

    def _whole(self, variable: Variable) -> FlatArray:
        name = f"whole_{identifier(variable.name)}"
        is_constant = variable.kind is Kind.INPUT
        return stored_array(variable, name, self.system.context, parameter_values(self.system.parameters), is_constant)

    def _element(self, name: str, point: Sequence[Affine]) -> c.Expression:
        """Returns the element of the array of all points of an input or output."""
        return self._whole(self.system.variable(name)).element(point)

    def _body(self) -> Iterator[c.Statement]:
        subject, outline = self.subject, self.subject.text.outline
        for variable in (*self.system.inputs, *self.system.outputs):
            yield from self._whole(variable).constants
        for variable in subject.computed:
            if variable.name in subject.combined:
                continue  # All elements of the outputs must be stored.
            outputs = [result(variable.name), *(sent(variable.name, message) for message in subject.messages)]
            for output in self.system.outputs:
                if output.name in outputs:
                    yield self._copied(output, received(variable.name))
        for block in outline.arrays:
            yield self._allocated(block)
        for block in outline.exchanged:
            if block.caller == "input":
                yield self._exchanged(block, is_input=True)
        yield from self._steps()
        for block in outline.exchanged:
            if block.caller == "output":
                yield self._exchanged(block, is_input=False)
        for block in outline.arrays:
            yield c.Evaluate(c.Call("free", (c.Name(block.name),)))

    def _copied(self, target: Variable, source: str) -> c.Statement:
        """Returns loops that give an output all received values of a variable."""
        space, names = target.domain.space, parameter_values(self.system.parameters)
        iterators = [f"each_{name}" for name in space.names]
        scan = Scan("copy", target.domain, tuple(map(Affine.name, space.names)))
        tree = readable_scan([scan], self.system.context, iterators)
        statements: dict[Instance, tuple[c.Statement, ...]] = {}
        for call, arguments in reached_instances(tree, names):
            declared, scope = bind(space.names, arguments, lambda name: f"at_{name}", inline=True)
            about = c.ValueAnnotation(target.name, tuple(scope.values))
            cells = self._element(target.name, scope.values), self._element(source, scope.values)
            statements[call] = with_used(declared, (c.Assign(*cells, about=about),))
        return c.Block(loops_in_c(tree, names, statements))

    def _allocated(self, block: BlockArray) -> c.Statement:
        first, *rest = (*self.subject.text.extents[block.name], c.SizeOf(c.Named(block.type)))
        size = reduce(lambda one, other: c.Binary("*", one, other), rest, first)
        return c.Declare(c.Pointer(c.Named(block.type)), block.name, c.Call("malloc", (size,)))

    def _exchanged(self, block: BlockArray, *, is_input: bool) -> c.Statement:
        """Returns the loops that move the points of a rank from the array of all to its own, or back.

        Both functions of the text have the same loops: rank 0 and the owner of a block move the same values. Where rank
        0 alone gives an output, every rank might.
        """
        text, outline = self.subject.text, self.subject.text.outline
        whole, mine = (text.points[block.name, side] for side in ("whole", "mine"))
        own = flat(outline.own) if block.moved is MovedPart.BY_PLACES else ()
        bodies = tuple(message_body(function, outline, own) for function in (whole, mine))
        cells = [[moved_cells(s, f) for s in _leaves(body)] for body, f in zip(bodies, (whole, mine), strict=True)]
        if _plain(bodies[0]) != _plain(bodies[1]) or len(cells[0]) != len(cells[1]):
            raise UnexpectedText(f"`{whole.name}` and `{mine.name}` move other points", mine.at)
        variable = next(v for v in self.subject.system.variables if identifier(v.name) == block.name)
        suffix = "" if is_input else result("")
        constants = constants_of(whole, outline)[0]
        words = {name: c.Name(f"whole_{name}") for name in constants} | {
            block.name: c.Name(f"whole_{block.name}{suffix}")
        }
        # One of the two packs: its first cell; the other one unpacks into its second.
        there, here = (0, 1) if is_input else (1, 0)
        pairs = iter([(renamed(x[there], words), y[here]) for x, y in zip(*cells, strict=True) if x and y])

        def moved(statement: c.Statement) -> c.Statement:
            far, near = next(pairs)
            about = self.subject.about(statement)
            if is_input:
                return c.Assign(near, far, about=about, at=statement.at)
            named = None if about is None else replace(about, variable=result(variable.name))
            return c.Assign(far, near, about=named, at=statement.at)

        declared = (c.Declare(_CONSTANT, f"whole_{name}", renamed(value, words)) for name, value in constants.items())
        return c.Block((*declared, *_with_leaves(bodies[1], moved)))

    # --- steps ------------------------------------------------------------------------------------------------------

    def _steps(self) -> Statements:
        outline, body = self.subject.text.outline, self.subject.text.steps
        if outline.way is Way.OVERLAP:
            return self._overlapped()

        def visit(statement: c.Statement) -> c.Statement:
            step = visited(statement)
            assert step is not None
            begun, combined = self._begun(), self._combined()
            if outline.way is Way.PIPELINE:
                low, high = self._received()
                inside = [low, self._computed(), *self._packed(), high]
            else:
                inside = [self._computed(), *self._packed(), *self._received()]
            return self._in_step(step, (*begun, *inside, *combined))

        return _with_leaves(body, visit)

    def _overlapped(self) -> Statements:
        """Returns the steps of a loop over all integers of an interval, where messages arrive in the next step."""
        outline = self.subject.text.outline
        match self.subject.text.steps:
            case (c.For((c.Declare(_, name, start),), _, (step,), (statement,)),) if step == c.Step(
                "++", prefix=False, operand=c.Name(name)
            ) and visited(statement) == (c.Name(name),):
                pass
            case _:
                raise UnexpectedText("messages are overlapped with steps that are no interval")
        assert start is not None
        sides = list[c.Statement]()
        for at, ((low, high), border) in enumerate(zip(self.own, outline.border, strict=True)):
            before, after = map(c.Literal, map(str, border))
            begin = c.Call("min64", (c.Binary("+", c.Name(low), before), c.Name(high)))
            end = c.Call("max64", (c.Name(f"begin{at}"), c.Binary("-", c.Name(high), after)))
            sides += [c.Declare(_CONSTANT, f"begin{at}", begin), c.Declare(_CONSTANT, f"end{at}", end)]

        def part(box: Sequence[str]) -> c.Statement:
            names = flat(outline.part)
            declared = (c.Declare(_CONSTANT, name, c.Name(end)) for name, end in zip(names, box, strict=True))
            tests: list[c.Expression] = [c.Binary("<", c.Name(low), c.Name(high)) for low, high in outline.part]
            return c.Block((*declared, c.If(reduce(_both, tests), (self._computed(),))))

        def arrived(last: c.Expression) -> c.Statement:
            return self._in_step((last,), tuple(self._received()))

        iterator = c.Name(name)
        late = c.If(c.Binary(">", iterator, start), (arrived(c.Binary("-", iterator, c.Literal("1"))),))
        border_parts = [part(box) for box in border_boxes(outline, "")]
        body = (
            self._in_step((iterator,), (*sides, part(inner_box(outline)))),
            late,
            self._in_step((iterator,), (*sides, *border_parts, *self._packed())),
        )
        (loop,) = self.subject.text.steps
        assert isinstance(loop, c.For)
        match loop.test:
            case c.Binary("<=", c.Name(tested), last) if tested == name:
                return (replace(loop, body=body), c.If(c.Binary("<=", start, last), (arrived(last),)))
        raise UnexpectedText("messages are overlapped with steps that are no interval")

    def _in_step(self, step: Sequence[c.Expression], body: Sequence[c.Statement]) -> c.Statement:
        names = self.subject.text.outline.steps
        declared = (c.Declare(_CONSTANT, name, value) for name, value in zip(names, step, strict=True))
        return c.Block((*declared, *body))

    def _computed(self) -> c.Statement:
        text = self.subject.text
        return c.Block(self._claimed(constants_of(text.computing, text.outline)[1]))

    def _claimed(self, body: Statements) -> Statements:
        """Returns the statements with the claims of their lines: of contributions of the rank to combined values."""

        def visit(part: Part) -> Part | None:
            if isinstance(part, c.Assign) and part.at is not None and part.at.line in self.subject.claims:
                about = self.subject.claims[part.at.line]
                is_combined = about.variable in self.subject.combined
                return replace(part, about=replace(about, variable=partial(about.variable)) if is_combined else about)
            return None

        return tuple(rebuilt(statement, visit) for statement in body)

    # --- messages ---------------------------------------------------------------------------------------------------

    def _packed(self) -> Iterator[c.Statement]:
        """Yields the statements that store the values that the rank sends."""
        for message in self.subject.messages:
            body = self._moved(message, _sent_in(message), is_packed=True)
            if message.place is None:
                yield self._from_here(body)
            else:
                yield c.If(self._is_own(message.place, message.dimension), body)

    def _received(self) -> Iterator[c.Statement]:
        """Yields the statements that store received values. Without senders of their own, those below, or above this
        rank, are a parallel loop over places.
        """
        for message in self.subject.messages:
            body = self._moved(message, received, is_packed=False)
            if message.place is None:
                yield from self._from_places(body)
            else:
                assert message.receives is not None
                to, own = self.subject.text.outline.receiver[message.dimension], self.own[message.dimension]
                is_receiver = _plainly(renamed(message.receives, dict(zip(to, map(c.Name, own), strict=True))))
                is_other = c.Unary("!", self._is_own(message.place, message.dimension))
                yield c.If(c.Binary("&&", is_other, is_receiver), body)

    def _moved(self, message: Message, name: Callable[[str], str], *, is_packed: bool) -> Statements:
        """Returns the loops of a message that store cells in an array of all values, or values from it in cells."""

        def moved(statement: c.Statement) -> c.Statement:
            about, cells = self.subject.about(statement), moved_cells(statement, message.moving)
            assert about is not None
            assert cells is not None
            quotients, point = _with_quotients(about)
            element = self._element(name(about.variable), point)
            if is_packed:
                about = replace(about, variable=name(about.variable))
                stored = c.Assign(element, cells[0], about=about, at=statement.at)
            else:
                stored = c.Assign(cells[1], element, about=about, at=statement.at)
            return c.Block((*quotients, stored)) if quotients else stored

        return _with_leaves(message.body, moved)

    def _is_own(self, place: c.Expression, dimension: int) -> c.Expression:
        low, high = map(c.Name, self.own[dimension])
        return c.Binary("&&", c.Binary("<=", low, place), c.Binary("<", place, high))

    def _from_here(self, body: Statements) -> c.Statement:
        """Returns a message from the own places to those of the peer."""
        outline = self.subject.text.outline
        names = (*flat(outline.sender), *flat(outline.receiver))
        ends = map(c.Name, (*flat(outline.own), *flat(self.subject.peer)))
        return c.Block((*(c.Declare(_CONSTANT, name, end) for name, end in zip(names, ends, strict=True)), *body))

    def _from_places(self, body: Statements) -> Iterator[c.Statement]:
        """Yields parallel loops over the places of lower ranks, and of higher ones: of a grid, in other rows, and in
        the own rows.
        """
        outline, (every, *rest) = self.subject.text.outline, self.subject.text.places
        (low, high) = map(c.Name, self.own[0])
        below, above = (every[0], low), (high, every[1])
        boxes = [(below, *rest), (above, *rest)]
        if rest:
            (left, right), own = map(c.Name, self.own[1]), (low, high)
            boxes[1:1] = [(own, (rest[0][0], left)), (own, (right, rest[0][1]))]
        numbers = [""] if len(self.own) == 1 else ["0", "1"]
        places = [c.Name(f"{_PLACE}{at}") for at in numbers]
        one_place = [(place, c.Binary("+", place, c.Literal("1"))) for place in places]
        ends = (*(end for side in one_place for end in side), *map(c.Name, flat(outline.own)))
        names = (*flat(outline.sender), *flat(outline.receiver))
        declared = [c.Declare(_CONSTANT, name, value) for name, value in zip(names, ends, strict=True)]
        clauses = (c.Clause("collapse", (c.Literal("2"),)),) if rest else ()
        for box in boxes:
            inside: Statements = (*declared, *body)
            for place, (begin, end) in reversed(list(zip(places, box, strict=True))):
                test = c.Binary("<", place, end)
                inside = (c.counted(c.INT64, place.name, begin, test, c.Literal("1"), inside),)
            yield c.Omp("parallel for", clauses, inside)

    # --- combined values --------------------------------------------------------------------------------------------

    def _begun(self) -> Iterator[c.Statement]:
        """Yields the statements that give the combined values of a step the neutral element."""
        for message, one in zip(self.subject.combinations, self.subject.text.combined, strict=True):

            def begun(statement: c.Statement, message: Message = message, one: CombinedText = one) -> c.Statement:
                about, cells = self.subject.about(statement), moved_cells(statement, message.moving)
                assert about is not None
                assert cells is not None
                return c.Assign(cells[1], one.neutral, about=replace(about, variable=partial(about.variable)))

            yield c.Block(_with_leaves(message.body, begun))

    def _combined(self) -> Iterator[c.Statement]:
        """Yields the statements that store what own contributions amount to, and the combined values."""
        for message in self.subject.combinations:
            yield c.Block(self._moved(message, partial, is_packed=True))
            arrived = self._moved(message, received, is_packed=False)
            yield c.Block(arrived) if message.place is None else c.If(self._is_own(message.place, 0), arrived)


def _with_quotients(about: c.ValueAnnotation) -> tuple[Statements, tuple[Affine, ...]]:
    """Returns declarations of the floors of a claim, and its point over their names."""
    names, declared = dict[str, Affine](), list[c.Statement]()
    for position, floor in enumerate(about.floors):
        value = c.Call("floor_div", (affine(floor.affine.substitute(names)), c.Literal(str(floor.denominator))))
        declared.append(c.Declare(_CONSTANT, f"{_QUOTIENT}{position}", value))
        names[floor.name] = Affine.name(f"{_QUOTIENT}{position}")
    return tuple(declared), tuple(x.substitute(names) for x in about.point)


def _both(one: c.Expression, other: c.Expression) -> c.Expression:
    return c.Binary("&&", one, other)


def _sent_in(message: Message) -> Callable[[str], str]:
    """Returns the function that names what a rank sends of a variable in a message."""
    return lambda name: sent(name, message)


def _plainly(condition: c.Expression) -> c.Expression:
    """Returns a condition without calls of functions of the protocol."""

    def visit(part: Part) -> Part | None:
        match part:
            case c.Call("meets", (low, high, begin, end)):
                return meeting(low, high, begin, end)
        return None

    return rebuilt(condition, visit)


def _leaves(body: Sequence[c.Statement]) -> list[c.Statement]:
    """Returns the statements under loops, conditions and blocks, except declarations."""
    leaves: list[c.Statement] = []
    for statement in body:
        match statement:
            case c.Block(inner) | c.For(body=inner):
                leaves += _leaves(inner)
            case c.If(_, then, otherwise):
                leaves += [*_leaves(then), *_leaves(otherwise)]
            case c.Declare():
                pass
            case _:
                leaves.append(statement)
    return leaves


def _with_leaves(body: Sequence[c.Statement], leaf: Callable[[c.Statement], c.Statement]) -> Statements:
    """Returns the loops and conditions around other leaves."""

    def changed(statement: c.Statement) -> c.Statement:
        match statement:
            case c.Block(inner):
                return c.Block(_with_leaves(inner, leaf))
            case c.For(body=inner):
                return replace(statement, body=_with_leaves(inner, leaf))
            case c.If(_, then, otherwise):
                return replace(statement, then=_with_leaves(then, leaf), otherwise=_with_leaves(otherwise, leaf))
            case c.Declare():
                return statement
        return leaf(statement)

    return tuple(map(changed, body))


def _plain(body: Sequence[c.Statement]) -> Statements:
    return _with_leaves(body, lambda _: c.Evaluate(c.ZERO))


def renamed(node: c.Expression, words: Mapping[str, c.Expression]) -> c.Expression:
    """Returns an expression with other ones for names."""

    def visit(part: Part) -> Part | None:
        return words.get(part.name) if isinstance(part, c.Name) else None

    return rebuilt(node, visit)
