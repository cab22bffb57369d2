"""Circles of calls: proved to end, refuted with a chain of calls that needs no isl to be followed, or not decided."""

import random
from collections.abc import Mapping

import pytest

from alphaz.analysis.checks.recursion import endless_calls
from alphaz.analysis.elaborate.programs import elaborate_partly
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Diagnostic, Source
from alphaz.model.program import Program, UseEquation
from alphaz.syntax.parser import parse_program
from tests.analysis.programs import found

State = tuple[str, tuple[int, ...]]


def _system(name: str, context: str, *calls: str) -> str:
    """A system without inputs whose output adds up what its calls return; each call is `{extension} callee[..]`."""
    locals_ = "".join(f" int r{at} {call.split('}')[0]}}};" for at, call in enumerate(calls))
    uses = "".join(f" use {call}() returns (r{at});" for at, call in enumerate(calls))
    return f"affine {name} {context} output int y; local{locals_} let{uses} y = 1; .\n"


def _recursion(*systems: str) -> list[Diagnostic]:
    return [d for d in found("".join(systems)) if d.rule.code in ("AZ313", "AZ314")]


@pytest.mark.parametrize(
    "systems",
    [
        [_system("f", "{N | N>=0}", "{| N>=1} f[N-1]")],
        [_system("f", "{N | N>=0}", "{| N>=1} g[N]"), _system("g", "{M | M>=1}", "{|} f[M-1]")],
        [_system("f", "{N,M | N>=0 && M>=0}", "{k | 0<=k<N} f[k,M+7]", "{| M>=1} f[N,M-1]")],
        [_system("f", "{N,M | N>=0 && M>=0}", "{| N>=M && M>=1} f[N-M,M]", "{| M>N && N>=1} f[M-N,N]")],
        [_system("f", "{N,M |}", "{| N<M} f[N+1,M]")],
        [_system("f", "{N | 0<=N<=5}", "{| N<5} f[N+1]")],
        [_system("f", "{N | N>=1}", "{i | 2i<=N<=2i+1 && i>=1} f[i]")],
        [_system("f", "{A,B,C | A>=0 && B>=0 && C>=0}", "{| A>=1} f[B,C,A-1]")],
        [_system("f", "{N | N>=0}", "{| N>=1} g[N,0]"), _system("g", "{N,K | N>=1}", "{| K<N} g[N,K+1]", "{|} f[N-1]")],
    ],
)
def test_what_ends_has_no_finding(systems: list[str]) -> None:
    assert _recursion(*systems) == []


@pytest.mark.parametrize(
    ("systems", "sentence"),
    [
        ([_system("f", "{N | N>=0}", "{|} f[N]")], "N=0: f[0] calls f[0]"),
        ([_system("f", "{N | N>=2}", "{|} f[N+1]")], "N=2: f[2] calls f[3] calls f[4] calls f[5], and so on"),
        ([_system("f", "{N,M | N>=0 && M>=1}", "{| N!=M} f[M,N]")], "N=1, M=2: f[1,2] calls f[2,1] calls f[1,2]"),
        (
            [_system("f", "{N | N>=0}", "{i | 0<=i<N} g[i]"), _system("g", "{N | N>=0}", "{| N>=3} f[N+1]")],
            "N=4: f[4] calls g[3] calls f[4]",
        ),
        ([_system("f", "{N | N>=0}", "{i | 0<=i<=N && i!=3} f[i]")], "N=0: f[0] calls f[0]"),
        ([_system("f", "{|}", "{|} g[]"), _system("g", "{|}", "{|} f[]")], "f[] calls g[] calls f[]"),
    ],
)
def test_what_never_ends_is_shown_by_its_calls(systems: list[str], sentence: str) -> None:
    (finding,) = _recursion(*systems)
    assert finding.rule.code == "AZ313"
    assert finding.witness is not None
    assert finding.witness.sentence == sentence
    assert finding.is_error


def test_a_chain_behind_the_circle_is_not_blamed() -> None:
    main = "affine main {N | N>=3} output int y; let use f[N]() returns (y); .\n"
    (finding,) = _recursion(main, _system("f", "{N | N>=0}", "{|} f[N]"))
    assert finding.primary.span.position[0] == 2


def test_every_circle_is_reported() -> None:
    assert len(_recursion(_system("f", "{N | N>=0}", "{|} f[N]"), _system("g", "{N | N>=0}", "{|} g[N+1]"))) == 2


def test_what_nobody_knows_is_a_warning_and_the_program_may_run() -> None:
    text = _system("f", "{N | N>=1}", "{h | N==2h} f[h]", "{h | N==2h+1 && h>=1} f[6h+4]")
    (finding,) = _recursion(text)
    assert finding.rule.code == "AZ314"
    assert not finding.is_error
    assert read_program(Source("t", text)).program.systems


def test_nothing_is_guessed_of_a_program_with_other_errors() -> None:
    text = _system("f", "{N | N>=1}", "{h | N==2h} f[h]", "{h | N==2h+1 && h>=1} f[6h+4]")
    assert _recursion(text.replace("y = 1", "y = z")) == []


# --- against brute force ----------------------------------------------------------------------------------------


def _successors(program: Program, state: State, within: int) -> list[State]:
    system = program.system(state[0])
    values = dict(zip(system.parameters, state[1], strict=True))
    reached = []
    for equation in system.equations:
        if isinstance(equation, UseEquation):
            for point in equation.extension.points(values):
                here = {**values, **dict(zip(equation.extension.space.names, point, strict=True))}
                called = tuple(a.at(here) for a in equation.parameters)
                callee = program.system(equation.system)
                near = max(map(abs, called), default=0) <= within
                if near and callee.context.contains(dict(zip(callee.parameters, called, strict=True))):
                    reached.append((callee.name, called))
    return reached


def _has_cycle(program: Program, within: int) -> bool:
    """Is there a cycle among the states whose parameters are at most `within`?"""
    graph: dict[State, list[State]] = {}
    for system in program.systems:
        for n in range(within + 1):
            for m in range(within + 1):
                if system.context.contains({"N": n, "M": m}):
                    graph[(system.name, (n, m))] = _successors(program, (system.name, (n, m)), within)
    while True:
        ends = {state for state, reached in graph.items() if not any(item in graph for item in reached)}
        if not ends:
            return bool(graph)
        graph = {state: reached for state, reached in graph.items() if state not in ends}


def _goes_on(program: Program, state: State, steps: int) -> bool:
    """Returns True if some path of so many calls begins here."""
    front = {state}
    for _ in range(steps):
        front = set(sorted({s for item in front for s in _successors(program, item, 10**6)})[:200])
    return bool(front)


def _random_call(rng: random.Random, names: list[str]) -> str:
    def argument() -> str:
        return f"{rng.choice(['N', 'M', 'N', 'M', '0'])}{rng.choice(['', '-1', '-1', '+1', '-2'])}"

    condition = rng.choice(["N>=1", "M>=2", "N>M", "N>=1 && M>=1", "N!=M", "N<=M"])
    return f"{{| {condition}}} {rng.choice(names)}[{argument()},{argument()}]"


@pytest.mark.slow
def test_verdicts_agree_with_brute_force() -> None:
    rng = random.Random(7)
    verdicts: dict[str, int] = {}
    for _ in range(80):
        names = ["f", "g"][: rng.randint(1, 2)]
        text = "".join(
            _system(name, "{N,M | N>=0 && M>=0}", *(_random_call(rng, names) for _ in range(rng.randint(1, 2))))
            for name in names
        )
        program = _program(text)
        findings = list(endless_calls(program, sound=True))
        for finding in findings:
            verdicts[finding.rule.code] = verdicts.get(finding.rule.code, 0) + 1
            if finding.rule.code == "AZ313":
                assert finding.witness is not None
                start = finding.witness.places[0]
                assert _goes_on(program, (start.name, start.point), 30), text
        if not findings:
            verdicts["ends"] = verdicts.get("ends", 0) + 1
            assert not _has_cycle(program, 6), text
    assert min(verdicts["ends"], verdicts["AZ313"]) >= 10, verdicts
    assert verdicts.get("AZ314", 0) <= 8, verdicts


def _program(text: str) -> Program:
    """Calls with parameters that are not allowed are errors, and no calls here."""
    source = Source("t", text)
    return elaborate_partly(parse_program(source), source).program


def test_the_words_of_a_finding_name_all_the_calls_of_the_circle() -> None:
    (finding,) = _recursion(_system("f", "{N | N>=0}", "{|} g[N]"), _system("g", "{N | N>=0}", "{|} f[N]"))
    assert finding.message == "the calls of `f` and `g` never end"
    assert len(finding.secondary) == 1
    assert _values(finding) == {"N": 0}


def _values(finding: Diagnostic) -> Mapping[str, int]:
    assert finding.witness is not None
    return dict(finding.witness.parameters)
