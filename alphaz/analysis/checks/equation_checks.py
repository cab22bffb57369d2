"""All checks of one equation: its domains, its types and its findings, reused while the equation and what it refers to
are unchanged.

They depend on the equation, the declarations of the names in it, the called systems, and the context of its system. If
all of these are the same objects, as for most equations after a transformation, the results are reused."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from alphaz.analysis.checks.calls import CallCheck
from alphaz.analysis.checks.definition import coverage, left_side_span, loop_coverage, overlaps
from alphaz.analysis.checks.obligation_finding import ProgramCheck, answer
from alphaz.analysis.checks.parts_without_effect import empty_restricts, is_empty
from alphaz.analysis.checks.reductions import reductions
from alphaz.analysis.checks.types import Typing
from alphaz.analysis.checks.undefined_points import Blame, claim
from alphaz.analysis.elaboration_findings import Findings
from alphaz.analysis.facts.domains import DomainInference
from alphaz.diagnostics import Diagnostic, Label, Span
from alphaz.diagnostics.rules import UNDECIDED
from alphaz.diagnostics.work_limits import working_at
from alphaz.model.expression import Access, Case, Expression
from alphaz.model.program import Equation, Program, System, UseEquation, Variable, WhileLoop
from alphaz.model.types import ScalarType
from alphaz.model.walk import walk
from alphaz.poly import Affine, AffineFunction, Domain, OutOfBudget, equal
from alphaz.proof import with_growing_budget

AnyEquation = Equation | UseEquation


@dataclass(frozen=True, slots=True, eq=False)
class EquationPart:
    """The domains and types of the expressions of one equation (or of a loop), and its findings."""

    inference: DomainInference
    types: Mapping[Expression, ScalarType]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True, eq=False)
class EquationParts:
    """The parts of an examined program, each with its system."""

    program: Program
    of: Mapping[AnyEquation, tuple[System, EquationPart]]

    def unchanged_part(self, program: Program, system: System, equation: AnyEquation) -> EquationPart | None:
        """Returns the part of the equation in a transformed program, if everything on which it depends is unchanged."""
        equation_part = self.of.get(equation)
        if equation_part is None:
            return None
        before, part = equation_part
        same = (
            before.name == system.name
            and before.context is system.context
            and self.program.externals == program.externals
            and (isinstance(equation, Equation) or _callee(self.program, equation) is _callee(program, equation))
        )
        return (
            part
            if same
            and all(_declared_variable(before, n) is _declared_variable(system, n) for n in _variables_of(equation))
            else None
        )


def _callee(program: Program, equation: UseEquation) -> System:
    return program.system(equation.system)


def _declared_variable(system: System, name: str) -> Variable | None:
    return next((variable for variable in system.variables if variable.name == name), None)


def _variables_of(equation: AnyEquation) -> set[str]:
    roots = (equation.expression,) if isinstance(equation, Equation) else equation.inputs
    own = (equation.variable,) if isinstance(equation, Equation) else equation.outputs
    return {*own, *(node.variable for root in roots for node in walk(root) if isinstance(node, Access))}


def examine_equation(program: Program, system: System, equation: AnyEquation) -> EquationPart:
    """Returns all results about an equation that do not depend on other equations."""
    examination = _Examination.of(program, system)
    if isinstance(equation, Equation):
        examination.equation(equation)
        return examination.part((equation.expression,))
    examination.use(equation)
    return examination.part(equation.inputs)


def examine_loop(program: Program, system: System, loop: WhileLoop) -> EquationPart:
    """Returns the results about the condition of a loop."""
    examination = _Examination.of(program, system)
    examination.loop(loop)
    return examination.part((loop.condition,))


@dataclass(frozen=True, slots=True, eq=False)
class _Examination:
    program: Program
    system: System
    inference: DomainInference
    typing: Typing
    findings: Findings

    @staticmethod
    def of(program: Program, system: System) -> "_Examination":
        findings = Findings()
        variables = {variable.name: variable for variable in system.variables}
        externals = {external.name: external for external in program.externals}
        inference = DomainInference(variables)
        return _Examination(
            program=program,
            system=system,
            inference=inference,
            typing=Typing(variables, externals, inference.needs, findings),
            findings=findings,
        )

    def part(self, roots: tuple[Expression, ...]) -> EquationPart:
        """Returns the results, and the objects on which they depend."""
        if not is_empty(self.system.context):
            for root in roots:
                with working_at(root.span, "whether every part of this expression is evaluated somewhere"):
                    empty_restricts(root, self.inference, self.findings)
        return EquationPart(self.inference, self.typing.types, tuple(self.findings.diagnostics))

    def ask(self, questions: Iterable[ProgramCheck]) -> None:
        """Decides each check separately; a check that cannot be built within the budget is undecided."""
        answers_ = (answer(question) for question in questions)
        self.findings.diagnostics.extend(d for d in answers_ if d is not None)

    def infer(self, root: Expression, needed: Domain, where: Span) -> bool:
        try:
            with working_at(where, "where the values of this equation are defined and needed"):
                with_growing_budget(lambda: self.inference.infer(root, needed))
        except OutOfBudget as limit:
            self.findings.diagnostics.append(
                Diagnostic(
                    UNDECIDED,
                    "the domains of this equation are too complicated",
                    Label(where, "undecided"),
                    notes=(str(limit),),
                    help="fewer pieces (`||`, `!=`, branches) make them simpler; so does an equation for a part",
                )
            )
            return False
        return True

    def equation(self, equation: Equation) -> None:
        variable = self.inference.variables[equation.variable]
        where = left_side_span(equation)
        needed = variable.domain.renamed(equation.indices)
        is_inferred = self.infer(equation.expression, needed, where)
        with working_at(where, "which types the values of this equation have"):
            self.typing.expect(equation.expression, variable.type, variable.span, f"`{variable.name}`")
        if is_inferred:
            variables = self.inference.variables
            with working_at(where, f"whether `{variable.name}` is defined at every point of its domain"):
                self.defined(
                    variable.name,
                    equation.expression,
                    needed,
                    lambda value: coverage(self.system, variables, equation, value),
                )
            self.expression(variable.name, equation.expression)

    def defined(self, name: str, root: Expression, needed: Domain, ask: Callable[[Domain], ProgramCheck]) -> None:
        """Checks that the expression has a value wherever it is needed. `ask` makes the check for a domain of values.

        Missing points are attributed to reads that do not exist (AZ306), and otherwise to the definition."""
        value = self.inference.values[root]
        diagnostic = None if value is None else answer(ask(value))
        if value is None or diagnostic is None:
            return
        blamed = (
            self._cause_diagnostics(name, root, _missing(needed, value, diagnostic), ask)
            if diagnostic.rule != UNDECIDED
            else ()
        )
        self.findings.diagnostics.extend(blamed or (diagnostic,))

    def _cause_diagnostics(
        self, name: str, root: Expression, undefined: Domain, ask: Callable[[Domain], ProgramCheck]
    ) -> tuple[Diagnostic, ...]:
        blame = Blame(self.system, self.inference.variables, name, self.inference)
        try:
            questions = with_growing_budget(
                lambda: list(blame.reads(root, undefined, AffineFunction.identity(undefined.space)))
            )
            claimed = with_growing_budget(lambda: claim(root, self.inference))
        except OutOfBudget:
            return ()
        questions += () if claimed is None else (ask(claimed),)
        return tuple(d for d in map(answer, questions) if d is not None)

    def expression(self, name: str, root: Expression) -> None:
        key = (self.system, self.inference.variables, name)
        for node in walk(root):
            if isinstance(node, Case):
                with working_at(node.span, "whether branches of this `case` overlap"):
                    self.ask(overlaps(*key, node, self.inference))
        with working_at(root.span, "whether the reductions of this expression are defined"):
            self.ask(reductions(*key, root, self.inference))

    def use(self, equation: UseEquation) -> None:
        call = CallCheck(self.system, self.program.system(equation.system), equation)
        inputs = list(zip(equation.inputs, call.input_domains(), strict=True))
        are_inferred = [self.infer(body, needed, body.span) for body, needed in inputs]
        call.type(self.typing)
        for number, (body, needed) in enumerate(inputs):
            if are_inferred[number]:
                self.defined(call.label, body, needed, partial(call.missing, self.inference.variables, number, needed))
                self.expression(call.label, body)
        self.ask(call.questions())

    def loop(self, loop: WhileLoop) -> None:
        is_inferred = self.infer(loop.condition, loop.domain, loop.span)
        self.typing.condition(loop.condition)
        if is_inferred:
            self.defined("while", loop.condition, loop.domain, partial(loop_coverage, self.system, loop))
            self.expression("while", loop.condition)


def _missing(needed: Domain, value: Domain, diagnostic: Diagnostic) -> Domain:
    """The points without a value; if they are too many pieces, the one point that was found."""
    try:
        return with_growing_budget(lambda: needed - value)
    except OutOfBudget:
        assert diagnostic.witness is not None
        (place, *_), names = diagnostic.witness.places, needed.space.names
        point = [equal(Affine.name(name), at) for name, at in zip(names, place.point, strict=True)]
        return Domain.where(needed.space, point).fixed(dict(diagnostic.witness.parameters))
