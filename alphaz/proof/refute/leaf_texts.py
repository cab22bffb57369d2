"""The leaves of proofs as SMT-LIB 2.6, for solvers and proof formats of linear real arithmetic (QF_LRA).

A leaf is a goal that a sum of facts closes. Its facts are rows that the kernel has divided and rounded, so no integers
are needed any more: a solver finds that they have no rational point, and its certificate has the multipliers that the
comment gives. That the leaves are all of a proof (cases, splits, quotients, instances) is what the kernel checks.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from alphaz.kernel.certificate_check import derived_entries, derived_proof
from alphaz.kernel.checker import (
    Fact,
    Form,
    NotConfirmed,
    ProofGoal,
    after,
    elements,
    goal_of,
    integer,
    load,
    members,
    sets,
    steps_of,
)

Leaf = tuple[tuple[Fact, int], ...]
"""Facts with their multipliers: their sum is a negative constant."""


def leaves_of(goal: ProofGoal, steps: object) -> Iterator[Leaf]:
    """Yields the leaves of a proof in order. Raises NotConfirmed for steps that cannot be made."""
    goals = [goal]
    for step in elements(steps):
        current = goals.pop()
        goals += reversed(after(current, step))
        kind, *arguments = elements(step)
        if kind == "sum":
            pairs = zip(arguments[::2], arguments[1::2], strict=True)
            yield tuple((current.facts[integer(number)], integer(factor)) for number, factor in pairs)


def texts_of_leaves(certificate: bytes, proofs: bytes) -> Iterator[tuple[str, str]]:
    """Yields the place of each set that has a proof, as stated and as derived, and the script of its leaves. Those of a
    wrong proof of a derived set are left out.
    """
    document, found = load(certificate), load(proofs)
    stated = members(found["proofs"])
    for place, entry, table in sets(document):
        if place in stated:
            goal = goal_of(entry["violations"], table)
            yield place, smt_of_leaves(place, tuple(leaves_of(goal, steps_of(found, stated[place]))))
    for place, state in derived_entries(document):
        with suppress(NotConfirmed):
            goal, title = goal_of(*state()), f"{place}, derived from the inventory"
            leaves = tuple(leaves_of(goal, derived_proof(found, place, goal)))
            yield f"{place}-derived", smt_of_leaves(title, leaves)


def smt_of_leaves(title: str, leaves: Sequence[Leaf]) -> str:
    """Returns a script with one `(check-sat)` a leaf; each answer is to be unsat."""
    lines = [f"; {title}: {len(leaves)} leaves, all of them unsat", "(set-logic QF_LRA)"]
    for leaf in leaves:
        variables = sorted({variable for (form, _), _ in leaf for variable in form[0]})
        lines += [f"; multipliers {' '.join(str(factor) for _, factor in leaf)}", "(push 1)"]
        lines += [f"(declare-fun x{variable} () Real)" for variable in variables]
        lines += [f"(assert ({'=' if is_equality else '>='} {_sum(form)} 0))" for (form, is_equality), _ in leaf]
        lines += ["(check-sat)", "(pop 1)"]
    return "\n".join(lines) + "\n"


def _sum(form: Form) -> str:
    terms, constant = form
    parts = [f"(* {_number(factor)} x{variable})" for variable, factor in sorted(terms.items())]
    return f"(+ {' '.join(parts)} {_number(constant)})" if parts else _number(constant)


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"
