"""Termination of calls (AZ313): a system that calls itself, directly or through other systems.

A state is a system with its parameters p; a use equation with extension E and arguments q leads from (A,p) to
(B,q(p,e)) for every e of E. Whether a path through the states can be infinite is undecidable. For a component of
systems that call each other, three methods are tried:
    a proof: affine f for each system, none of which grows along a call, and one of which, bounded below, shrinks; the
        calls along which none shrinks are proved by themselves (lexicographic ranking functions; Alias, Darte,
        Feautrier, Gonnord, SAS 2010)
    a circle: a path of calls, composed, that returns to the parameters with which it began
    a trap: sets X of parameters, each of which leads into X again (recurrent sets; Gupta et al., POPL 2008), found by
        X := { p in X | some call leads from p into X }, from all parameters, if the iteration converges
If none succeeds there is a warning (AZ314)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from alphaz.analysis.checks.calls import CallCheck
from alphaz.analysis.checks.obligation_finding import ProgramCheck, answer, parameter_values, parameters_text
from alphaz.analysis.facts.dependence_graph import cyclic_components
from alphaz.diagnostics import Diagnostic, Label, Witness, WitnessPoint
from alphaz.diagnostics.rules import ENDLESS, MAYBE_ENDLESS
from alphaz.diagnostics.work_limits import working_at
from alphaz.model.program import Program, System, UseEquation
from alphaz.poly import (
    Affine,
    Domain,
    OutOfBudget,
    Space,
    at_least,
    budget,
    equal,
    fresh_names,
    instantiate,
    smallest_point,
)
from alphaz.proof import BUDGET, Obligation, Values

_PATHS = 64
"""Most paths of calls that are composed."""

_ROUNDS = 8
"""Most iterations of shrinking the recurrent set."""

_SHOWN = 3
"""Calls of an endless chain that are shown."""

_LEAST = -(10**6)
"""A lower bound of shrinking forms; any value is sound."""

_HELP = "let the parameters shrink, and leave out where the recursion ends by an extension domain: `use {| N>1} ..`"

State = tuple[System, tuple[int, ...]]


def endless_calls(program: Program, sound: bool) -> Iterator[Diagnostic]:
    """Yields one finding for each component of systems whose calls do not terminate; in a `sound` program also if that
    is not known."""
    calls = [
        CallCheck(system, program.system(equation.system), equation)
        for system in program.systems
        for equation in system.equations
        if isinstance(equation, UseEquation)
    ]
    for component in _components(calls):
        inside = _inside(calls, component)
        with working_at(inside[0].equation.span, f"whether the calls of `{inside[0].callee.name}` end"):
            diagnostics = _first_diagnostic(inside)
        if diagnostics is not None and (sound or diagnostics.is_error):
            yield diagnostics


def _components(calls: Sequence[CallCheck]) -> list[frozenset[str]]:
    graph: dict[str, list[str]] = {}
    for call in calls:
        graph.setdefault(call.caller.name, []).append(call.callee.name)
    return cyclic_components(graph)


def _inside(calls: Sequence[CallCheck], component: frozenset[str]) -> list[CallCheck]:
    return [call for call in calls if {call.caller.name, call.callee.name} <= component]


def _first_diagnostic(calls: list[CallCheck]) -> Diagnostic | None:
    try:
        with budget(BUDGET):
            if _ends(calls):
                return None
    except OutOfBudget:
        pass
    try:
        with budget(BUDGET):
            questions = list(map(_circle_question, _circles(calls)))
            trap = _trap(calls)
    except OutOfBudget:
        return _unknown(calls)
    if trap is not None:
        questions += [_trap_question(calls, trap, system) for system in _callers(calls)]
    diagnostics = [d for d in map(answer, questions) if d is not None]
    refuted = next((d for d in diagnostics if d.rule == ENDLESS), None)
    return refuted or (None if trap is not None and not diagnostics else _unknown(calls))


def _unknown(calls: list[CallCheck]) -> Diagnostic:
    return Diagnostic(
        MAYBE_ENDLESS,
        f"it is not known whether the calls of {_names(calls)} end for all parameters",
        Label(calls[0].equation.span, "called here"),
        tuple(Label(call.equation.span, "and here") for call in calls[1:]),
        notes=("no sum or difference of parameters was found that shrinks along the calls",),
        help="when it runs, a nesting deeper than 10,000 calls is reported",
    )


def _callers(calls: Sequence[CallCheck]) -> list[System]:
    return list(dict.fromkeys(call.caller for call in calls))


def _names(calls: Sequence[CallCheck]) -> str:
    return " and ".join(f"`{system.name}`" for system in _callers(calls))


# --- proofs -----------------------------------------------------------------------------------------------------


def _ends(calls: list[CallCheck]) -> bool:
    """Returns True if every infinite path of these calls is excluded."""
    for component in _components(calls):
        inside = _inside(calls, component)
        left = _shrinking(inside, _callers(inside), {})
        if left is None or not _ends(left):
            return False
    return True


def _shrinking(calls: list[CallCheck], systems: list[System], forms: dict[str, Affine]) -> list[CallCheck] | None:
    """The calls that do not shrink under some choice of forms under which none grows; None if none is found."""
    if len(forms) == len(systems):
        rest = [call for call in calls if not _shrinks(call, forms)]
        return rest if len(rest) < len(calls) else None
    system = systems[len(forms)]
    for form in _forms(system.parameters):
        chosen_ = {**forms, system.name: form}
        decided = [c for c in calls if {c.caller.name, c.callee.name} <= chosen_.keys()]
        if all(_never(c, _step(c, chosen_), -1) for c in decided if system in (c.caller, c.callee)):
            left = _shrinking(calls, systems, chosen_)
            if left is not None:
                return left
    return None


def _forms(parameters: tuple[str, ...]) -> Iterator[Affine]:
    """Affine forms that might shrink, the likeliest first."""
    names = [Affine.name(name) for name in parameters]
    yield from names
    if len(names) > 2:
        yield sum(names, Affine())
    for one, other in combinations(names, 2):
        yield from (one + other, one - other, other - one)
    yield from (-name for name in names)
    yield Affine()


def _step(call: CallCheck, forms: Mapping[str, Affine]) -> Affine:
    """The decrease of the form in the callee."""
    arguments = dict(zip(call.callee.parameters, call.equation.parameters, strict=True))
    return forms[call.caller.name] - forms[call.callee.name].substitute(arguments)


def _never(call: CallCheck, value: Affine, most: int) -> bool:
    """Returns True if a value over the extension is never at most `most`."""
    return (call.extension & Domain.where(call.extension.space, [at_least(-value, -most)])).is_empty()


def _shrinks(call: CallCheck, forms: Mapping[str, Affine]) -> bool:
    return _never(call, _step(call, forms), 0) and _never(call, forms[call.caller.name], _LEAST)


# --- circles ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Path:
    """Consecutive calls; `arguments` and `domain` are over the first caller's parameters and all extensions."""

    calls: tuple[CallCheck, ...]
    domain: Domain
    arguments: tuple[Affine, ...]

    @staticmethod
    def of(call: CallCheck) -> "_Path":
        return _Path((call,), call.extension, call.equation.parameters)

    def then(self, call: CallCheck) -> "_Path":
        old, own = self.domain.space, call.extension.space.names
        new = fresh_names(len(own), "e", (*old.parameters, *old.names))
        space = Space(old.parameters, (*old.names, *new))
        indices = tuple(map(Affine.name, new))
        reached = instantiate(call.extension, space, self.arguments, indices)
        values = dict(zip((*call.caller.parameters, *own), (*self.arguments, *indices), strict=True))
        arguments = tuple(a.substitute(values) for a in call.equation.parameters)
        return _Path((*self.calls, call), self.domain.embedded(space) & reached, arguments)

    @property
    def is_closed(self) -> bool:
        return self.calls[-1].callee is self.calls[0].caller

    def returns(self) -> Domain:
        """Returns the set where the last call has the parameters of the first caller."""
        own = map(Affine.name, self.calls[0].caller.parameters)
        same = [equal(argument, mine) for argument, mine in zip(self.arguments, own, strict=True)]
        return self.domain & Domain.where(self.domain.space, same)

    def states(self, values: Values) -> list[State]:
        """Returns the first caller and all called systems, by integer arithmetic."""
        first = self.calls[0].caller
        result: list[State] = [(first, tuple(values[n] for n in first.parameters))]
        extensions = iter([values[n] for n in self.domain.space.names])
        for call in self.calls:
            here = dict(zip(call.caller.parameters, result[-1][1], strict=True))
            here |= {n: next(extensions) for n in call.extension.space.names}
            if not call.extension.contains(here):
                return result
            result.append((call.callee, tuple(call.arguments(here).values())))
        return result


def _circles(calls: list[CallCheck]) -> Iterator[_Path]:
    """Closed paths, the short ones first: at most twice as many calls as the component has, and a bounded number of
    paths."""
    paths = [_Path.of(call) for call in calls]
    seen = 0
    for _ in range(2 * len(calls)):
        for path in paths:
            if path.is_closed:
                yield path
        longer = ((path, call) for path in paths for call in calls if call.caller is path.calls[-1].callee)
        paths = []
        for path, call in longer:
            seen += 1
            if seen > _PATHS:
                return
            paths.append(path.then(call))


def _circle_question(path: _Path) -> ProgramCheck:
    first = path.calls[0].caller

    def explain(values: Values) -> Witness:
        return _witness(values, first, path.states(values), "")

    def recheck(values: Values) -> bool:
        states = path.states(values)
        return len(states) == len(path.calls) + 1 and states[0] == states[-1]

    return _question(path.calls, path.returns, explain, recheck)


# --- traps ------------------------------------------------------------------------------------------------------


def _trap(calls: list[CallCheck]) -> dict[str, Domain] | None:
    """For each system the parameters from which calls can continue forever; None if no such sets are found."""
    systems = _callers(calls)
    inside = {system.name: system.context for system in systems}
    for _ in range(_ROUNDS):
        smaller = {
            system.name: _leading([call for call in calls if call.caller is system], inside) for system in systems
        }
        if all(inside[name].is_subset(smaller[name]) for name in inside):
            return inside
        inside = smaller
    return None


def _leading(calls: list[CallCheck], into: Mapping[str, Domain]) -> Domain:
    """The parameters from which one of the calls, all of one system, leads into the sets."""
    calls_ = Domain.empty(calls[0].caller.context.space)
    for call in calls:
        calls_ |= _going_on(call, into).parameters() & into[call.caller.name]
    return calls_.simplify()


def _going_on(call: CallCheck, into: Mapping[str, Domain]) -> Domain:
    return call.extension & instantiate(into[call.callee.name], call.extension.space, call.equation.parameters, ())


def _trap_question(calls: list[CallCheck], trap: Mapping[str, Domain], system: System) -> ProgramCheck:
    """The check that no call of this system leads into the sets."""

    def chain(values: Values) -> list[State]:
        return _chain(calls, trap, (system, tuple(values[n] for n in system.parameters)))

    def explain(values: Values) -> Witness:
        return _witness(values, system, chain(values), ", and so on")

    def recheck(values: Values) -> bool:
        return len(chain(values)) == _SHOWN + 1

    first = sorted(calls, key=lambda call: call.caller is not system)
    return _question(first, lambda: trap[system.name], explain, recheck)


def _chain(calls: Sequence[CallCheck], trap: Mapping[str, Domain], start: State) -> list[State]:
    """A few calls from this state, each of which leads into the trap again."""
    chain = [start]
    for _ in range(_SHOWN):
        following = _following(calls, trap, chain[-1])
        if following is None:
            break
        chain.append(following)
    return chain


def _following(calls: Sequence[CallCheck], trap: Mapping[str, Domain], state: State) -> State | None:
    system, parameters = state
    values = dict(zip(system.parameters, parameters, strict=True))
    for call in calls:
        here = smallest_point(_going_on(call, trap).fixed(values)) if call.caller is system else None
        if here is not None and call.extension.contains(here):
            return call.callee, tuple(call.arguments(here).values())
    return None


# --- words ------------------------------------------------------------------------------------------------------


def _question(
    calls: Sequence[CallCheck],
    violations: Callable[[], Domain],
    explain: Callable[[Values], Witness],
    recheck: Callable[[Values], bool],
) -> ProgramCheck:
    distinct = list(dict.fromkeys(calls))
    obligation = Obligation(
        ENDLESS,
        f"the calls of {_names(distinct)} end",
        violations,
        (),
        explain,
        recheck,
        distinct[0].equation.span,
        tuple(Label(call.equation.span, f"`{call.callee.name}` is called") for call in distinct[1:]),
    )
    return ProgramCheck(
        obligation, f"the calls of {_names(distinct)} never end", f"`{distinct[0].callee.name}` is called", _HELP
    )


def _witness(values: Values, first: System, states: Sequence[State], more: str) -> Witness:
    places = tuple(WitnessPoint("call", system.name, parameters) for system, parameters in states)
    sentence = f"{parameters_text(values, first.parameters)}{' calls '.join(map(_state_text, states))}{more}"
    return Witness(parameter_values(values, first.parameters), places, sentence)


def _state_text(state: State) -> str:
    """`sum[3]`, as in a use equation."""
    system, parameters = state
    return f"{system.name}[{','.join(map(str, parameters))}]"
