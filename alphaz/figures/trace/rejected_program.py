"""The trace of a rejected program: its points and reads at the parameters of a counterexample, with its places.

It has no dates or cells. Marks follow the finding; at parameters that are increased for a better figure the finding is
re-checked by integer arithmetic, as counterexamples are (`analysis/facts/definedness_at_points.py`)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from alphaz.analysis.checks.check import Examined
from alphaz.analysis.checks.obligation_finding import parameters_text
from alphaz.analysis.facts.definedness_at_points import coordinates, has_value_at, within
from alphaz.analysis.facts.dependences import call_label, dependences_of
from alphaz.diagnostics import Diagnostic, Witness
from alphaz.diagnostics.rules import CYCLE, ENDLESS, OUTSIDE, OVERLAP, UNDEFINED_POINT
from alphaz.figures.trace.sizes import LIMIT
from alphaz.figures.trace.trace_data import Element, Index, Operation, Trace, TraceRead, Violation
from alphaz.model.expression import Case
from alphaz.model.program import Equation, Kind, System, UseEquation
from alphaz.poly import Unbounded

_RAISED = 2

Values = Mapping[str, int]
# A point of a variable, of a call or (for calls without end) of the parameters of a system.
Point = tuple[str, Index]
Pair = tuple[Point, Point]


def rejected(examined: Examined) -> Trace | None:
    """Returns the trace of the first error with a counterexample; None if no error has one that can be drawn."""
    for finding in examined.diagnostics:
        if finding.is_error and finding.witness is not None:
            made = _Rejected.of(examined, finding, finding.witness).trace()
            if made is not None:
                return made
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Rejected:
    """One finding of a system."""

    examined: Examined
    finding: Diagnostic
    witness: Witness
    system: System

    @staticmethod
    def of(examined: Examined, finding: Diagnostic, witness: Witness) -> "_Rejected":
        systems, place = examined.checked.program.systems, finding.primary.span
        around = (s for s in systems if s.span.start <= place.start < s.span.end)
        system = next(around, systems[-1])
        if finding.rule == ENDLESS:
            system = examined.checked.program.system(witness.places[0].name)
        return _Rejected(examined, finding, witness, system)

    def trace(self) -> Trace | None:
        """Returns the trace; None if there are too many points, or infinitely many."""
        least = dict(self.witness.parameters)
        at = self._raised(least)
        try:
            reads = [] if self._is_circle else list(self._reads(at))
            named = ((p.name, p.point) for p in self.witness.places)
            points = list(dict.fromkeys((*self._points(at), *named, *(point for pair in reads for point in pair))))
        except Unbounded:
            return None
        if len(points) > LIMIT:
            return None
        numbers = {point: number for number, point in enumerate(points)}
        places = tuple((p.role, numbers[p.name, p.point]) for p in self.witness.places)
        violation = Violation(self.finding.rule, self.finding.message, places)
        sentence = self.witness.sentence.removeprefix(parameters_text(least, tuple(least)))
        more = "" if at == least else ", and a little more"
        return Trace(
            system=self.system.name,
            parameters=tuple(at.items()),
            why=f"the smallest that show it{more}",
            verdict="rejected",
            operations=tuple(self._operation(number, point, at) for point, number in numbers.items()),
            reads=tuple(_read(numbers[a], b, numbers[b]) for a, b in reads),
            lifetimes=(),
            violations=(violation,),
            witness=violation,
            sentence=parameters_text(at, tuple(at)) + sentence,
            dropped=(),
            steps=0,
        )

    @property
    def _is_circle(self) -> bool:
        """Returns True if the places of the witness are systems that call each other in a cycle."""
        return self.finding.rule == ENDLESS

    def _points(self, values: Values) -> Iterator[Point]:
        """All points of the variables, and of the calls."""
        if self._is_circle:
            return
        for variable in self.system.variables:
            yield from ((variable.name, point) for point in variable.domain.points(values))
        for call in self._calls:
            yield from ((call_label(call), point) for point in call.extension.points(values))

    def _reads(self, bindings: Values) -> Iterator[Pair]:
        """The reads of the equations whose reads are known and finite."""
        for equation in self.system.equations:
            if isinstance(equation, UseEquation):
                continue
            try:
                for read in dependences_of(equation, self.examined.checked.facts):
                    for point in read.domain.points(bindings):
                        values = coordinates(read.domain.space, bindings, point)
                        yield (read.consumer, read.projection.at(values)), (read.producer, read.function.at(values))
            except (KeyError, Unbounded):
                # Another finding made its domains unknown, or it is about infinitely many points.
                continue

    @property
    def _calls(self) -> tuple[UseEquation, ...]:
        return tuple(e for e in self.system.equations if isinstance(e, UseEquation))

    def _operation(self, number: int, point: Point, values: Values) -> Operation:
        name, index = point
        return Operation(
            number=number,
            name=name,
            variable=name,
            moment=self._moment(name, index, values),
            indices=self._indices(name, index),
            point=index,
            date=None,
            step=0,
        )

    def _indices(self, name: str, index: Index) -> tuple[str, ...]:
        for variable in self.system.variables:
            if variable.name == name:
                return variable.domain.space.names
        for call in self._calls:
            if call_label(call) == name:
                return call.extension.space.names
        systems = (s.parameters for s in self.examined.checked.program.systems if s.name == name)
        return next(systems, tuple(f"i{number}" for number in range(len(index))))

    def _moment(self, name: str, index: Index, values: Values) -> str:
        variable = next((v for v in self.system.variables if v.name == name), None)
        if variable is None:
            return "dated"
        if not within(variable.domain, values, index):
            return "nowhere"
        if variable.kind is Kind.INPUT:
            return "start"
        times = self._times(name, index, values)
        return "dated" if times == 1 else "never" if times == 0 else "twice"

    def _times(self, name: str, index: Index, bindings: Values) -> int:
        """The number of definitions of the point; one, if that is not known."""
        equation = next((e for e in self.system.equations if isinstance(e, Equation) and e.variable == name), None)
        if equation is None or self.finding.rule not in (UNDEFINED_POINT, OVERLAP):
            return 1
        root, values = equation.expression, coordinates(self.system.space(equation.indices), bindings, index)
        branches = root.branches if isinstance(root, Case) else (root,)
        variables = {v.name: v for v in self.system.variables}
        answers = [has_value_at(variables, branch, values) for branch in branches]
        return 1 if None in answers else sum(answer is True for answer in answers)

    def _raised(self, least: Values) -> dict[str, int]:
        """The witness's parameters, each increased by up to two while it is still a counterexample."""
        for more in range(_RAISED, 0, -1):
            at = {name: value + more for name, value in least.items()}
            if self.system.context.contains(at) and self._holds(at):
                return at
        return dict(least)

    def _holds(self, values: Values) -> bool:
        places = [(place.name, place.point) for place in self.witness.places]
        match self.finding.rule:
            case rule if rule is UNDEFINED_POINT:
                return all(self._moment(*place, values) == "never" for place in places)
            case rule if rule is OVERLAP:
                return all(self._moment(*place, values) == "twice" for place in places)
            case rule if rule is OUTSIDE:
                return self._moment(*places[-1], values) == "nowhere" and (places[0], places[-1]) in set(
                    self._reads(values)
                )
            case rule if rule is CYCLE:
                return set(pairwise((*places, places[0]))) <= set(self._reads(values))
        return False


def _read(reader: int, producer: Point, number: int) -> TraceRead:
    value = Element(*producer)
    return TraceRead(reader=reader, value=value, cell=value, found=None, producers=(number,))
