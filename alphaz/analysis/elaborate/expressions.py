"""Expressions: text -> model, names resolved.

Source: the language reference, "Rules after parsing". Every function returns None on an error (which is in the
findings), and continues with the rest, so that all errors of an equation are found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite

from alphaz.analysis.elaborate.affine_forms import (
    LARGEST,
    affine,
    affines,
    function,
    function_from,
    index_names,
    restricting_domain,
)  # fmt: skip
from alphaz.analysis.elaborate.scope import Scope
from alphaz.analysis.elaboration_findings import Findings, near
from alphaz.diagnostics import Label, Span
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import ARITY, LITERAL, NO_INDEX_NAMES, REDECLARED, UNDECLARED, UNREADABLE
from alphaz.model import expression as model
from alphaz.model.program import External, Variable
from alphaz.model.real_numbers import real_number
from alphaz.poly import AffineFunction, Domain, unlike
from alphaz.syntax import tree

# Names in other languages of reductions that are operators here.
_SUMS = {"sum": "+", "prod": "*", "product": "*", "minimum": "min", "maximum": "max", "any": "or", "all": "and"}
OPERATORS = ("+", "*", "min", "max", "and", "or", "xor")


@dataclass(frozen=True, slots=True, eq=False)
class Elaborator:
    """Elaborates the expressions of one system. A variable that is None has a wrong declaration: uses of it are not
    reported again. `automatic` are the `auto` branches, which get their domains once the whole expression is known."""

    variables: Mapping[str, Variable | None]
    externals: Mapping[str, External]
    findings: Findings
    automatic: set[model.Restrict] = field(default_factory=set)

    def expression(self, text: tree.ExpressionNode, scope: Scope) -> model.Expression | None:
        """Returns the expression in the context space of the scope."""
        match text:
            case tree.IntegerLiteral():
                return self._integer(text)
            case tree.RealLiteral():
                return self._real(text)
            case tree.BooleanLiteral():
                return model.Constant(text.value, span=text.span)
            case tree.IndexExpression():
                value = affine(text.affine, scope, self.findings)
                return None if value is None else model.IndexValue(value, span=text.span)
            case tree.ValExpression():
                return self._val(text, scope)
            case tree.Reference():
                return self._reference(text, scope)
            case tree.ComposeExpression():
                return self._composition(text, scope)
            case tree.RestrictExpression():
                return self._restrict(text, scope)
            case tree.ReduceExpression():
                return self._reduction(text, scope)
            case tree.FunctionCall():
                return self._call(text, scope)
        return self._operation(text, scope)

    def _operation(self, text: tree.ExpressionNode, scope: Scope) -> model.Expression | None:
        match text:
            case tree.UnaryExpression():
                operand = self.expression(text.operand, scope)
                return None if operand is None else model.Unary(text.operator, operand, span=text.span)
            case tree.BinaryExpression():
                both = self._all((text.left, text.right), scope)
                return None if both is None else model.Binary(text.operator, *both, span=text.span)
            case tree.OperatorCall():
                operands = self._all(text.arguments, scope)
                return None if operands is None else model.Nary(text.operator, operands, span=text.span)
            case tree.IfExpression():
                three = self._all((text.condition, text.then, text.otherwise), scope)
                return None if three is None else model.If(*three, span=text.span)
            case tree.CaseExpression():
                return self._case(text, scope)
            case tree.AutoExpression():
                remedy = "write the domain out"
                self.findings.report(
                    UNREADABLE, "`auto` stands in front of a branch of a case alone", text.span, "here", help_=remedy
                )
                return None
        raise TypeError(f"{type(text).__name__} is no expression")

    def _all(self, texts: tuple[tree.ExpressionNode, ...], scope: Scope) -> tuple[model.Expression, ...] | None:
        """All expressions, or None; each is elaborated."""
        expressions = [self.expression(text, scope) for text in texts]
        good = tuple(expression for expression in expressions if expression is not None)
        return good if len(good) == len(expressions) else None

    # --- values -------------------------------------------------------------------------------------------------

    def _integer(self, text: tree.IntegerLiteral) -> model.Expression | None:
        if text.value > LARGEST:
            self.findings.report(LITERAL, f"{text.value} does not fit into 64 bits", text.span, "too large")
            return None
        return model.Constant(text.value, span=text.span)

    def _real(self, text: tree.RealLiteral) -> model.Expression | None:
        if not isfinite(real_number(text.text)):
            self.findings.report(LITERAL, f"{text.text} does not fit into its type", text.span, "too large")
            return None
        return model.Constant(text.text, span=text.span)

    def _val(self, text: tree.ValExpression, scope: Scope) -> model.Expression | None:
        value = function_from(tree.FunctionText(text.names, (text.affine,), span=text.span), scope, self.findings)
        return None if value is None else model.IndexValue(value.outputs[0], span=text.span)

    def _reference(self, text: tree.Reference, scope: Scope) -> model.Expression | None:
        variable = self._variable(text.name, scope)
        if text.indices is None:
            return None if variable is None else self._bare_variable(variable, text, scope)
        indices = affines(text.indices, scope, self.findings)
        if variable is None or indices is None or not self._fits(variable, len(indices), text.span):
            return None
        return model.Access(variable.name, AffineFunction(scope.space, indices), span=text.span)

    def _bare_variable(self, variable: Variable, text: tree.Reference, scope: Scope) -> model.Expression | None:
        """A bare name: a scalar can be read in every context, another variable at the indices of its context."""
        rank = variable.domain.space.dimensions
        if rank == 0:
            return model.Access(variable.name, AffineFunction(scope.space, ()), span=text.span)
        if rank == scope.space.dimensions:
            return model.Access(variable.name, AffineFunction.identity(scope.space), span=text.span)
        self.findings.report(
            ARITY,
            f"`{variable.name}` has {count_text(rank, 'index')}, but stands where there "
            f"{'is' if scope.space.dimensions == 1 else 'are'} {scope.space.dimensions}",
            text.span,
            "which point of it?",
            related=(_declaration_label(variable),),
            help_=f"say which point is read: `{variable.name}[{','.join(variable.domain.space.names)}]`",
        )
        return None

    def _variable(self, name: tree.Name, scope: Scope) -> Variable | None:
        if name.text in self.variables:
            return self.variables[name.text]
        self.findings.report(
            UNDECLARED,
            f"the variable `{name.text}` is not declared",
            name.span,
            "not declared",
            help_=self._suggestion(name, scope),
        )
        return None

    def _suggestion(self, name: tree.Name, scope: Scope) -> str | None:
        if name.text in scope.visible_names:
            what = "a parameter" if name.text in scope.space.parameters else "an index"
            return f"`{name.text}` is {what}: its value is written `[{name.text}]`"
        if name.text in self.externals:
            return f"`{name.text}` is a function: it is called `{name.text}(..)`"
        return near(name.text, self.variables)

    def _fits(self, variable: Variable, count: int, span: Span) -> bool:
        rank = variable.domain.space.dimensions
        if rank == count:
            return True
        self.findings.report(
            ARITY,
            f"`{variable.name}` has {count_text(rank, 'index')}, not {count}",
            span,
            f"{count_text(rank, 'index')} expected",
            related=(_declaration_label(variable),),
        )
        return False

    def _call(self, text: tree.FunctionCall, scope: Scope) -> model.Expression | None:
        external = self.externals.get(text.name.text)
        if external is None and text.name.text in self.variables:
            # The arguments were intended as indices: as values they would cause further findings.
            self._unknown_function(text, f"`{text.name.text}` is a variable: its points are `{text.name.text}[..]`")
            return None
        arguments = self._all(text.arguments, scope)
        if external is None:
            operator = _SUMS.get(text.name.text)
            remedy = f"declare it before the systems: `double {text.name.text}(..);`"
            if operator is not None:
                remedy = f"over an index, this is written `reduce({operator}, [k], ..)`"
            self._unknown_function(text, near(text.name.text, self.externals) or remedy)
            return None
        if len(text.arguments) != len(external.arguments):
            self._wrong_count(external, len(text.arguments), text.span)
            return None
        return None if arguments is None else model.Call(external.name, arguments, span=text.span)

    def _unknown_function(self, text: tree.FunctionCall, remedy: str) -> None:
        message = f"the function `{text.name.text}` is not declared"
        self.findings.report(UNDECLARED, message, text.name.span, "not declared", help_=remedy)

    def _wrong_count(self, external: External, count: int, span: Span) -> None:
        expected = count_text(len(external.arguments), "argument")
        self.findings.report(
            ARITY,
            f"the function `{external.name}` takes {expected}, not {count}",
            span,
            f"{expected} expected",
            related=(Label(external.span, "declared here"),),
        )

    # --- other contexts -----------------------------------------------------------------------------------------

    def _restrict(self, text: tree.RestrictExpression, scope: Scope) -> model.Expression | None:
        restriction = restricting_domain(text.domain, scope, self.findings)
        if restriction is None:
            return None
        domain, inner = restriction
        if text.replaces:
            inner = scope.renamed(tuple(name.text for name in text.domain.polyhedra[0].names))
        body = self.expression(text.body, inner)
        if text.replaces and not any(polyhedron.constraints for polyhedron in text.domain.polyhedra):
            return body
        return None if body is None else model.Restrict(domain, body, span=text.span)

    def _case(self, text: tree.CaseExpression, scope: Scope) -> model.Expression | None:
        automatic = [branch for branch in text.branches if isinstance(branch, tree.AutoExpression)]
        if len(automatic) > 1:
            message = "a case has one `auto` branch at most"
            self.findings.report(UNREADABLE, message, automatic[1].span, "the second one")
            return None
        branches = self._all(tuple(b.body if b in automatic else b for b in text.branches), scope)
        if branches is None:
            return None
        case_branches = tuple(map(self._branch, branches, text.branches, [scope] * len(branches)))
        return model.Case(case_branches, span=text.span)

    def _branch(self, branch: model.Expression, text: tree.ExpressionNode, scope: Scope) -> model.Expression:
        """A branch of a case; an `auto` branch has the universe until the domains of the others are known."""
        if not isinstance(text, tree.AutoExpression):
            return branch
        open_ = model.Restrict(Domain.universe(scope.space), branch, span=text.span)
        self.automatic.add(open_)
        return open_

    def _composition(self, text: tree.ComposeExpression, scope: Scope) -> model.Expression | None:
        """`f @ V` reads V at f(z); with any other operand, its value at f(z) in a context of its own."""
        outer = function_from(text.function, scope, self.findings)
        if isinstance(text.body, tree.Reference) and text.body.indices is None:
            return self._read_at(outer, text, text.body, scope)
        if outer is None:
            return None
        names = unlike(_names_for(text, len(outer.outputs), scope.order), scope.space.parameters)
        body = self.expression(text.body, scope.behind(names))
        return None if body is None else model.Compose(outer, names, body, span=text.span)

    def _read_at(
        self, at: AffineFunction | None, text: tree.ComposeExpression, reference: tree.Reference, scope: Scope
    ) -> model.Expression | None:
        variable = self._variable(reference.name, scope)
        if variable is None or at is None:
            return None
        if variable.domain.space.dimensions == 0:
            at = AffineFunction(at.domain, ())
        if not self._fits(variable, len(at.outputs), text.span):
            return None
        return model.Access(variable.name, at, span=text.span)

    # --- reductions ---------------------------------------------------------------------------------------------

    def _reduction(self, text: tree.ReduceExpression, scope: Scope) -> model.Expression | None:
        operator = self._known_operator(text)
        if text.projection == ():
            return self.expression(text.body, scope) if operator else None
        into = self._into(text, scope)
        if into is None:
            return None
        projection, inner = into
        body = self.expression(text.body, inner)
        if body is None or not operator:
            return None
        return model.Reduce(text.operator, projection, body, span=text.span)

    def _known_operator(self, text: tree.ReduceExpression) -> bool:
        if text.operator in OPERATORS:
            return True
        external = self.externals.get(text.operator)
        if external is None:
            self.findings.report(
                UNDECLARED,
                f"`{text.operator}` is no operator and no declared function",
                text.span,
                "reduces by an unknown operator",
                help_=near(text.operator, (*OPERATORS, *self.externals))
                or f"the operators are {' '.join(OPERATORS)}, and functions that are declared before the systems",
            )
            return False
        if len(external.arguments) != 2:
            self._wrong_count(external, 2, text.span)
            return False
        if external.identity is None:
            self.findings.report(
                UNDECLARED,
                f"the identity of the operator `{external.name}` is not known",
                text.span,
                "a reduction over no points needs it",
                related=(Label(external.span, "declared here"),),
                help_=f"give it a line of its own in front of the systems, such as `//@ identity {external.name} = 0`",
            )
            return False
        return True

    def _into(self, text: tree.ReduceExpression, scope: Scope) -> tuple[AffineFunction, Scope] | None:
        """The projection, and the scope of the body."""
        if isinstance(text.projection, tree.FunctionText):
            return self._through_function(text.projection, scope)
        names = self._new_names(text.projection, scope)
        if names is None:
            return None
        inner = scope.extended(names)
        indices = AffineFunction.identity(scope.space).outputs
        return AffineFunction(inner.space, indices), inner

    def _new_names(self, names: tuple[tree.Name, ...], scope: Scope) -> tuple[str, ...] | None:
        where = names[0].span.to(names[-1].span)
        if not scope.has_names:
            self.findings.report(
                NO_INDEX_NAMES,
                "`[..]` adds to the indices in scope, and these have no names here",
                where,
                "array notation",
                help_="project by a function, `(i,j,k -> i,j)`",
            )
            return None
        for name in names:
            if name.text in scope.visible:
                self.findings.report(
                    REDECLARED,
                    f"the index name `{name.text}` is already in use here",
                    name.span,
                    "declared again here",
                    help_="give the index of the reduction another name",
                )
                return None
        return index_names(names, scope.space.parameters, self.findings)

    def _through_function(self, text: tree.FunctionText, scope: Scope) -> tuple[AffineFunction, Scope] | None:
        projection = function(text, scope.space.parameters, self.findings)
        if projection is None:
            return None
        if len(projection.outputs) != scope.space.dimensions:
            self.findings.report(
                ARITY,
                f"this projection leads to {count_text(len(projection.outputs), 'index')}, but stands where there "
                f"{'is' if scope.space.dimensions == 1 else 'are'} {scope.space.dimensions}",
                text.span,
                f"must lead to {count_text(scope.space.dimensions, 'index')}",
            )
            return None
        return projection, Scope.of(scope.space.parameters, projection.domain.names)


def _declaration_label(variable: Variable) -> Label:
    return Label(variable.span, "declared here")


def _names_for(text: tree.ComposeExpression, count: int, around: tuple[str, ...]) -> tuple[str, ...]:
    """Names for the output dimensions of f: those that the body itself uses, those of the context, or any."""
    waiting: list[tree.ExpressionNode] = [text.body]
    while waiting:
        here = waiting.pop(0)
        names = _own_names(here)
        if names is not None:
            plain = tuple(name.text for name in names)
            if len(plain) == count and len(set(plain)) == count:
                return plain
            continue
        waiting += _inside(here)
    return around if len(around) == count else tuple(f"x{position}" for position in range(count))


def _own_names(text: tree.ExpressionNode) -> tuple[tree.Name, ...] | None:
    """The names that an expression itself gives to the dimensions of its context."""
    match text:
        case tree.RestrictExpression() if text.domain.polyhedra[0].names:
            return text.domain.polyhedra[0].names
        case tree.ComposeExpression():
            return text.function.names
        case tree.ValExpression():
            return text.names
    return None


def _inside(text: tree.ExpressionNode) -> tuple[tree.ExpressionNode, ...]:
    """The direct subexpressions in the same context."""
    match text:
        case tree.RestrictExpression():
            return (text.body,)
        case tree.UnaryExpression():
            return (text.operand,)
        case tree.BinaryExpression():
            return (text.left, text.right)
        case tree.OperatorCall() | tree.FunctionCall():
            return text.arguments
        case tree.IfExpression():
            return (text.condition, text.then, text.otherwise)
        case tree.CaseExpression():
            return text.branches
    return ()
