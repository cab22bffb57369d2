"""The moves that a contradiction needs, by unsatisfiable cores of z3: its answers are hints, and no part of a proof."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from alphaz.kernel.checker import Alternative, Fact, ProofGoal

# The budget of one question, in units of z3's work.
_WORK = 2_000_000


@dataclass(slots=True)
class Cores:
    """A solver with the facts and alternatives that it was asked about, by fact and by label of the move."""

    z3: Any
    solver: Any
    facts: dict[str, Any] = field(default_factory=dict)
    moves: dict[int, Any] = field(default_factory=dict)

    @staticmethod
    def new() -> "Cores":
        import z3  # noqa: PLC0415 - a fifth of a second

        solver = z3.SimpleSolver(ctx=z3.Context())
        solver.set("core.minimize", True)
        solver.set("rlimit", _WORK)
        return Cores(z3, solver)

    def needed(self, goal: ProofGoal, moves: Iterable[tuple[int, Sequence[ProofGoal]]]) -> frozenset[int] | None:
        """Returns labels of moves such that the facts of the goal contradict one alternative of each; None if there
        are none, or if it is not known. Each move has its label, and the goals that it leaves.
        """
        z3 = self.z3
        self.solver.push()
        self.solver.add(*(self._fact(fact) for fact in goal.facts))
        literals = {}
        for label, goals in moves:
            if label not in self.moves:
                self.moves[label] = self._any([self._after(goal, inner) for inner in goals])
            literals[str(label)] = literal = z3.Bool(str(label), self.solver.ctx)
            self.solver.add(z3.Implies(literal, self.moves[label]))
        answer = self.solver.check(*literals.values())
        core = frozenset(int(str(literal)) for literal in self.solver.unsat_core()) if answer == z3.unsat else None
        self.solver.pop()
        return core

    def contradictory(self, facts: Sequence[Fact]) -> frozenset[int] | None:
        """Returns the numbers of facts that have no integer point; None if there are none, or if it is not known."""
        literals = [self.z3.Bool(str(number), self.solver.ctx) for number in range(len(facts))]
        self.solver.push()
        for literal, fact in zip(literals, facts, strict=True):
            self.solver.add(self.z3.Implies(literal, self._fact(fact)))
        answer = self.solver.check(*literals)
        core = self.solver.unsat_core() if answer == self.z3.unsat else None
        self.solver.pop()
        return None if core is None else frozenset(int(str(literal)) for literal in core)

    def _after(self, before: ProofGoal, goal: ProofGoal) -> Any:
        """Returns the facts and choices that are new in a goal; those of absent sets are left out."""
        parts = [self._fact(fact) for fact in goal.facts[len(before.facts) :]]
        parts += [self._choice(goal, choice) for choice in goal.choices[len(before.choices) :]]
        return self.z3.And(*parts, self._true())

    def _choice(self, goal: ProofGoal, alternatives: Sequence[Alternative]) -> Any:
        return self._any([self._after(goal, add(goal)) for add in alternatives])

    def _any(self, parts: Sequence[Any]) -> Any:
        return self.z3.Or(*parts, self.z3.BoolVal(False, self.solver.ctx))

    def _true(self) -> Any:
        return self.z3.BoolVal(True, self.solver.ctx)

    def _fact(self, fact: Fact) -> Any:
        (terms, constant), is_equality = fact
        key = str(fact)
        if key not in self.facts:
            z3, context = self.z3, self.solver.ctx
            products = [c * z3.Int(f"x{variable}", context) for variable, c in terms.items()]
            total = z3.Sum(*products, z3.IntVal(constant, context))
            self.facts[key] = total == 0 if is_equality else total >= 0
        return self.facts[key]
