"""Equations and systems: text -> model, names resolved.

A use equation's input has the context `extension x callee's input`; there the extension's index names and those of the
callee's declaration are in scope (with underscores appended to names that both have)."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.analysis.depth import DEEPEST, too_deep
from alphaz.analysis.elaborate.affine_forms import affines, declared_domain, index_names
from alphaz.analysis.elaborate.expressions import Elaborator
from alphaz.analysis.elaborate.implicit_branch_domains import with_automatic_restricts, with_yielding_branches
from alphaz.analysis.elaborate.scope import Scope
from alphaz.analysis.elaborate.signature import Signature
from alphaz.analysis.elaboration_findings import Findings, near
from alphaz.diagnostics import Label, Span
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import ARITY, CALL, SYNTAX, UNDECLARED
from alphaz.diagnostics.work_limits import working_at
from alphaz.model.expression import Expression
from alphaz.model.program import Equation, External, Kind, System, UseEquation, Variable, WhileLoop, input_names
from alphaz.poly import Domain, Space
from alphaz.syntax import tree


@dataclass(frozen=True, slots=True, eq=False)
class ElaboratedSystem:
    """A system without its wrong parts; `whole`: no part was left out."""

    system: System
    is_complete: bool


def elaborate_system(
    signature: Signature,
    others: Mapping[str, Signature],
    externals: Mapping[str, External],
    findings: Findings,
) -> ElaboratedSystem | None:
    """Returns the system; None if the parameters themselves are wrong."""
    if signature.context is None:
        return None
    before = findings.errors
    builder = _Builder(
        signature=signature,
        context=signature.context,
        others=others,
        expressions=Elaborator(signature.variables, externals, findings),
        findings=findings,
    )
    text = signature.text
    equations = tuple(e for e in map(builder.equation, text.equations) if e is not None)
    loop = builder.loop(text.loop) if text.loop is not None else None
    variables = tuple(v for v in signature.variables.values() if v is not None)
    system = System(
        name=signature.name,
        context=signature.context,
        variables=variables,
        equations=equations,
        loop=loop,
        given=text.given,
        span=text.name.span,
    )
    # A call of a system with wrong declarations is dropped without a finding.
    complete = len(variables) == len(signature.variables) and len(equations) == len(text.equations)
    return ElaboratedSystem(system, is_complete=findings.errors == before and complete)


@dataclass(frozen=True, slots=True, eq=False)
class _Builder:
    signature: Signature
    context: Domain
    others: Mapping[str, Signature]
    expressions: Elaborator
    findings: Findings

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.context.space.parameters

    def equation(self, text: tree.EquationText | tree.UseText) -> Equation | UseEquation | None:
        roots = (text.body,) if isinstance(text, tree.EquationText) else text.inputs
        shallow = [self._shallow(root) for root in roots]
        if not all(shallow):
            return None
        with working_at(text.span, "whether the names and indices of this equation are declared"):
            return self._standard(text) if isinstance(text, tree.EquationText) else self._use(text)

    def _shallow(self, root: tree.ExpressionNode) -> bool:
        deepest = too_deep(root)
        if deepest is not None:
            message = f"this expression has more than {DEEPEST} levels of nesting"
            remedy = "give a part of it an equation of its own"
            self.findings.report(SYNTAX, message, deepest.span, "nested too deeply", help_=remedy)
        return deepest is None

    def loop(self, text: tree.WhileText) -> WhileLoop | None:
        domain = declared_domain(text.domain, self.parameters, self.findings)
        if domain is None or not self._shallow(text.condition):
            return None
        condition = self.expressions.expression(text.condition, Scope.of(self.parameters, domain.space.names))
        return None if condition is None else WhileLoop(domain.in_context(self.context), condition, text.span)

    # --- standard equations -------------------------------------------------------------------------------------

    def _standard(self, text: tree.EquationText) -> Equation | None:
        variable = self._defined(text.name)
        named = text.indices is not None
        indices = self._indices(text, variable)
        if variable is None or indices is None:
            return None
        expression = self.expressions.expression(text.body, Scope.of(self.parameters, indices, named))
        if expression is None:
            return None
        settled = self._with_domains(expression, variable.domain.renamed(indices))
        return Equation(variable=variable.name, indices=indices, expression=settled, named=named, span=text.span)

    def _with_domains(self, root: Expression, needed: Domain) -> Expression:
        """The expression with the domains of `auto` and yielding branches."""
        whole = with_automatic_restricts(root, needed, self._declared, self.expressions.automatic, self.findings)
        return with_yielding_branches(whole, needed, self._declared)

    @property
    def _declared(self) -> dict[str, Variable]:
        return {name: variable for name, variable in self.signature.variables.items() if variable is not None}

    def _indices(self, text: tree.EquationText, variable: Variable | None) -> tuple[str, ...] | None:
        if text.indices is None:
            return variable.domain.space.names if variable is not None else None
        names = index_names(text.indices, self.parameters, self.findings)
        if names is None or variable is None:
            return None
        rank = variable.domain.space.dimensions
        if len(names) == rank:
            return names
        where = text.indices[0].span.to(text.indices[-1].span) if text.indices else text.name.span
        self.findings.report(
            ARITY,
            f"`{variable.name}` has {count_text(rank, 'index')}, not {len(names)}",
            where,
            f"{count_text(rank, 'index')} expected",
            related=(Label(variable.span, "declared here"),),
        )
        return None

    def _defined(self, name: tree.Name) -> Variable | None:
        if name.text in self.signature.variables:
            return self.signature.variables[name.text]
        self.findings.report(
            UNDECLARED,
            f"the variable `{name.text}` is not declared",
            name.span,
            "not declared",
            help_=near(name.text, self.signature.variables),
        )
        return None

    # --- use equations ------------------------------------------------------------------------------------------

    def _use(self, text: tree.UseText) -> UseEquation | None:
        extension = self._extension(text)
        callee = self._callee(text)
        outputs = [self._defined(name) for name in text.outputs]
        if extension is None or callee is None or callee.context is None:
            return None
        scope = Scope.of(self.parameters, extension.space.names)
        parameters = affines(text.parameters, scope, self.findings)
        fits = self._interface(text, callee)
        if parameters is None or not fits:
            return None
        inputs = self._inputs(text, callee, extension.space)
        good = self._output_ranks(text, callee, outputs, extension.space.dimensions)
        if inputs is None or not good:
            return None
        names = tuple(name.text for name in text.outputs)
        return UseEquation(
            extension=extension, system=callee.name, parameters=parameters, inputs=inputs, outputs=names, span=text.span
        )

    def _extension(self, text: tree.UseText) -> Domain | None:
        if text.extension is None:
            return Domain.universe(Space(self.parameters)).in_context(self.context)
        domain = declared_domain(text.extension, self.parameters, self.findings)
        return None if domain is None else domain.in_context(self.context)

    def _callee(self, text: tree.UseText) -> Signature | None:
        callee = self.others.get(text.system.text)
        if callee is None:
            self.findings.report(
                UNDECLARED,
                f"the system `{text.system.text}` is not declared",
                text.system.span,
                "not declared",
                help_=near(text.system.text, self.others),
            )
        return callee

    def _interface(self, text: tree.UseText, callee: Signature) -> bool:
        """Checks the numbers of parameters, inputs and outputs."""
        assert callee.context is not None
        counts = (
            ("parameter", len(text.parameters), len(callee.context.space.parameters)),
            ("input", len(text.inputs), len(callee.of_kind(Kind.INPUT))),
            ("output", len(text.outputs), len(callee.of_kind(Kind.OUTPUT))),
        )
        wrong = [(noun, count, needed) for noun, count, needed in counts if count != needed]
        for noun, count, needed in wrong:
            self.findings.report(
                CALL,
                f"the system `{callee.name}` has {count_text(needed, noun)}, not {count}",
                text.system.span,
                f"called with {count_text(count, noun)}",
                related=(Label(callee.text.name.span, "declared here"),),
            )
        return not wrong

    def _inputs(self, text: tree.UseText, callee: Signature, extension: Space) -> tuple[Expression, ...] | None:
        expressions: list[Expression] = []
        for body, variable in zip(text.inputs, callee.of_kind(Kind.INPUT), strict=True):
            if variable is None:
                continue
            scope = Scope.of(self.parameters, input_names(self.parameters, extension.names, variable))
            expression = self.expressions.expression(body, scope)
            if expression is not None:
                expressions.append(self._with_domains(expression, Domain.universe(scope.space)))
        return tuple(expressions) if len(expressions) == len(text.inputs) else None

    def _output_ranks(self, text: tree.UseText, callee: Signature, outputs: list[Variable | None], extra: int) -> bool:
        good = True
        for name, output, callee_output in zip(text.outputs, outputs, callee.of_kind(Kind.OUTPUT), strict=True):
            if output is None or callee_output is None:
                good = False
                continue
            expected = extra + callee_output.domain.space.dimensions
            if output.domain.space.dimensions != expected:
                self._wrong_rank(name.span, output, expected, callee)
                good = False
        return good

    def _wrong_rank(self, span: Span, variable: Variable, expected: int, callee: Signature) -> None:
        self.findings.report(
            CALL,
            f"`{variable.name}` has {count_text(variable.domain.space.dimensions, 'index')}, but this result of "
            f"`{callee.name}` has {expected}, those of the extension included",
            span,
            f"{count_text(expected, 'index')} expected",
            related=(Label(variable.span, "declared here"),),
        )
