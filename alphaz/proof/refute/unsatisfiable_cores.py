"""Selects the moves of the search that a contradiction needs, by unsatisfiable cores of z3; no proof depends on
them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from alphaz.kernel.checker import Alternative, Fact, ProofGoal

# The budget of one question, in units of z3's work.
_WORK = 4_000_000
# The work that is worth one step of the search.
_WORK_OF_STEP = 600

Moves = Iterable[tuple[int, Sequence[ProofGoal]]]


@dataclass(slots=True)
class Cores:
    """A solver with the facts and alternatives that it was asked about, by fact and by label of the move."""

    z3: Any
    solver: Any
    facts: dict[str, Any] = field(default_factory=dict)
    moves: dict[int, Any] = field(default_factory=dict)
    work: int = 0

    @staticmethod
    def new() -> "Cores":
        import z3  # noqa: PLC0415 - a fifth of a second

        solver = z3.SimpleSolver(ctx=z3.Context())
        solver.set("core.minimize", True)
        solver.set("rlimit", _WORK)
        return Cores(z3, solver)

    def price(self) -> int:
        """Returns the steps of the search that the work since the last question is worth."""
        work = next((int(value) for name, value in self.solver.statistics() if name == "rlimit count"), 0)
        before, self.work = self.work, work
        return (work - before) // _WORK_OF_STEP

    def needed(self, goal: ProofGoal, moves: Moves) -> frozenset[int] | None:
        """Returns labels of moves such that the facts of the goal contradict one alternative of each; None if there
        are none, or if it is not known. Each move has its label, and the goals that it leaves.
        """
        answer = self._core(goal, moves, all_facts=True)
        return None if answer is None else answer[1]

    def reduced(self, goal: ProofGoal, moves: Moves = ()) -> tuple[frozenset[int], frozenset[int]] | None:
        """Returns the numbers of facts as well, which contradict one alternative of each move."""
        return self._core(goal, moves, all_facts=False)

    def _core(self, goal: ProofGoal, moves: Moves, *, all_facts: bool) -> tuple[frozenset[int], frozenset[int]] | None:
        context, solver = self.solver.ctx, self.solver
        solver.push()
        literals = []
        for number, fact in enumerate(goal.facts):
            if all_facts:
                solver.add(self._fact(fact))
            else:
                literals.append(self.z3.Bool(f"fact {number}", context))
                solver.add(self.z3.Implies(literals[-1], self._fact(fact)))
        for label, goals in moves:
            if label not in self.moves:
                self.moves[label] = self._any([self._after(goal, inner) for inner in goals])
            literals.append(self.z3.Bool(f"move {label}", context))
            solver.add(self.z3.Implies(literals[-1], self.moves[label]))
        is_empty = solver.check(*literals) == self.z3.unsat
        core = [str(literal).split() for literal in solver.unsat_core()] if is_empty else []
        solver.pop()
        facts, chosen = (frozenset(int(text) for kind, text in core if kind == one) for one in ("fact", "move"))
        return (facts, chosen) if is_empty else None

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
