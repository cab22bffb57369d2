"""Program -> checked program: every check that needs no mapping."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from alphaz.analysis.blame import Blame, claim
from alphaz.analysis.calls import Call
from alphaz.analysis.checked import Checked
from alphaz.analysis.cycles import cycles_of
from alphaz.analysis.definition import count_equations, coverage, left_side, loop_coverage, overlaps
from alphaz.analysis.depth import deep
from alphaz.analysis.domains import ExpressionDomains, Inference
from alphaz.analysis.findings import Findings, in_source_order
from alphaz.analysis.question import Question, answer
from alphaz.analysis.recursion import endless_calls
from alphaz.analysis.reductions import reductions
from alphaz.analysis.types import Typing
from alphaz.analysis.unused import empty_domains, unused_variables
from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.rules import UNDECIDED
from alphaz.model.expression import Case, Expression
from alphaz.model.facts import Facts
from alphaz.model.program import Equation, Program, System, UseEquation
from alphaz.model.walk import walk
from alphaz.poly import AffineFunction, Domain, OutOfBudget, budget
from alphaz.proof import BUDGET


@dataclass(frozen=True, slots=True, eq=False)
class Examined:
    """A program with everything that was found: errors and warnings, in source order."""

    checked: Checked
    diagnostics: tuple[Diagnostic, ...]


def check(program: Program) -> Checked:
    """The same program with its facts and warnings. Raises Rejected with every error, in source order."""
    return accept(examine(program, frozenset(system.name for system in program.systems)))


def accept(examined: Examined) -> Checked:
    """Raises Rejected where there is an error."""
    errors = tuple(d for d in examined.diagnostics if d.is_error)
    if errors:
        raise Rejected(*errors)
    return examined.checked


def examine(program: Program, whole: frozenset[str], earlier: tuple[Diagnostic, ...] = ()) -> Examined:
    """Checks what there is. Systems outside `whole` have lost equations or variables to `earlier` findings: nothing is
    said about what may be missing from them."""
    with deep():
        return _examined(program, whole, earlier)


def _examined(program: Program, whole: frozenset[str], earlier: tuple[Diagnostic, ...]) -> Examined:
    examinations = [_examine_system(program, system, system.name in whole) for system in program.systems]
    found = in_source_order((*earlier, *(d for e in examinations for d in e.findings.diagnostics)))
    facts = Facts(
        ExpressionDomains(tuple(e.inference for e in examinations)),
        {node: domain for e in examinations for node, domain in e.inference.needs.items()},
        {node: type_ for e in examinations for node, type_ in e.typing.types.items()},
    )
    # Cycles of values are looked for in sound programs only: what is wrong otherwise must be mended first.
    sound = len(whole) == len(program.systems) and not any(d.is_error for d in found)
    found = in_source_order((*found, *endless_calls(program, sound)))
    if sound:
        found = in_source_order((*found, *(d for system in program.systems for d in cycles_of(system, facts))))
    return Examined(Checked(program, facts, tuple(d for d in found if not d.is_error)), found)


@dataclass(frozen=True, slots=True, eq=False)
class _Examination:
    program: Program
    system: System
    inference: Inference
    typing: Typing
    findings: Findings

    def ask(self, questions: Iterable[Question]) -> None:
        """Each question on its own; what cannot even be stated within the budget is undecided."""
        found = (answer(question) for question in questions)
        self.findings.diagnostics.extend(d for d in found if d is not None)

    def infer(self, root: Expression, needed: Domain, where: Span) -> bool:
        try:
            with budget(BUDGET):
                self.inference.infer(root, needed)
        except OutOfBudget as limit:
            self.findings.diagnostics.append(
                Diagnostic(
                    UNDECIDED, "the domains of this equation are too complicated", Label(where), notes=(str(limit),)
                )
            )
            return False
        return True

    def equation(self, equation: Equation) -> None:
        variable = self.inference.variables[equation.variable]
        self.typing.expect(equation.expression, variable.type, variable.span, f"`{variable.name}`")
        where = left_side(equation)
        needed = variable.domain.renamed(equation.indices)
        if self.infer(equation.expression, needed, where):
            variables = self.inference.variables
            self.defined(
                variable.name,
                equation.expression,
                needed,
                lambda value: coverage(self.system, variables, equation, value),
            )
            self.expression(variable.name, equation.expression)

    def defined(self, name: str, root: Expression, needed: Domain, ask: Callable[[Domain], Question]) -> None:
        """Has the expression a value wherever it is needed? `ask` makes the question for a domain of values.

        What is missing is blamed on the reads that do not exist (AZ306), and otherwise on the definition.
        """
        value = self.inference.values[root]
        found = None if value is None else answer(ask(value))
        if value is None or found is None:
            return
        blamed = self._blamed(name, root, needed - value, ask) if found.rule is not UNDECIDED else ()
        self.findings.diagnostics.extend(blamed or (found,))

    def _blamed(
        self, name: str, root: Expression, undefined: Domain, ask: Callable[[Domain], Question]
    ) -> tuple[Diagnostic, ...]:
        blame = Blame(self.system, self.inference.variables, name, self.inference)
        try:
            with budget(BUDGET):
                questions = list(blame.reads(root, undefined, AffineFunction.identity(undefined.space)))
                claimed = claim(root, self.inference)
        except OutOfBudget:
            return ()
        questions += () if claimed is None else (ask(claimed),)
        return tuple(d for d in map(answer, questions) if d is not None)

    def expression(self, name: str, root: Expression) -> None:
        known = (self.system, self.inference.variables, name)
        for node in walk(root):
            if isinstance(node, Case):
                self.ask(overlaps(*known, node, self.inference))
        self.ask(reductions(*known, root, self.inference))

    def use(self, equation: UseEquation) -> None:
        call = Call(self.system, self.program.system(equation.system), equation)
        call.type(self.typing)
        for number, (body, needed) in enumerate(zip(equation.inputs, call.input_domains(), strict=True)):
            if self.infer(body, needed, body.span):
                self.defined(call.label, body, needed, partial(call.missing, self.inference.variables, number, needed))
                self.expression(call.label, body)
        self.ask(call.questions())

    def loop(self) -> None:
        loop = self.system.loop
        if loop is None:
            return
        self.typing.condition(loop.condition)
        if self.infer(loop.condition, loop.domain, loop.span):
            self.defined("while", loop.condition, loop.domain, partial(loop_coverage, self.system, loop))
            self.expression("while", loop.condition)


def _examine_system(program: Program, system: System, whole: bool) -> _Examination:
    findings = Findings()
    variables = {variable.name: variable for variable in system.variables}
    externals = {external.name: external for external in program.externals}
    examination = _Examination(program, system, Inference(variables), Typing(variables, externals, findings), findings)
    count_equations(system, whole, findings)
    for equation in system.equations:
        if isinstance(equation, Equation):
            examination.equation(equation)
        else:
            examination.use(equation)
    examination.loop()
    if whole:
        unused_variables(system, findings)
    empty_domains(system, examination.inference, findings)
    return examination
