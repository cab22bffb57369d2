"""The messages of a rank as sets: the values that it sends in all steps, and what sender and receiver agree on."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product

from alphaz.analysis.checks.checked_program import Checked
from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.codegen.c.names import identifier
from alphaz.equivalence.ranks.affine_cases import NotAffineByCases, cases_of, conditions_of
from alphaz.equivalence.ranks.moved_values import ReachedStatement, reached
from alphaz.equivalence.ranks.rank_outline import Sides, flat
from alphaz.equivalence.ranks.rank_statement_checks import (
    Statements,
    UnexpectedText,
    message_body,
    moved_cells,
    visited,
)
from alphaz.equivalence.ranks.rank_text_reader import CombinedText, RankText
from alphaz.model.expression import Reduce
from alphaz.model.program import Equation, Kind, System, Variable
from alphaz.model.walk import without_restricts
from alphaz.poly import Affine, Constraint, Domain, Space, at_least, equal, less

Claims = Mapping[int, c.ValueAnnotation]
Place = Mapping[str, tuple[Affine, ...]]
Case = Sequence[Constraint]

OPERATORS = ("+", "*", "min", "max", "and", "or", "xor")
"""Operators that are associative and commutative: a result does not depend on the ranks that combine it."""


@dataclass(frozen=True, slots=True, eq=False)
class MovedValue:
    """A statement of a message: it moves `variable[point]`, over the names of the text, where it is reached."""

    reached: ReachedStatement
    about: c.ValueAnnotation


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """A function that moves the values of a step. `suffix` ends the names of arrays with what is sent. `place`: the
    place in a `dimension` whose rank alone sends the message to those that `receives` holds for; None: every rank sends
    its values to each other one, or all combine them.
    """

    suffix: str
    moving: c.Function
    body: Statements
    values: tuple[MovedValue, ...]
    dimension: int = 0
    place: c.Expression | None = None
    receives: c.Expression | None = None


@dataclass(frozen=True, eq=False)
class RankSubject:
    """A text, a system, the claims of the lines of the text, and the claimed places of computed values (of a variable
    that ranks combine: of its contributions, over the names of the body of its reduction).
    """

    text: RankText
    checked: Checked
    system: System
    claims: Claims
    places: Place

    @property
    def computed(self) -> tuple[Variable, ...]:
        return tuple(variable for variable in self.system.variables if variable.kind is not Kind.INPUT)

    @property
    def width(self) -> int:
        """Returns the number of dimensions of the ranks."""
        return len(self.text.outline.own)

    @property
    def combined(self) -> frozenset[str]:
        """Returns the arrays of the variables that ranks combine."""
        return frozenset(one.array for one in self.text.combined)

    @property
    def peer(self) -> Sides:
        """Returns the ends of the places of one other rank; none if no message has one receiver."""
        numbers = [""] if self.width == 1 else map(str, range(self.width))
        return tuple((f"peer_low{at}", f"peer_high{at}") for at in numbers) if self.text.moving is not None else ()

    @property
    def more(self) -> tuple[str, ...]:
        """Returns the parameters of one rank: places, and sizes of arrays."""
        return (*flat(self.text.outline.own), *flat(self.peer), *self.text.constants)

    def reduction(self, variable: Variable) -> Reduce:
        """Returns the reduction of a variable that ranks combine. Raises UnexpectedText."""
        equation = self.system.equation(variable.name)
        expression = without_restricts(equation.expression) if isinstance(equation, Equation) else None
        types = {array.type for array in self.text.outline.arrays if array.name == variable.name}
        is_known = isinstance(expression, Reduce) and expression.operator in OPERATORS
        if not isinstance(expression, Reduce) or not is_known or types != {variable.type.c_name}:
            raise UnexpectedText(f"`{variable.name}`, which ranks combine, is no reduction by one of {_LIST}")
        return expression

    # --- places -----------------------------------------------------------------------------------------------------

    def owners(self, parameters: Sequence[str]) -> Domain:
        """Returns the parameters with intervals of places for the rank and its peer, and all sizes of arrays."""
        names = {name: Affine.name(name) for name in parameters}
        boxes = (self.text.outline.own, self.peer) if self.peer else (self.text.outline.own,)
        return Domain.where(Space(tuple(parameters)), *self.owned(names, *boxes))

    def owned(self, names: Mapping[str, Affine], *boxes: Sides) -> list[tuple[Constraint, ...]]:
        """Returns the cases in which the boxes are intervals of places in each dimension."""
        cases: list[tuple[Constraint, ...]] = [()]
        for dimension in range(self.width):
            sides = [box[dimension] for box in boxes]
            cases = [(*case, *interval) for case in cases for interval in self._intervals(names, dimension, sides)]
        return cases

    def _intervals(
        self, names: Mapping[str, Affine], dimension: int, sides: Sequence[tuple[str, str]]
    ) -> list[tuple[Constraint, ...]]:
        cases = list[tuple[Constraint, ...]]()
        for first, behind in product(*(cases_of(end, names) for end in self.text.places[dimension])):
            inside = [at_least(behind.value - first.value, 0)]
            for low, high in sides:
                ends = first.value, names[low], names[high], behind.value
                inside += [at_least(y - x, 0) for x, y in pairwise(ends)]
            cases.append((*first.conditions, *behind.conditions, *inside))
        return cases

    def _outside(self, place: Affine, dimension: int, names: Mapping[str, Affine]) -> list[tuple[Constraint, ...]]:
        """Returns the cases in which no rank owns a place in a dimension."""
        first, behind = (cases_of(end, names) for end in self.text.places[dimension])
        below = [(*case.conditions, less(place, case.value)) for case in first]
        return [*below, *((*case.conditions, at_least(place - case.value, 0)) for case in behind)]

    def has_known_places(self) -> bool:
        """Returns True if there is a claimed place of each computed value, in each dimension, a function of its indices
        and the parameters.
        """
        for variable in self.computed:
            names = variable.domain.space.names
            if variable.name in self.combined:
                names = self.reduction(variable).projection.domain.names
            places, known = self.places.get(variable.name, ()), {*self.system.parameters, *names}
            if len(places) != self.width or not all(known.issuperset(place.names) for place in places):
                return False
        return True

    def check_types(self) -> None:
        """Raises UnexpectedText unless the arrays of the caller have the types of their variables."""
        types = {identifier(variable.name): variable.type.c_name for variable in self.system.variables}
        for array in self.text.outline.exchanged:
            if array.type != types.get(array.name):
                raise UnexpectedText(
                    f"the elements of `{array.name}` are `{array.type}`, not `{types.get(array.name)}`"
                )

    def has_all_places(self) -> bool:
        """Returns True if each computed value, or contribution to one, has a place that some rank owns, for all
        parameters of the system.
        """
        parameters = self.system.parameters
        names = {name: Affine.name(name) for name in parameters}
        if not self.system.context.is_subset(Domain.where(Space(parameters), *self.owned(names))):
            return False
        for variable in self.computed:
            points = self._placed(variable).in_context(self.system.context)
            for dimension, place in enumerate(self.places[variable.name]):
                outside = self._outside(place, dimension, names)
                wide = points.space.with_names((*points.space.names, *_unknown(outside, (*parameters, *place.names))))
                if not (points.embedded(wide) & Domain.where(wide, *outside)).is_empty():
                    return False
        return True

    def _placed(self, variable: Variable) -> Domain:
        """Returns the points of a variable, or of the contributions to it."""
        if variable.name not in self.combined:
            return variable.domain
        reduction = self.reduction(variable)
        points = self.checked.facts.context_domain[reduction.body]
        if points.space.names != reduction.projection.domain.names:
            raise UnexpectedText(f"the contributions to `{variable.name}` have other names")
        return points

    # --- messages ---------------------------------------------------------------------------------------------------

    @cached_property
    def messages(self) -> tuple[Message, ...]:
        """Returns the messages of a step, of one rank to another, or of one to all, in their order."""
        outline, text = self.text.outline, self.text
        if text.moving is not None:
            return (self._message("", text.moving, (*flat(outline.sender), *flat(outline.receiver))),)
        messages = list[Message]()
        for one in text.shared:
            line = flat(tuple(side for at, side in enumerate(outline.own) if at != one.dimension))
            suffix = "" if self.width == 1 else str(one.dimension)
            message = self._message(suffix, one.moving, line)
            messages.append(replace(message, dimension=one.dimension, place=one.place, receives=one.receives))
        return tuple(messages)

    @cached_property
    def combinations(self) -> tuple[Message, ...]:
        """Returns the functions that move the values that ranks combine; `place`: that whose rank alone gets them."""
        return tuple(replace(self._message("", one.values, ()), place=one.place) for one in self.text.combined)

    def _message(self, suffix: str, moving: c.Function, ends: Sequence[str]) -> Message:
        outline = self.text.outline
        body = message_body(moving, outline, ends)
        names = (*outline.parameters, *outline.steps, *ends)
        values = list[MovedValue]()
        for one in reached(body, {name: Affine.name(name) for name in names}):
            about = self.about(one.statement)
            known = {*one.names} if about is None else {*one.names, *(floor.name for floor in about.floors)}
            if about is None or about.body or not self._is_point(about) or not about.names <= known:
                raise UnexpectedText(f"`{moving.name}` moves a value that no claim names", one.statement.at)
            if not {*flat(outline.sender)}.isdisjoint(_names_of_stored(one, about, moving)):
                reason = f"`{moving.name}` stores a value at a cell that depends on the ends of its sender"
                raise UnexpectedText(reason, one.statement.at)
            if self._is_stored_in_input(one, moving):
                raise UnexpectedText(f"`{moving.name}` stores a value in an input", one.statement.at)
            values.append(MovedValue(one, about))
        return Message(suffix, moving, body, tuple(values))

    def _is_stored_in_input(self, one: ReachedStatement, moving: c.Function) -> bool:
        """Returns True if a receiver stores a value in a block of the caller that is constant."""
        cells, arrays = moved_cells(one.statement, moving), self.text.outline.exchanged
        inputs = {array.name for array in arrays if array.caller == "input"}
        return cells is not None and not inputs.isdisjoint(node.name for node in nodes(cells[1], c.Name))

    def _is_point(self, about: c.ValueAnnotation) -> bool:
        variable = next((v for v in self.computed if v.name == about.variable), None)
        return variable is not None and len(about.point) == variable.domain.space.dimensions

    def about(self, statement: c.Statement) -> c.ValueAnnotation | None:
        return None if statement.at is None else self.claims.get(statement.at.line)

    def check_messages(self) -> None:
        """Raises UnexpectedText unless sender and receiver agree on messages."""
        for message in self.messages:
            if any(value.about.variable in self.combined for value in message.values):
                raise UnexpectedText("a message moves a value that ranks combine")
        if self.text.moving is not None and not self._has_whole_messages():
            reason = "the values from an interval of places are not those from its places"
            raise UnexpectedText(reason, self.text.moving.at)
        for message, one in zip(self.combinations, self.text.combined, strict=True):
            if any(value.about.variable != one.array or not _is_in(value, one) for value in message.values):
                raise UnexpectedText(f"`{one.values.name}` moves values of another variable", one.values.at)
        for message in (*self.messages, *self.combinations):
            if not self._has_single_values(message):
                raise UnexpectedText(f"`{message.moving.name}`: a value is sent twice to one rank", message.moving.at)
            if message.place is not None and not self._has_sender(message):
                raise UnexpectedText(f"`{message.moving.name}`: no rank owns the place of a sender", message.moving.at)

    def _has_whole_messages(self) -> bool:
        """Returns True if the values from a box of places are those from its places, one by one, in each statement of a
        message: so they are those of any ranks that share the box.
        """
        outline = self.text.outline
        whole_box = tuple((f"begin{at}", f"end{at}") for at in range(self.width))
        ends = (*flat(whole_box), *flat(outline.receiver))
        parameters = (*outline.parameters, *ends)
        names = {name: Affine.name(name) for name in parameters}
        context = Domain.where(Space(parameters), *self.owned(names, whole_box, outline.receiver))
        context &= self.system.context.with_parameters(ends).with_only(parameters)
        places = [f"place{at}'" for at in range(self.width)]
        (message,) = self.messages
        for moved in message.values:
            inner = moved.reached.inner((*parameters, *flat(outline.sender), *outline.steps))
            space = Space(parameters, (*outline.steps, *inner))
            one_place = Space(parameters, (*space.names, *places))
            box = [(Affine.name(low), Affine.name(high)) for low, high in whole_box]
            whole = Domain.where(space, *_from(moved, outline.sender, box))
            at_place = [(Affine.name(place), Affine.name(place) + 1) for place in places]
            inside = [
                x
                for (low, high), (place, _) in zip(box, at_place, strict=True)
                for x in (at_least(place - low, 0), less(place, high))
            ]
            single = [(*case, *inside) for case in _from(moved, outline.sender, at_place)]
            every = Domain.where(one_place, *single).onto(space.names)
            if not whole.in_context(context).equals(every.in_context(context)):
                return False
        return True

    def _has_single_values(self, message: Message) -> bool:
        """Returns True if a rank sends each value once in a message: so the stored value is the one that is sent."""
        for variable in self.computed:
            instances = list(self._instances(message, variable, (*self.system.parameters, *self.more)))
            for position, instance in enumerate(instances):
                names = variable.domain.space.names
                twice = [f"twice_{name}" for name in instance.space.names[len(names) :]]
                both = instance.space.with_names((*instance.space.names, *twice))
                again = instance.renamed((*names, *twice)).embedded(both)
                pairs = zip(instance.space.names[len(names) :], twice, strict=True)
                apart = [[constraint] for x, y in pairs for constraint in _unequal(x, y)]
                if not (instance.embedded(both) & again & Domain.where(both, *apart)).is_empty():
                    return False
                points = instance.onto(names)
                if any(not (points & other.onto(names)).is_empty() for other in instances[position + 1 :]):
                    return False
        return True

    def _has_sender(self, message: Message) -> bool:
        """Returns True if some rank owns the place of the sender, in each step in which values are sent."""
        assert message.place is not None
        parameters = (*self.system.parameters, *self.more)
        for variable in self.computed:
            for instances in self._instances(message, variable, parameters, is_from_any=True):
                known = {name: Affine.name(f"moved_{name}") for name in self.text.outline.steps}
                known |= {name: Affine.name(name) for name in self.text.outline.parameters}
                for place in cases_of(message.place, known):
                    outside = self._outside(place.value, message.dimension, known)
                    cases = [(*place.conditions, *case) for case in outside]
                    more = _unknown(cases, (*parameters, *instances.space.names))
                    wide = instances.space.with_names((*instances.space.names, *more))
                    if not (instances.embedded(wide) & Domain.where(wide, *cases)).is_empty():
                        return False
        return True

    def sent(self, message: Message, variable: Variable, parameters: Sequence[str]) -> Domain:
        """Returns the points of a variable that a rank sends, in all steps."""
        names = variable.domain.space.names
        result = Domain.empty(Space(tuple(parameters), names))
        for instances in self._instances(message, variable, parameters):
            result |= instances.onto(names)
        return result & variable.domain.with_parameters(self.more).with_only(parameters)

    def _instances(
        self, message: Message, variable: Variable, parameters: Sequence[str], *, is_from_any: bool = False
    ) -> Iterator[Domain]:
        """Yields, for each statement of a message and each call that visits steps, the points of the variable, with the
        names of the instance: those that this rank sends, or (`is_from_any`) any one.
        """
        outline, space = self.text.outline, Space(tuple(parameters), variable.domain.space.names)
        for moved, visit in product(message.values, self.visits()):
            if moved.about.variable != variable.name:
                continue
            fixed = (*flat(outline.own), *flat(outline.sender), *flat(outline.receiver))
            floors = moved.about.floors
            inside = moved.reached.inner((*outline.parameters, *outline.steps, *fixed))
            inside = tuple(dict.fromkeys((*inside, *(floor.name for floor in floors))))
            inner = {name: f"moved_{name}" for name in (*outline.steps, *inside)}
            outer = {name: f"visit_{name}" for name in visit.inner(outline.parameters)}
            known = {name: Affine.name(new) for name, new in inner.items()}
            places = [()] if is_from_any else self._senders(message, known)
            more = _unknown(places, (*parameters, *inner.values()))
            both = space.with_names((*space.names, *inner.values(), *outer.values(), *more))
            for mine, other in zip(outline.receiver, self.peer, strict=False):
                known |= {name: Affine.name(new) for name, new in zip(mine, other, strict=True)}
            values = (x.substitute(moved.reached.names).substitute(known) for x in moved.about.point)
            point = [equal(Affine.name(n), x) for n, x in zip(space.names, values, strict=True)]
            for floor in floors:
                rest = floor.affine.substitute(moved.reached.names).substitute(known)
                rest -= known[floor.name] * floor.denominator
                point += [at_least(rest, 0), less(rest, Affine(constant=floor.denominator))]
            own = [(Affine.name(low), Affine.name(high)) for low, high in outline.own]
            sent = [_substituted(case, known) for case in _from(moved, outline.sender, own[: len(outline.sender)])]
            visits = self._visits(visit, outer, known)
            cases = [(*one, *other, *place, *point) for one in sent for other in visits for place in places]
            yield Domain.where(both, *cases).coalesced() & self.owners(parameters).embedded(both)

    def _senders(self, message: Message, known: Mapping[str, Affine]) -> list[tuple[Constraint, ...]]:
        """Returns the cases in which this rank sends a message."""
        if message.place is None or message in self.combinations:
            return [()]
        low, high = map(Affine.name, self.text.outline.own[message.dimension])
        names = {name: Affine.name(name) for name in self.text.outline.parameters}
        names |= {name: known[name] for name in self.text.outline.steps}
        return [
            (*place.conditions, at_least(place.value - low, 0), less(place.value, high))
            for place in cases_of(message.place, names)
        ]

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

    def has_valid_parameters(self) -> bool:
        """Returns True if no parameters of the system are refused as ones that are not valid."""
        names = {name: Affine.name(name) for name in self.system.parameters}
        refused = [case for test in self.text.refused for case in conditions_of(test, names, truth=True)]
        space = Space(self.system.parameters)
        wide = space.with_names(_unknown(refused, self.system.parameters))
        return (Domain.where(wide, *refused) & self.system.context.embedded(wide)).is_empty()

    def context(self, parameters: Sequence[str]) -> Domain:
        """Returns the parameters of one rank, with the sizes of its arrays."""
        space, names = Space(tuple(parameters)), {name: Affine.name(name) for name in parameters}
        context = Domain.universe(space)
        for name, value in self.text.constants.items():
            cases = [(*case.conditions, equal(names[name], case.value)) for case in cases_of(value, names)]
            both = space.with_names(_unknown(cases, parameters))
            context &= Domain.where(both, *cases).onto(())
        return (context & self.owners(parameters)).coalesced()


def _is_in(value: MovedValue, one: CombinedText) -> bool:
    """Returns True if a value that ranks combine is moved between a message and the array of its variable."""
    cells = moved_cells(value.reached.statement, one.values)
    return cells is not None and all(isinstance(x, c.Index) and x.base == c.Name(one.array) for x in cells)


_LIST = ", ".join(OPERATORS)


def _names_of_stored(one: ReachedStatement, about: c.ValueAnnotation, moving: c.Function) -> set[str]:
    """Returns the names on which the point of a moved value, and the cell of its receiver, depend: those in declared
    values, and in their quotients, too.
    """
    cells = moved_cells(one.statement, moving)
    used = about.names | (c.names_used((c.Evaluate(cells[1]),)) if cells is not None else set())
    words = (one.names[name].names if name in one.names else (name,) for name in used)
    return {word for names in words for name in names for word in re.findall(r"\w+", name)}


def _from(moved: MovedValue, sender: Sides, box: Sequence[tuple[Affine, Affine]]) -> list[tuple[Constraint, ...]]:
    """Returns the cases in which a value is moved from the places of a box."""
    values = {
        name: value for names, ends in zip(sender, box, strict=True) for name, value in zip(names, ends, strict=True)
    }
    return [_substituted(case, values) for case in moved.reached.cases]


def _unknown(cases: Sequence[Case], known: Sequence[str]) -> tuple[str, ...]:
    """Returns the names of the cases that are not known."""
    names = dict.fromkeys(name for case in cases for constraint in case for name in constraint.affine.names)
    return tuple(name for name in names if name not in known)


def _unequal(one: str, other: str) -> tuple[Constraint, Constraint]:
    x, y = Affine.name(one), Affine.name(other)
    return less(x, y), less(y, x)


def _substituted(case: Case, values: Mapping[str, Affine]) -> tuple[Constraint, ...]:
    return tuple(replace(constraint, affine=constraint.affine.substitute(values)) for constraint in case)
