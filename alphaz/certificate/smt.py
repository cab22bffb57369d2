"""A set of violations as a text of SMT-LIB 2.6, logic QF_LIA, and z3 as the second engine."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from alphaz.certificate.engine_answer import Decide, Decision
from alphaz.certificate.mapping_inventory import Stated
from alphaz.certificate.violation_sets import Absent, LinearSum, ViolationCase, Violations


def smt_text(violations: Violations, at: Mapping[str, int] | None = None, comment: str = "") -> str:
    """Returns the whole script, ended by `(check-sat)`. `at` gives values to some of the names, to check a point.

    A division of a negated case has its value all the same.
    """
    declared, asserted = [], []
    for name in (*violations.parameters, *violations.names, *violations.auxiliary):
        declared.append(_declaration(name))
    for number, part in enumerate(violations.parts):
        cases = []
        for place, case in enumerate(part):
            new = {d.name: f"{d.name}@{number}.{place}" for d in case.divisions}
            declared += map(_declaration, new.values())
            cases.append(_all(_case(case, new)))
        asserted.append(f"(assert {_any(cases)})")
    for place, case in enumerate(violations.without):
        new = {d.name: f"{d.name}@-.{place}" for d in case.divisions}
        declared += map(_declaration, new.values())
        asserted += [f"(assert {fact})" for fact in _divisions(case, new)]
        asserted.append(f"(assert (not {_all(_rows(case, new))}))")
    for number, absent in enumerate(violations.absent):
        asserted.append(f"(assert (not {_exists(absent, str(number))}))")
    for name, value in sorted((at or {}).items()):
        asserted.append(f"(assert (= {_symbol(name)} {_number(value)}))")
    head = [f"; {line}" for line in comment.splitlines()]
    return "\n".join([*head, f"(set-logic {logic_of(violations)})", *declared, *asserted, "(check-sat)"]) + "\n"


def logic_of(violations: Violations) -> str:
    """Returns the logic of its text."""
    return "LIA" if violations.absent else "QF_LIA"


def _exists(absent: Absent, title: str) -> str:
    """Returns the existence of an absent set: divisions are bound with its names."""
    bound = list(map(_symbol, absent.names))
    facts = []
    for number, part in enumerate(absent.parts):
        cases = []
        for place, case in enumerate(part):
            new = {d.name: f"{d.name}@{title}.{number}.{place}" for d in case.divisions}
            bound += map(_symbol, new.values())
            cases.append(_all(_case(case, new)))
        facts.append(_any(cases))
    for place, case in enumerate(absent.without):
        new = {d.name: f"{d.name}@{title}.-.{place}" for d in case.divisions}
        bound += map(_symbol, new.values())
        facts += [*_divisions(case, new), f"(not {_all(_rows(case, new))})"]
    facts += [f"(not {_exists(inner, f'{title}.{number}')})" for number, inner in enumerate(absent.absent)]
    inside = _all(facts)
    return f"(exists ({' '.join(f'({name} Int)' for name in bound)}) {inside})" if bound else inside


def _declaration(name: str) -> str:
    return f"(declare-fun {_symbol(name)} () Int)"


def _symbol(name: str) -> str:
    return f"|{symbol(name)}|"


def symbol(name: str) -> str:
    """Returns the symbol for a name in the script.

    A quoted symbol may have any printable character but two; those, and `%` itself, are written by their codes.
    `|and|` is `and`, quoted or not: the prefix `x.` separates our names from those of the logic.
    """
    return "x." + "".join(f"%{ord(c):x}%" if c in "|\\%" or not c.isprintable() else c for c in name)


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def _case(case: ViolationCase, new: Mapping[str, str]) -> Iterator[str]:
    yield from _divisions(case, new)
    yield from _rows(case, new)


def _divisions(case: ViolationCase, new: Mapping[str, str]) -> Iterator[str]:
    for division in case.divisions:
        rest = LinearSum({**division.sum.terms, division.name: -division.by}, division.sum.constant)
        yield f"(<= 0 {_sum(rest, new)} {division.by - 1})"


def _rows(case: ViolationCase, new: Mapping[str, str]) -> Iterator[str]:
    for row in case.rows:
        yield f"({'=' if row.equal else '>='} {_sum(row.sum, new)} 0)"


def _sum(sum_: LinearSum, new: Mapping[str, str]) -> str:
    terms = [f"(* {_number(c)} {_symbol(new.get(name, name))})" for name, c in sum_.terms.items()]
    if not terms:
        return _number(sum_.constant)
    return f"(+ {' '.join(terms)} {_number(sum_.constant)})"


def _all(facts: Iterable[str]) -> str:
    return _conjunction("and", list(facts), "true")


def _any(facts: Iterable[str]) -> str:
    return _conjunction("or", list(facts), "false")


def _conjunction(word: str, facts: list[str], none: str) -> str:
    if len(facts) < 2:
        return facts[0] if facts else none
    return f"({word} {' '.join(facts)})"


STEPS = 80_000_000
"""The work limit of z3 for one obligation (`rlimit`): about twenty seconds, independent of the load."""


def engine() -> tuple[str, Decide]:
    """Returns the name of the engine with its version, and the engine."""
    import z3  # noqa: PLC0415 - a fifth of a second

    def decide(entry: Stated, at: Mapping[str, int] | None = None) -> Decision:
        return _decide(z3, smt_text(entry.violations, at), logic_of(entry.violations))

    return f"z3 {z3.get_version_string()}", decide


def _decide(z3: Any, text: str, logic: str) -> Decision:
    solver = z3.SolverFor(logic, ctx=z3.Context())
    solver.set("rlimit", STEPS)
    try:
        solver.from_string(text)
    except z3.Z3Exception as error:
        return Decision(None, f"z3 cannot read it: {error}", is_odd=True)
    answer = solver.check()
    if answer == z3.unknown:
        return Decision(None, solver.reason_unknown())
    return Decision(answer == z3.unsat)
