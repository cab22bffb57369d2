"""One rank as a C function without messages, and as equations: the proof of the function is a proof of the rank.

The function executes the steps of a rank with the places `[low, high)`. Values that other ranks compute come from
arrays `received`; the values for one other rank, with the places `[peer_low, peer_high)`, are stored in arrays `sent`.
In the equations a value at another place is the received one. Places of senders are a parallel loop: so nothing depends
on the ranks that own them, nor on their number.

docs/distributed.md has the argument by induction from one rank to all of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise, product

from alphaz.analysis.checks.checked import Checked
from alphaz.analysis.read import read_program
from alphaz.analysis.texts.reflect import program_tree
from alphaz.analysis.texts.show import identity_lines
from alphaz.c import tree as c
from alphaz.c.alphaz_header import INCLUSION
from alphaz.c.printer import file_text
from alphaz.c.walk import Part, rebuilt
from alphaz.codegen.c.annotations import unmarked, with_marks
from alphaz.codegen.c.arrays import FlatArray, stored_array
from alphaz.codegen.c.expressions import parameter_values
from alphaz.codegen.c.names import identifier
from alphaz.codegen.c.nest import bind, loops_in_c, reached_instances, with_used
from alphaz.diagnostics import Source
from alphaz.equivalence.ranks.affine_cases import NotAffineByCases, cases_of, conditions_of
from alphaz.equivalence.ranks.moved_values import ReachedStatement, reached
from alphaz.equivalence.ranks.protocol import BlockArray, Way
from alphaz.equivalence.ranks.rank_text_reader import (
    RankText,
    Statements,
    UnexpectedText,
    constants_of,
    message_body,
    moved_cells,
    visited,
)
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Instance, Scan
from alphaz.model.expression import Access, Case, Restrict
from alphaz.model.program import Equation, Kind, Program, System, Variable
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Space, at_least, equal, less
from alphaz.syntax.printer import print_program

Claims = Mapping[int, c.ValueAnnotation]
Place = Mapping[str, tuple[Affine, ...]]

_LOW, _HIGH = "peer_low", "peer_high"
_PLACE = "sender"
_CONSTANT = c.Named("int64_t", const=True)


@dataclass(frozen=True, slots=True, eq=False)
class MovedValue:
    """A statement of a message: it moves `variable[point]`, over the names of the text, where it is reached."""

    reached: ReachedStatement
    about: c.ValueAnnotation


@dataclass(frozen=True, slots=True, eq=False)
class RankModel:
    """The function and the equations of one rank. `context`: the sizes of its arrays, and the places of the ranks.
    `names` are those of the variables that arguments hold; `claims` are of the lines of the text.
    """

    checked: Checked
    system: str
    function: str
    text: str
    claims: Mapping[int, Mapping[str, object]]
    context: Domain
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class RankModeller:
    """Makes the model of a rank: of a text, a system, the claims of the lines of the text, and the claimed places."""

    text: RankText
    checked: Checked
    system: System
    claims: Claims
    places: Place

    def model(self) -> RankModel:
        """Returns the model. Raises UnexpectedText and NotAffineByCases."""
        outline, system = self.text.outline, self.system
        if tuple(map(identifier, system.parameters)) != outline.parameters or outline.parameters != system.parameters:
            raise UnexpectedText("the parameters are not those of the system")
        if not self.has_own_names():
            raise UnexpectedText("a name of the program is one of the proof")
        if any(len(self.places.get(variable.name, ())) != 1 for variable in self.computed):
            raise UnexpectedText("the place of a variable is no affine function of its indices")
        if len(system.equations) != len(self.computed):
            raise UnexpectedText("a use equation computes several variables")
        if not self.has_whole_messages():
            raise UnexpectedText("the values from an interval of places are not those from its places")
        if not self.has_single_messages():
            raise UnexpectedText("a value is sent twice to one rank")
        if not self.has_valid_parameters():
            raise UnexpectedText("valid parameters are refused")
        if not self.has_all_places():
            raise UnexpectedText("some values have places that no rank owns")
        program = self._program()
        checked = read_program(Source("rank.ab", "".join([*identity_lines(program), _printed(program)])))
        extended = checked.program.system(system.name)
        text, claims = self._text(extended)
        names = {f"whole_{identifier(v.name)}": v.name for v in (*extended.inputs, *extended.outputs)}
        function = f"{outline.name}_rank"
        context = self._context(extended.parameters)
        return RankModel(
            checked=checked,
            system=system.name,
            function=function,
            text=text,
            claims=claims,
            context=context,
            names=names,
        )

    @property
    def computed(self) -> tuple[Variable, ...]:
        return tuple(variable for variable in self.system.variables if variable.kind is not Kind.INPUT)

    @property
    def more(self) -> tuple[str, ...]:
        """Returns the parameters of one rank: places, and sizes of arrays."""
        return (*self.text.outline.own, _LOW, _HIGH, *self.text.constants)

    def has_own_names(self) -> bool:
        """Returns True if sizes and offsets of arrays, and new variables, have names without another meaning in the
        text or the model: a function that lacks a parameter might declare it with another value.
        """
        outline, program = self.text.outline, self.checked.program
        words = {v.name for s in program.systems for v in s.variables} | {e.name for e in program.externals}
        new = [*self.more, *(name(v) for v in self.computed for name in (_received, _sent, _result))]
        if not words.isdisjoint(new) or len({*new, *self.system.parameters}) != len(new) + len(self.system.parameters):
            return False
        ends = (*outline.part, *outline.sender, *outline.receiver, _PLACE, "begin0", "end0", "begin", "end")
        arrays = [array.name for array in outline.arrays]
        wholes = [f"whole_{name}" for name in (*arrays, *self.text.constants)]
        iterators = {name for visit in self.visits() for name in visit.names} - {*outline.own}
        taken = {*outline.steps, *ends, *arrays, *wholes, *iterators, "at", "direction", "buffer"}
        return taken.isdisjoint(self.text.constants)

    # --- the context ------------------------------------------------------------------------------------------------

    def _context(self, parameters: Sequence[str]) -> Domain:
        space, names = Space(tuple(parameters)), {name: Affine.name(name) for name in parameters}
        context = Domain.universe(space)
        for name, value in self.text.constants.items():
            cases = [(*case.conditions, equal(names[name], case.value)) for case in cases_of(value, names)]
            both = space.with_names(_unknown(cases, parameters))
            context &= Domain.where(both, *cases).onto(())
        return (context & self._owners(parameters)).coalesced()

    def _owners(self, parameters: Sequence[str]) -> Domain:
        """Returns the parameters with intervals of places for the rank and its peer, and all sizes of arrays."""
        names = {name: Affine.name(name) for name in parameters}
        sides = self.text.outline.own, (_LOW, _HIGH)
        return Domain.where(Space(tuple(parameters)), *self._owned(names, *sides))

    def _owned(self, names: Mapping[str, Affine], *sides: tuple[str, str]) -> list[tuple[Constraint, ...]]:
        """Returns the cases in which the sides are intervals of places."""
        cases = list[tuple[Constraint, ...]]()
        for first, behind in product(cases_of(self.text.first, names), cases_of(self.text.behind, names)):
            inside = [at_least(behind.value - first.value, 0)]
            for low, high in sides:
                ends = first.value, names[low], names[high], behind.value
                inside += [at_least(y - x, 0) for x, y in pairwise(ends)]
            cases.append((*first.conditions, *behind.conditions, *inside))
        return cases

    # --- the values of messages -------------------------------------------------------------------------------------

    def moved(self) -> list[MovedValue]:
        """Returns the statements of a message, in their order."""
        outline = self.text.outline
        names = (*outline.parameters, *outline.steps, *outline.sender, *outline.receiver)
        body = message_body(self.text.moving, outline)
        values = list[MovedValue]()
        for one in reached(body, {name: Affine.name(name) for name in names}):
            about = self._about(one.statement)
            place = None if about is None else self.places.get(about.variable)
            if about is None or place is None or about.floors or not self._is_point(about):
                raise UnexpectedText("a message moves a value that no claim names")
            values.append(MovedValue(one, about))
        return values

    def _is_point(self, about: c.ValueAnnotation) -> bool:
        return len(about.point) == self.system.variable(about.variable).domain.space.dimensions

    def _about(self, statement: c.Statement) -> c.ValueAnnotation | None:
        return None if statement.at is None else self.claims.get(statement.at.line)

    def has_whole_messages(self) -> bool:
        """Returns True if the values from an interval of places are those from its places, one by one, in each
        statement of a message: so they are those of any ranks that share the interval.
        """
        outline = self.text.outline
        ends = ("begin", "end", *outline.receiver)
        parameters = (*outline.parameters, *ends)
        names = {name: Affine.name(name) for name in parameters}
        context = Domain.where(Space(parameters), *self._owned(names, ("begin", "end"), outline.receiver))
        context &= self.system.context.with_parameters(ends).with_only(parameters)
        for moved in self.moved():
            inner = moved.reached.inner((*parameters, *outline.sender, *outline.steps))
            space = Space(parameters, (*outline.steps, *inner))
            one_place = Space(parameters, (*space.names, _PLACE))
            begin, end, place = (Affine.name(name) for name in ("begin", "end", _PLACE))
            whole = Domain.where(space, *_from(moved, outline.sender, begin, end))
            single = [
                (*case, at_least(place - begin, 0), less(place, end))
                for case in _from(moved, outline.sender, place, place + 1)
            ]
            places = Domain.where(one_place, *single).onto(space.names)
            if not whole.in_context(context).equals(places.in_context(context)):
                return False
        return True

    def has_valid_parameters(self) -> bool:
        """Returns True if no parameters of the system are refused as ones that are not valid."""
        names = {name: Affine.name(name) for name in self.system.parameters}
        refused = [case for test in self.text.refused for case in conditions_of(test, names, truth=True)]
        space = Space(self.system.parameters)
        wide = space.with_names(_unknown(refused, self.system.parameters))
        return (Domain.where(wide, *refused) & self.system.context.embedded(wide)).is_empty()

    def has_all_places(self) -> bool:
        """Returns True if each computed value has a place that some rank owns, for all parameters of the system."""
        parameters = self.system.parameters
        names = {name: Affine.name(name) for name in parameters}
        if not self.system.context.is_subset(Domain.where(Space(parameters), *self._owned(names))):
            return False
        for variable in self.computed:
            (place,) = self.places[variable.name]
            first, behind = (cases_of(end, names) for end in (self.text.first, self.text.behind))
            owned = [
                (*x.conditions, *y.conditions, at_least(place - x.value, 0), less(place, y.value))
                for x, y in product(first, behind)
            ]
            points = variable.domain.in_context(self.system.context)
            if not points.is_subset(Domain.where(variable.domain.space, *owned)):
                return False
        return True

    def has_single_messages(self) -> bool:
        """Returns True if a rank sends each value to its peer once: so the stored value is the one that is sent."""
        for variable in self.computed:
            instances = list(self._instances(variable, (*self.system.parameters, *self.more)))
            for position, one in enumerate(instances):
                names = variable.domain.space.names
                twice = [f"twice_{name}" for name in one.space.names[len(names) :]]
                both = one.space.with_names((*one.space.names, *twice))
                again = one.renamed((*names, *twice)).embedded(both)
                pairs = zip(one.space.names[len(names) :], twice, strict=True)
                apart = [[constraint] for x, y in pairs for constraint in _unequal(x, y)]
                if not (one.embedded(both) & again & Domain.where(both, *apart)).is_empty():
                    return False
                points = one.onto(names)
                if any(not (points & other.onto(names)).is_empty() for other in instances[position + 1 :]):
                    return False
        return True

    def _sent(self, variable: Variable, parameters: Sequence[str]) -> Domain:
        """Returns the points of a variable that a rank sends to its peer, in all steps."""
        names = variable.domain.space.names
        result = Domain.empty(Space(tuple(parameters), names))
        for instances in self._instances(variable, parameters):
            result |= instances.onto(names)
        return result & variable.domain.with_parameters(self.more).with_only(parameters)

    def _instances(self, variable: Variable, parameters: Sequence[str]) -> Iterator[Domain]:
        """Yields, for each statement of a message to the peer and each call that visits steps, the points of the
        variable, with the names of the instance.
        """
        outline, space = self.text.outline, Space(tuple(parameters), variable.domain.space.names)
        low, high = map(Affine.name, outline.own)
        for moved, visit in product(self.moved(), self.visits()):
            if moved.about.variable != variable.name:
                continue
            own = moved.reached.inner((*outline.parameters, *outline.steps, *outline.sender, *outline.receiver))
            inner = {name: f"moved_{name}" for name in (*outline.steps, *own)}
            outer = {name: f"visit_{name}" for name in visit.inner(outline.parameters)}
            both = space.with_names((*space.names, *inner.values(), *outer.values()))
            known = {name: Affine.name(new) for name, new in inner.items()}
            known |= {outline.receiver[0]: Affine.name(_LOW), outline.receiver[1]: Affine.name(_HIGH)}
            values = (x.substitute(known) for x in moved.about.point)
            point = [equal(Affine.name(n), x) for n, x in zip(space.names, values, strict=True)]
            sent = [_substituted(case, known) for case in _from(moved, outline.sender, low, high)]
            visits = self._visits(visit, outer, known)
            cases = [(*one, *other, *point) for one in sent for other in visits]
            yield Domain.where(both, *cases).coalesced() & self._owners(parameters).embedded(both)

    def visits(self) -> list[ReachedStatement]:
        """Returns the calls that visit steps."""
        return list(reached(self.text.steps, {name: Affine.name(name) for name in self.text.outline.parameters}))

    def _visits(
        self, visit: ReachedStatement, outer: Mapping[str, str], known: Mapping[str, Affine]
    ) -> list[tuple[Constraint, ...]]:
        """Returns the cases in which a call visits the step."""
        renaming = {name: Affine.name(new) for name, new in outer.items()}
        cases = [_substituted(case, renaming) for case in visit.cases]
        step = visited(visit.statement) or ()
        if len(step) != len(self.text.outline.steps):
            raise UnexpectedText("a step has other components")
        for name, value in zip(self.text.outline.steps, step, strict=True):
            values = cases_of(value, {n: x.substitute(renaming) for n, x in visit.names.items()})
            if any(one.conditions for one in values):
                raise NotAffineByCases
            cases = [(*case, *one.conditions, equal(known[name], one.value)) for case in cases for one in values]
        return cases

    # --- the equations ----------------------------------------------------------------------------------------------

    def _program(self) -> Program:
        """Returns the program in which values at other places are received."""
        program, system = self.checked.program, self.system
        parameters = (*system.parameters, *self.more)
        variables = [self._extended(v) for v in system.inputs]
        equations = list[Equation]()
        sent = {moved.about.variable for moved in self.moved()}
        for variable in self.computed:
            domain = self._domain(variable.domain)
            local = replace(variable, kind=Kind.LOCAL, domain=domain)
            received = replace(variable, name=_received(variable), kind=Kind.INPUT, domain=domain)
            variables += [local, received]
            equations.append(self._owned_equation(variable, parameters))
            if variable.kind is Kind.OUTPUT:
                variables.append(replace(variable, name=_result(variable), domain=domain))
                equations.append(_copy(_result(variable), variable, parameters))
            if variable.name in sent:
                variables.append(replace(variable, name=_sent(variable), kind=Kind.OUTPUT, domain=domain))
                equations.append(self._sent_equation(variable, parameters))
        extended = replace(
            system,
            context=self._domain(system.context) & self._owners(parameters),
            variables=tuple(variables),
            equations=tuple(equations),
        )
        return replace(program, systems=(extended,))

    def _extended(self, variable: Variable) -> Variable:
        return replace(variable, domain=self._domain(variable.domain))

    def _domain(self, domain: Domain) -> Domain:
        return domain.with_parameters(self.more)

    def _owned_equation(self, variable: Variable, parameters: Sequence[str]) -> Equation:
        """Returns the equation that gives the rank its own values, and received ones at other places."""
        equation = self.system.equation(variable.name)
        if not isinstance(equation, Equation):
            raise UnexpectedText(f"{variable.name} is computed by another system")
        space = Space(tuple(parameters), equation.indices)
        low, high = map(Affine.name, self.text.outline.own)
        renaming = dict(zip(variable.domain.space.names, map(Affine.name, equation.indices), strict=True))
        (place,) = (value.substitute(renaming) for value in self.places[variable.name])
        own = Domain.where(space, [at_least(place - low, 0), less(place, high)])
        elsewhere = Domain.where(space, [less(place, low)], [at_least(place - high, 0)])
        received = Access(_received(variable), AffineFunction.identity(space))
        branches = (Restrict(own, equation.expression), Restrict(elsewhere, received))
        return replace(equation, expression=Case(branches), named=True)

    def _sent_equation(self, variable: Variable, parameters: Sequence[str]) -> Equation:
        domain = self._domain(variable.domain)
        points, names = self._sent(variable, parameters), variable.domain.space.names
        function = AffineFunction.identity(Space(tuple(parameters), names))
        known = domain & self._owners(parameters).embedded(domain.space)
        points, others = (part.gist(known).coalesced() for part in (points & known, known - points))
        branches = [(points, variable.name), (others, _received(variable))]
        return Equation(
            _sent(variable),
            names,
            Case(tuple(Restrict(d, Access(name, function)) for d, name in branches if not d.is_empty())),
        )

    # --- the function -----------------------------------------------------------------------------------------------

    def _text(self, system: System) -> tuple[str, Mapping[int, Mapping[str, object]]]:
        """Returns the text of the function, and the claims of its lines."""
        body = with_marks(tuple(self._body(system)))
        numbers = [c.Parameter(c.INT64, name) for name in system.parameters]
        arrays = [self._whole(system, v).parameter for v in (*system.inputs, *system.outputs)]
        function = c.Function(c.VOID, f"{self.text.outline.name}_rank", (*numbers, *arrays), body)
        return unmarked(f"{INCLUSION}\n#include <stdlib.h>\n\n{file_text(c.File((function,)))}")

    def _whole(self, system: System, variable: Variable) -> FlatArray:
        name = f"whole_{identifier(variable.name)}"
        is_constant = variable.kind is Kind.INPUT
        return stored_array(variable, name, system.context, parameter_values(system.parameters), is_constant)

    def _body(self, system: System) -> Iterator[c.Statement]:
        wholes = {v.name: self._whole(system, v) for v in (*system.inputs, *system.outputs)}
        for array in wholes.values():
            yield from array.constants
        outline = self.text.outline
        for output in system.outputs:
            source = next(v for v in self.computed if output.name in (_result(v), _sent(v)))
            yield from self._copied(system, output, wholes[output.name], wholes[_received(source)])
        for block in outline.arrays:
            yield self._allocated(block)
        for block in outline.exchanged:
            if block.caller == "input":
                yield self._exchanged(block, is_input=True)
        yield from self._steps(wholes)
        for block in outline.exchanged:
            if block.caller == "output":
                yield self._exchanged(block, is_input=False)
        for block in outline.arrays:
            yield c.Evaluate(c.Call("free", (c.Name(block.name),)))

    def _copied(
        self, system: System, variable: Variable, target: FlatArray, source: FlatArray
    ) -> Iterator[c.Statement]:
        """Yields loops that copy all values of a variable."""
        space, names = variable.domain.space, parameter_values(system.parameters)
        iterators = [f"each_{name}" for name in space.names]
        tree = readable_scan(
            [Scan("copy", variable.domain, tuple(map(Affine.name, space.names)))], system.context, iterators
        )
        statements: dict[Instance, tuple[c.Statement, ...]] = {}
        for call, arguments in reached_instances(tree, names):
            declared, scope = bind(space.names, arguments, lambda name: f"at_{name}", inline=True)
            about = c.ValueAnnotation(variable.name, tuple(scope.values))
            copied = c.Assign(target.element(scope.values), source.element(scope.values), about=about)
            statements[call] = with_used(declared, (copied,))
        yield c.Block(loops_in_c(tree, names, statements))

    def _allocated(self, block: BlockArray) -> c.Statement:
        first, *rest = (*self.text.extents[block.name], c.SizeOf(c.Named(block.type)))
        size = reduce(lambda one, other: c.Binary("*", one, other), rest, first)
        return c.Declare(c.Pointer(c.Named(block.type)), block.name, c.Call("malloc", (size,)))

    def _exchanged(self, block: BlockArray, *, is_input: bool) -> c.Statement:
        """Returns the loops that move the points of a rank from the array of all to its own, or back.

        Both functions of the text have the same loops: rank 0 and the owner of a block move the same values.
        """
        outline = self.text.outline
        whole, mine = (self.text.points[block.name, side] for side in ("whole", "mine"))
        bodies = message_body(whole, outline), message_body(mine, outline)
        cells = [[moved_cells(s, f) for s in _leaves(body)] for body, f in zip(bodies, (whole, mine), strict=True)]
        if _plain(bodies[0]) != _plain(bodies[1]) or len(cells[0]) != len(cells[1]):
            raise UnexpectedText(f"`{whole.name}` and `{mine.name}` move other points")
        suffix = "" if is_input else f"_{_RESULT}"
        variable = next(v for v in self.system.variables if identifier(v.name) == block.name)
        constants = constants_of(whole, outline)[0]
        words = {name: c.Name(f"whole_{name}") for name in constants} | {
            block.name: c.Name(f"whole_{block.name}{suffix}")
        }
        pairs = iter([(_renamed(x[0], words), y[0]) for x, y in zip(*cells, strict=True) if x and y])

        def moved(statement: c.Statement) -> c.Statement:
            there, here = next(pairs)
            about = self._about(statement)
            if is_input:
                return c.Assign(here, there, about=about)
            named = None if about is None else replace(about, variable=_result(variable))
            return c.Assign(there, here, about=named)

        declared = (c.Declare(_CONSTANT, f"whole_{name}", _renamed(value, words)) for name, value in constants.items())
        return c.Block((*declared, *_with_leaves(bodies[1], moved)))

    def _steps(self, wholes: Mapping[str, FlatArray]) -> Statements:
        outline, body = self.text.outline, self.text.steps
        iterators = {name for one in self.visits() for name in one.names}
        if {*outline.steps} & (iterators - {*outline.parameters}):
            raise UnexpectedText("a step is an iterator of the loops over steps")
        if outline.way is Way.OVERLAP:
            return self._overlapped(wholes)

        def visit(statement: c.Statement) -> c.Statement:
            step = visited(statement)
            assert step is not None
            computed = self._computed()
            low, high = self._received("low", wholes), self._received("high", wholes)
            packed = self._packed(wholes)
            early = outline.way is Way.PIPELINE
            inside = (low, computed, packed, high) if early else (computed, packed, low, high)
            return self._in_step(step, inside)

        return _with_leaves(body, visit)

    def _overlapped(self, wholes: Mapping[str, FlatArray]) -> Statements:
        """Returns the steps of a loop over all integers of an interval, where messages arrive in the next step."""
        outline = self.text.outline
        match self.text.steps:
            case (c.For((c.Declare(_, name, start),), _, (step,), (statement,)),) if step == c.Step(
                "++", prefix=False, operand=c.Name(name)
            ) and visited(statement) == (c.Name(name),):
                pass
            case _:
                raise UnexpectedText("messages are overlapped with steps that are no interval")
        assert start is not None
        low, high = map(c.Name, outline.own)
        part_low, part_high = outline.part
        begin, end = c.Name("begin0"), c.Name("end0")
        before, after = map(c.Literal, map(str, outline.border))
        sides = (
            c.Declare(_CONSTANT, "begin0", c.Call("min64", (c.Binary("+", low, before), high))),
            c.Declare(_CONSTANT, "end0", c.Call("max64", (begin, c.Binary("-", high, after)))),
        )

        def part(one: c.Expression, other: c.Expression) -> c.Statement:
            declared = c.Declare(_CONSTANT, part_low, one), c.Declare(_CONSTANT, part_high, other)
            inside = c.If(c.Binary("<", c.Name(part_low), c.Name(part_high)), (self._computed(),))
            return c.Block((*declared, inside))

        def arrived(last: c.Expression) -> c.Statement:
            return self._in_step((last,), (self._received("low", wholes), self._received("high", wholes)))

        iterator = c.Name(name)
        late = c.If(c.Binary(">", iterator, start), (arrived(c.Binary("-", iterator, c.Literal("1"))),))
        body = (
            self._in_step((iterator,), (*sides, part(begin, end))),
            late,
            self._in_step((iterator,), (*sides, part(low, begin), part(end, high), self._packed(wholes))),
        )
        (loop,) = self.text.steps
        assert isinstance(loop, c.For)
        match loop.test:
            case c.Binary("<=", c.Name(tested), last) if tested == name:
                return (replace(loop, body=body), c.If(c.Binary("<=", start, last), (arrived(last),)))
        raise UnexpectedText("messages are overlapped with steps that are no interval")

    def _in_step(self, step: Sequence[c.Expression], body: Sequence[c.Statement]) -> c.Statement:
        declared = (
            c.Declare(_CONSTANT, name, value) for name, value in zip(self.text.outline.steps, step, strict=True)
        )
        return c.Block((*declared, *body))

    def _computed(self) -> c.Statement:
        return c.Block(self._claimed(constants_of(self.text.computing, self.text.outline)[1]))

    def _claimed(self, body: Statements) -> Statements:
        """Returns the statements with the claims of their lines."""

        def visit(part: Part) -> Part | None:
            if isinstance(part, c.Assign) and part.at is not None and part.at.line in self.claims:
                return replace(part, about=self.claims[part.at.line])
            return None

        return tuple(rebuilt(statement, visit) for statement in body)

    def _packed(self, wholes: Mapping[str, FlatArray]) -> c.Statement:
        """Returns the statements that store the values for the peer."""
        outline = self.text.outline
        own = zip(outline.sender, map(c.Name, outline.own), strict=True)
        peer = zip(outline.receiver, map(c.Name, (_LOW, _HIGH)), strict=True)

        def moved(statement: c.Statement) -> c.Statement:
            about, cells = self._about(statement), moved_cells(statement, self.text.moving)
            assert about is not None
            assert cells is not None
            variable = self.system.variable(about.variable)
            element = wholes[_sent(variable)].element(about.point)
            return c.Assign(element, cells[0], about=replace(about, variable=_sent(variable)))

        declared = [c.Declare(_CONSTANT, name, value) for name, value in (*own, *peer)]
        return c.Block((*declared, *_with_leaves(message_body(self.text.moving, outline), moved)))

    def _received(self, side: str, wholes: Mapping[str, FlatArray]) -> c.Statement:
        """Returns the parallel loop over the places below, or above, that stores received values."""
        outline = self.text.outline
        low, high = map(c.Name, outline.own)
        begin, end = (self.text.first, low) if side == "low" else (high, self.text.behind)
        place = c.Name(_PLACE)
        ends: tuple[c.Expression, ...] = (place, c.Binary("+", place, c.Literal("1")), low, high)
        names = (*outline.sender, *outline.receiver)

        def moved(statement: c.Statement) -> c.Statement:
            about, cells = self._about(statement), moved_cells(statement, self.text.moving)
            assert about is not None
            assert cells is not None
            element = wholes[_received(self.system.variable(about.variable))].element(about.point)
            return c.Assign(cells[1], element, about=about)

        declared = [c.Declare(_CONSTANT, name, value) for name, value in zip(names, ends, strict=True)]
        body = (*declared, *_with_leaves(message_body(self.text.moving, outline), moved))
        loop = c.counted(c.INT64, _PLACE, begin, c.Binary("<", place, end), c.Literal("1"), body)
        return c.Omp("parallel for", (), (loop,))


_RECEIVED, _SENT, _RESULT = "received", "sent", "result"


def _received(variable: Variable) -> str:
    return f"{variable.name}_{_RECEIVED}"


def _sent(variable: Variable) -> str:
    return f"{variable.name}_{_SENT}"


def _result(variable: Variable) -> str:
    return f"{variable.name}_{_RESULT}"


def _copy(name: str, variable: Variable, parameters: Sequence[str]) -> Equation:
    names = variable.domain.space.names
    return Equation(name, names, Access(variable.name, AffineFunction.identity(Space(tuple(parameters), names))))


def _printed(program: Program) -> str:
    return print_program(program_tree(program, array=True))


def _from(moved: MovedValue, sender: tuple[str, str], low: Affine, high: Affine) -> list[tuple[Constraint, ...]]:
    """Returns the cases in which a value is moved from the places `[low, high)`."""
    return [_substituted(case, dict(zip(sender, (low, high), strict=True))) for case in moved.reached.cases]


def _unknown(cases: Sequence[Sequence[Constraint]], known: Sequence[str]) -> tuple[str, ...]:
    """Returns the names of the cases that are not known."""
    names = dict.fromkeys(name for case in cases for constraint in case for name in constraint.affine.names)
    return tuple(name for name in names if name not in known)


def _unequal(one: str, other: str) -> tuple[Constraint, Constraint]:
    x, y = Affine.name(one), Affine.name(other)
    return less(x, y), less(y, x)


def _substituted(case: Sequence[Constraint], values: Mapping[str, Affine]) -> tuple[Constraint, ...]:
    return tuple(replace(constraint, affine=constraint.affine.substitute(values)) for constraint in case)


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


def _renamed(node: c.Expression, words: Mapping[str, c.Expression]) -> c.Expression:
    def visit(part: Part) -> Part | None:
        return words.get(part.name) if isinstance(part, c.Name) else None

    return rebuilt(node, visit)
