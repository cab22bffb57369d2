"""Inline: replaces a read of a variable by its definition.

V[z] = e over D,   ... V[f] ...   becomes   ... f@e ...      (f@(D: e) where the domain of the read matters)"""

from collections.abc import Callable
from dataclasses import dataclass

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.depth import deep
from alphaz.diagnostics import NOWHERE, Label, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Case, Expression, Reduce, Restrict
from alphaz.model.program import Equation, System, Variable, defined_by
from alphaz.model.walk import children, reads, rebuild, walk
from alphaz.transform.engine.checked_rewrite import with_program
from alphaz.transform.engine.edit import AnyEquation, roots, with_equation, with_roots, with_system
from alphaz.transform.engine.preconditions import accumulator_type, with_same_points
from alphaz.transform.engine.push import push_function
from alphaz.transform.engine.refusals import find_equation, find_system, find_variable, refusal
from alphaz.transform.normal.simplify import in_short


def inline(
    design: Design, system: str, target: str, inlined: str, occurrence: int | None = None, span: Span = NOWHERE
) -> Design:
    """Replace reads of a variable, in the equation of another, by its definition.

    *Rewrites*: every read of `inlined` in the equation of `target` (only the one with number `occurrence`, from 1, if
    given).

    *Checks*: `inlined` has an equation, which does not read `inlined` itself; its values have the type of the variable,
    so that no conversion is lost."""
    home = find_system(design.program, system, span)
    _require_straight(home, inlined, span)
    return inline_force(design, system, target, inlined, occurrence, span)


def inline_force(
    design: Design, system: str, target: str, inlined: str, occurrence: int | None = None, span: Span = NOWHERE
) -> Design:
    """Replace reads of a variable by its definition once, even if that reads the variable again.

    *Rewrites*: as Inline; reads in the inserted definition stay.

    *Checks*: as Inline, except that the variable may read itself."""
    home = find_system(design.program, system, span)
    find_variable(home, target, span)
    chosen = [e for e in home.equations if target in defined_by(e)]
    if not chosen:
        find_equation(home, target, span)
    return _rewrite_equations(design, home, chosen, inlined, occurrence, span)


def inline_all(design: Design, system: str, inlined: str, span: Span = NOWHERE) -> Design:
    """Replace every read of a variable by its definition.

    *Rewrites*: all equations of the system. The variable stays, unread (RemoveUnusedVariables removes it).

    *Checks*: as Inline."""
    home = find_system(design.program, system, span)
    _require_straight(home, inlined, span)
    return inline_all_force(design, system, inlined, span)


def inline_all_force(design: Design, system: str, inlined: str, span: Span = NOWHERE) -> Design:
    """Replace every read of a variable by its definition once, even if that reads the variable again.

    *Rewrites*: as InlineAll; reads in the inserted definition stay.

    *Checks*: as InlineForce."""
    home = find_system(design.program, system, span)
    return _rewrite_equations(design, home, list(home.equations), inlined, None, span)


def _require_straight(system: System, inlined: str, span: Span) -> None:
    equation = find_equation(system, inlined, span)
    if inlined in reads(equation.expression):
        raise refusal(
            f"`{inlined}` is defined by itself",
            span,
            secondary=(Label(equation.span, "reads it again"),),
            help="InlineForce and InlineAllForce put the definition in once",
        )


def _rewrite_equations(
    design: Design, system: System, equations: list[AnyEquation], inlined: str, occurrence: int | None, span: Span
) -> Design:
    definition = find_equation(system, inlined, span)
    variable = system.variable(inlined)
    _require_type(design.checked, variable, definition, span)
    with deep():
        insertion = _Insertion(
            checked=design.checked,
            home=system,
            variable=variable,
            definition=definition,
            selects=_occurrence_test(occurrence),
            span=span,
        )
        changed = system
        for equation in equations:
            new = with_roots(equation, tuple(insertion.into(root, False) for root in roots(equation)))
            changed = with_equation(changed, equation, new)
        if changed is system or not insertion.count:
            raise refusal(
                f"there is no such read of `{inlined}`",
                span,
                help="PrintAST shows the reads of the equation; the first read has the number 1",
            )
        new_design = with_program(design, with_system(design.program, system.name, changed))
        names = [name for equation in equations for name in defined_by(equation)]
        return in_short(new_design, system.name, names) if insertion.guarded else new_design


def _occurrence_test(occurrence: int | None) -> Callable[[int], bool]:
    return lambda count: occurrence is None or count == occurrence


def _require_type(checked: Checked, variable: Variable, definition: Equation, span: Span) -> None:
    """Raises Rejected unless types agree: a right-hand side is converted to the type of its variable, and its
    reductions accumulate in that type."""
    types, root = checked.facts.types, definition.expression
    types_ = {types[root]} | {accumulator_type(checked.facts, node) for node in _outermost_reductions(root)}
    other = next((t for t in types_ if t != variable.type), None)
    if other is not None:
        raise refusal(
            f"the values of `{variable.name}` are converted from {other} to {variable.type}; inlined ones would not be",
            span,
            secondary=(Label(variable.span, str(variable.type)), Label(definition.span, str(other))),
            help="give the definition the type of the variable, or leave the variable",
        )


@dataclass(slots=True, eq=False)
class _Insertion:
    """Replaces the reads with the `wanted` numbers by a definition; `count` is the number of reads met."""

    checked: Checked
    home: System
    variable: Variable
    definition: Equation
    selects: Callable[[int], bool]
    span: Span
    occurrence_count: int = 0
    count: int = 0
    guarded: bool = False

    def into(self, node: Expression, implicit: bool) -> Expression:
        """Rewrites a node. `implicit`: inside a case or a reduction, where an expression's domain determines that of
        the whole."""
        if isinstance(node, Access) and node.variable == self.variable.name:
            return self._replaced(node, implicit)
        inside = implicit or isinstance(node, Case | Reduce)
        new_node = rebuild(node, tuple(self.into(child, inside) for child in children(node)))
        if new_node is node or not (isinstance(node, Reduce) and isinstance(new_node, Reduce)):
            return new_node
        return with_same_points(node, new_node, self.checked.facts, self.home)

    def _replaced(self, read: Access, implicit: bool) -> Expression:
        self.occurrence_count += 1
        if not self.selects(self.occurrence_count):
            return read
        self.count += 1
        names, body = self.definition.indices, self.definition.expression
        if not implicit:
            return push_function(body, read.function, names)
        domain = self.variable.domain.renamed(names)
        if not (self.checked.facts.expression_domain[body].is_subset(domain) and self._is_filled()):
            body = Restrict(domain, body, span=body.span)
            self.guarded = True
        return push_function(body, read.function, names)

    def _is_filled(self) -> bool:
        """Returns True if no reduction of the definition, outside other reductions, runs over no points."""
        facts = self.checked.facts
        return all(
            facts.context_domain[node].is_subset(
                facts.expression_domain[node.body].image(node.projection, facts.context_domain[node].space.names)
            )
            for node in _outermost_reductions(self.definition.expression)
        )


def _outermost_reductions(root: Expression) -> list[Reduce]:
    inner = {id(n) for node in walk(root) if isinstance(node, Reduce) for n in walk(node.body)}
    return [node for node in walk(root) if isinstance(node, Reduce) and id(node) not in inner]
