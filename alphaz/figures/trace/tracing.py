"""From a design to its trace: the verdict, the parameters that show most, and all events at them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.finding_groups import groups
from alphaz.diagnostics.message_words import listing
from alphaz.diagnostics.rules import INPUT_DATA, TOO_MUCH
from alphaz.diagnostics.work_limits import working_at
from alphaz.figures.trace.events import ExecutedOperations, Pair, contents, key, steps
from alphaz.figures.trace.events import values as numbers
from alphaz.figures.trace.processors import rank_lanes
from alphaz.figures.trace.sizes import LIMIT, is_too_large, small
from alphaz.figures.trace.trace_data import Element, Index, Operation, Trace, TraceRead, Violation
from alphaz.figures.trace.trace_selection import Shown, ShownFailure, shown
from alphaz.legality.mapping_obligations import Verification
from alphaz.legality.reporting.findings import report
from alphaz.legality.verdicts import ObligationVerdict, Options, SystemVerdict, TileOrder
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.model.program import System
from alphaz.order.operations import ConcreteInstance, Phase
from alphaz.order.precedence import Order, tile_of
from alphaz.poly.algorithms.congruence import set_text

# Most violations listed for one refuted obligation.
LISTED = 200


def trace(
    design: Design,
    system: str,
    parameters: Mapping[str, int] | None = None,
    verdict: SystemVerdict | None = None,
    options: Options | None = None,
    *,
    with_values: bool = False,
) -> Trace:
    """Returns the mapping of a system at these parameters, or at small ones that show most.

    `verdict` is that on this system, if it is known already. `with_values`: with the numbers of one run.

    Raises Rejected: for a mapping that is not well formed, for parameters that do not fit (AZ807), and for more than
    300 operations (AZ841), and for an unknown system (AZ403)."""
    with working_at(design.known_system(system).span, f"which operations of `{system}` the figure shows"):
        made = _traced(design, system, parameters, verdict, options)
        return replace(made, values=numbers(design, system, dict(made.parameters))) if with_values else made


def _traced(
    design: Design,
    system: str,
    parameters: Mapping[str, int] | None,
    verdict: SystemVerdict | None,
    options: Options | None,
) -> Trace:
    if parameters is not None:
        parameters = _checked(design.system(system), parameters)
        _check_count(resolve(design, system), parameters)
    if design.mapping(system).is_empty:
        # Without dates there is nothing to prove.
        verdict = SystemVerdict(system, None, (), ())
    results = None if verdict is None else verdict.results
    exact = any(result.under is TileOrder.SIZED for result in results or ())
    trial = Verification.of(design, system, options or Options(exact_tiles=exact))
    results = tuple(trial.results()) if results is None else results
    findings = (verdict or report(trial, results, options or Options())).findings
    heads = (group.head.witness for group in groups(findings))
    view = shown(trial, results, parameters, next((witness for witness in heads if witness is not None), None))
    if view is None:
        raise _too_much(trial.mapping.system, "even the smallest parameters have", None)
    _check_count(trial.mapping, view.at)
    word = "not mapped" if design.mapping(system).is_empty else _word(verdict, trial, results)
    return _Tracing(trial.mapping, view, word).trace()


def _word(verdict: SystemVerdict | None, trial: Verification, results: Sequence[ObligationVerdict]) -> str:
    return (verdict or SystemVerdict(trial.mapping.system.name, trial.mapping, tuple(results), ())).word


class _Tracing:
    """The parts of one trace, made one after the other."""

    def __init__(self, mapping: ResolvedMapping, view: Shown, verdict: str) -> None:
        self._mapping, self._view, self._verdict = mapping, view, verdict
        self._happening = ExecutedOperations.of(mapping, view.at)
        order = view.order
        self._keys = sorted(self._happening.events, key=lambda k: _place(self._happening.events[k], order))
        self._numbers = {k: number for number, k in enumerate(self._keys)}

    def trace(self) -> Trace:
        violations = tuple(self._violations())
        first = next(iter(violations), None)
        witness, sentence = first if first is not None else (None, "")
        events = [self._happening.events[k] for k in self._keys]
        levels = steps(events, self._view.order, _exhibit(witness))
        operations = tuple(self._operations(levels))
        overwriting = None if witness is None else witness.roles.get("writer")
        held = contents(operations, tuple(self._reads()), overwriting)
        system, distribution = self._mapping.system, self._mapping.distribution
        statements = {statement.name: statement for statement in self._mapping.statements}
        return Trace(
            system=system.name,
            parameters=tuple((name, self._view.at[name]) for name in system.parameters),
            why=self._view.why if violations or not self._view.failures else f"{self._view.why}; too small to go wrong",
            verdict=self._verdict,
            operations=operations,
            reads=held.reads,
            lifetimes=held.lifetimes,
            violations=tuple(violation for violation, _ in violations),
            witness=witness,
            sentence=sentence,
            dropped=tuple(self._dropped()),
            steps=levels[-1],
            tiles=self._view.tiles,
            ranks=None if distribution is None else rank_lanes(distribution, statements, operations, witness),
        )

    def _operations(self, levels: Sequence[int]) -> Iterator[Operation]:
        for number, k in enumerate(self._keys):
            event = self._happening.events[k]
            place = event.place("")
            tile, wavefront = tile_of(event, self._view.order.axes)
            writes = tuple(sorted(self._happening.writes.get(k, {}).items()))
            moment, names = event.family.moment.name.lower(), event.family.operation.names
            if event.family.merge:
                names = tuple(map(str, event.family.target.outputs))
            yield Operation(
                number=number,
                name=place.name,
                variable=event.family.variable,
                moment=moment,
                indices=names,
                point=place.point,
                date=place.date,
                step=levels[number],
                tile=tile,
                wavefront=wavefront,
                writes=writes,
            )

    def _reads(self) -> Iterator[TraceRead]:
        writers: dict[Element, list[int]] = {}
        for k, elements in self._happening.writes.items():
            for value in elements:
                writers.setdefault(value, []).append(self._numbers[k])
        at, seen = self._view.at, set[TraceRead]()
        for read in self._happening.operations.reads:
            for point in read.domain.points(at):
                values = {**at, **dict(zip(read.names, point, strict=True))}
                event = read.reader.event(values, read.at.at(values))
                value = Element(read.variable, read.function.at(values))
                text = read.reference.span.text if read.reference is not None else ""
                made = TraceRead(
                    reader=self._numbers[key(event)], value=value, cell=self._happening.cell(value), found=None,
                    producers=tuple(sorted(writers.get(value, ()))), text=text, is_running=read.is_running,
                )  # fmt: skip
                if made not in seen:
                    seen.add(made)
                    yield made

    def _violations(self) -> Iterator[tuple[Violation, str]]:
        """The violations with their texts; those that are not visible with the drawn tile sizes are left out."""
        order, at = self._view.order, self._view.at
        for failure in self._view.failures:
            seen: set[Violation] = set()
            for values in failure.values(at):
                if len(seen) == LISTED:
                    break
                if not failure.question.recheck(order, values):
                    continue
                made = self._violation(failure, values)
                if made not in seen:
                    seen.add(made)
                    yield made, failure.question.explain(order, values).sentence

    def _violation(self, failure: ShownFailure, values: Mapping[str, int]) -> Violation:
        places = tuple((role, self._numbers[key(event)]) for role, event in failure.events(values))
        read = failure.question.read
        value = None if read is None else Element(read.variable, read.function.at(values))
        return Violation(failure.result.rule, failure.result.claim, places, value)

    def _dropped(self) -> Iterator[Element]:
        for name, copies in sorted(self._mapping.aliases.steps.items()):
            for point in sorted({p for copy in copies for p in copy.domain.points(self._view.at)}):
                yield Element(name, point)


def _place(event: ConcreteInstance, order: Order) -> tuple[Phase, tuple[int, ...], str, Index]:
    """The position of an event in the order: operations are sorted by their dates, tiles included."""
    tile, _ = tile_of(event, order.axes)
    return event.family.moment, (*(tile or ()), *(event.date or ())), event.family.name, event.point


def _exhibit(violation: Violation | None) -> Iterable[Pair]:
    """Pairs of operations to be executed in this order for the violation to occur: the mapping allows it."""
    places = {} if violation is None else violation.roles
    match places:
        case {"producer": made, "writer": lost, "reader": used}:
            return [pair for pair in ((made, lost), (lost, used)) if len(set(pair)) == 2]
        case {"producer": made, "reader": used} if made != used:
            return [(used, made)]
        case {"user": used, "allocation": made}:
            return [(used, made)]
        case {"user": used, "free": freed}:
            return [(freed, used)]
    return []


def _checked(system: System, parameters: Mapping[str, int]) -> dict[str, int]:
    unknown = [name for name in parameters if name not in system.parameters]
    missing = [name for name in system.parameters if name not in parameters]
    if unknown or missing:
        wrong = f"no parameter {listing(unknown)}" if unknown else f"no value for {listing(missing)}"
        has = f"its parameters are {listing(system.parameters)}" if system.parameters else "it has no parameters"
        raise Rejected(Diagnostic(INPUT_DATA, f"system {system.name}: {wrong}", Label(system.span), help=has))
    no_integers = [name for name in system.parameters if not isinstance(parameters[name], int | np.integer)]
    if no_integers:
        message = f"parameter `{no_integers[0]}` is {parameters[no_integers[0]]!r}, which is no integer"
        raise Rejected(Diagnostic(INPUT_DATA, message, Label(system.span)))
    values = {name: int(parameters[name]) for name in system.parameters}
    if not system.context.contains(values):
        sizes = ", ".join(f"{name}={value}" for name, value in values.items())
        message = f"{sizes} is outside the context of system {system.name}"
        raise Rejected(Diagnostic(INPUT_DATA, message, Label(system.span), help=f"it is {set_text(system.context)}"))
    return values


def _check_count(mapping: ResolvedMapping, values: Mapping[str, int]) -> None:
    if is_too_large(mapping, values):
        sizes = ", ".join(f"{name}={value}" for name, value in values.items())
        raise _too_much(mapping.system, f"with {sizes} there are", small(mapping))


def _too_much(system: System, what: str, instead: Mapping[str, int] | None) -> Rejected:
    smaller = "no parameters have fewer"
    if instead is not None:
        smaller = "ask for " + " ".join(f"-p {name}={value}" for name, value in instead.items())
    message = f"{what} more than {LIMIT} operations of system {system.name}"
    return Rejected(Diagnostic(TOO_MUCH, message, Label(system.span), help=smaller))
