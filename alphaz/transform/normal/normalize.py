"""Normalize: functions down to the reads, restricts and cases up to the equations, in branches."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.depth import deep
from alphaz.analysis.facts.domains import WHOLE, DomainQuery, both
from alphaz.analysis.texts.program_reflection import equation_tree
from alphaz.diagnostics import NOWHERE, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Case, Compose, Constant, Expression, Facts, IndexValue, Reduce, Restrict
from alphaz.model.program import Program, System
from alphaz.model.types import ScalarType
from alphaz.model.walk import children, copy, rebuild, walk
from alphaz.poly import AffineFunction, Domain
from alphaz.syntax import tree
from alphaz.transform.engine.checked_rewrite import with_program, without_context
from alphaz.transform.engine.edit import roots, with_roots, with_system
from alphaz.transform.engine.preconditions import is_kept, joined_type, worked_types
from alphaz.transform.engine.refusals import find_system


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """`domain : core`. `bare` is the expression domain of the core; no domain means that there was no restrict.

    `filled` is the set where every reduction of the core that is defined everywhere has a point, `limits` the set where
    those that are defined only at their points have one; None is everything."""

    domain: Domain | None
    bare: Domain
    core: Expression
    type: ScalarType
    span: Span = field(default=NOWHERE, repr=False)
    filled: Domain | None = None
    limits: Domain | None = None

    @property
    def defined(self) -> Domain:
        return self.bare if self.domain is None else self.bare & self.domain

    def restricted(self, domain: Domain, span: Span, system: System) -> "Branch":
        narrow = domain if self.domain is None else without_context(domain & self.domain, system)
        return replace(self, domain=narrow, span=span if self.domain is None else self.span)

    def expression(self) -> Expression:
        return self.core if self.domain is None else Restrict(self.domain, self.core, span=self.span)


@dataclass(frozen=True, slots=True, eq=False)
class BranchView:
    """The context in which a node is normalised: `function` maps the outer context space to the context of the node.

    `names` are the indices in scope at the node, `context` is the set (in the outer space) where its value is needed,
    and `asked` how it is needed."""

    function: AffineFunction
    names: tuple[str, ...]
    context: Domain
    query: DomainQuery

    @property
    def is_plain(self) -> bool:
        return self.function.is_identity and self.names == self.function.domain.names


def normal_form(root: Expression, context: Domain, system: System, facts: Facts) -> Expression:
    """Returns the normal form of a whole right-hand side; `context`, over its context space, is the set where its value
    is needed."""
    branches = _Normaliser(system, facts).branches(root, _plain_view(context, WHOLE))
    if len(branches) == 1:
        return _alone(branches[0], context).expression()
    return Case(tuple(_explicit(b, context, system).expression() for b in branches), span=root.span)


def _plain_view(context: Domain, query: DomainQuery) -> BranchView:
    return BranchView(AffineFunction.identity(context.space), context.space.names, context, query)


def _assemble(branches: Sequence[Branch], span: Span) -> Expression:
    if len(branches) == 1:
        return branches[0].expression()
    return Case(tuple(b.expression() for b in branches), span=span)


def _alone(branch: Branch, context: Domain) -> Branch:
    """The only branch of an equation, without a restrict that its context and its core already imply."""
    if branch.domain is None or not (branch.bare & context).is_subset(branch.domain):
        return branch
    return replace(branch, domain=None)


def _explicit(branch: Branch, context: Domain, system: System) -> Branch:
    """The branch with a restrict if a reduction over no points would otherwise gain or lose its value."""
    if branch.domain is None:
        lost = branch.filled is not None and not (branch.bare & context).is_subset(branch.filled)
        return branch.restricted(without_context(branch.bare, system), branch.core.span, system) if lost else branch
    if branch.limits is None or (branch.domain & context).is_subset(branch.limits):
        return branch
    return branch.restricted(branch.limits, branch.span, system)


def _body(branches: Sequence[Branch], context: Domain, system: System) -> tuple[Branch, ...]:
    """The branches of the body of a reduction. A single branch has no case any more that limits it."""
    first = branches[0]
    if len(branches) > 1 or first.domain is not None:
        return tuple(_explicit(b, context, system) for b in branches)
    if first.limits is None or context.is_subset(first.limits):
        return (first,)
    return (first.restricted(without_context(first.limits, system), first.core.span, system),)


@dataclass(frozen=True, slots=True, eq=False)
class _Normaliser:
    system: System
    facts: Facts

    def branches(self, node: Expression, view: BranchView) -> tuple[Branch, ...]:
        """Returns the branches of `view.function @ node`, disjoint like those of cases; at least one."""
        match node:
            case Constant() | IndexValue() | Access():
                return (self._leaf(node, view),)
            case Compose(function, names, body):
                return self.branches(body, replace(view, function=view.function.then(function), names=names))
            case Restrict(domain, body):
                seen = domain if view.is_plain else without_context(domain.preimage(view.function), self.system)
                inner = self.branches(body, replace(view, query=view.query.restricted))
                return _needed_branches([b.restricted(seen, node.span, self.system) for b in inner], view.context)
            case Case():
                return self._case(node, view)
            case Reduce():
                return (self._reduction(node, view),)
        return self._operator(node, view)

    def _case(self, node: Case, view: BranchView) -> tuple[Branch, ...]:
        inner = replace(view, query=view.query.branch)
        branches = [b for e in node.branches for b in self.branches(e, inner)]
        if not all(is_kept(b.core, b.type, self.facts.types[node]) for b in branches):
            return self._lasting_branches(node, view)
        return _needed_branches(branches, view.context)

    def _lasting_branches(self, node: Expression, view: BranchView) -> tuple[Branch, ...]:
        """The branches of a node whose cases stay, because a surrounding operator works in their type."""
        match node:
            case Compose(function, names, body):
                return self._lasting_branches(body, replace(view, function=view.function.then(function), names=names))
            case Restrict(domain, body):
                inner = self._lasting_branches(body, replace(view, query=view.query.restricted))
                seen = domain if view.is_plain else without_context(domain.preimage(view.function), self.system)
                return tuple(b.restricted(seen, node.span, self.system) for b in inner)
            case Case(inside):
                parts = [self.branches(e, replace(view, query=view.query.branch)) for e in inside]
                bare = Domain.empty(view.context.space)
                for branch in (b for part in parts for b in part):
                    bare = bare | branch.defined
                parts = [tuple(_explicit(b, view.context, self.system) for b in part) for part in parts]
                core = replace(node, branches=tuple(_assemble(p, e.span) for p, e in zip(parts, inside, strict=True)))
                return (Branch(None, bare, core, self.facts.types[node]),)
        return self.branches(node, view)

    def _leaf(self, node: Constant | IndexValue | Access, view: BranchView) -> Branch:
        everywhere = Domain.universe(view.context.space)
        type_ = self.facts.types[node]
        match node:
            case Access(variable, function):
                seen = view.function.then(function)
                bare = self.system.variable(variable).domain.preimage(seen)
                return Branch(None, bare, node if view.is_plain else replace(node, function=seen), type_)
            case IndexValue(affine) if not view.is_plain:
                values = dict(zip(view.names, view.function.outputs, strict=True))
                return Branch(None, everywhere, replace(node, affine=affine.substitute(values)), type_)
        return Branch(None, everywhere, node, type_)

    def _reduction(self, node: Reduce, view: BranchView) -> Branch:
        """The reduction with its body normalised in its own context; its restrict stays, because it determines the
        points. The function stays."""
        inside = self.facts.context_domain[node].preimage(node.projection)
        branches = self.branches(node.body, _plain_view(inside, WHOLE))
        if not self._alike(branches, node.body):
            branches = self._lasting_branches(node.body, _plain_view(inside, WHOLE))
        core: Expression = rebuild(node, (_assemble(_body(branches, inside, self.system), node.body.span),))
        if not view.function.is_identity:
            core = Compose(view.function, view.names, core, span=node.span)
        results = self.facts.expression_domain[node.body].image(node.projection, view.names).preimage(view.function)
        type_ = self.facts.types[node]
        if view.query.promised:
            return Branch(None, Domain.universe(view.context.space), core, type_, filled=results)
        return Branch(None, results, core, type_, limits=results)

    def _alike(self, branches: tuple[Branch, ...], node: Expression) -> bool:
        """Returns True if the branches together have the type of the node."""
        types = {b.type for b in branches}
        return joined_type(types) == self.facts.types[node]

    def _operator(self, node: Expression, view: BranchView) -> tuple[Branch, ...]:
        """Every combination of one branch of each operand with a non-empty domain."""
        inside = children(node)
        rows = self._rows([self.branches(child, view) for child in inside], view)
        types = worked_types(node, tuple(self.facts.types[child] for child in inside))
        if any(worked_types(node, tuple(b.type for b in row)) != types for row in rows):
            rows = self._rows([self._lasting_branches(child, view) for child in inside], view)
        universe = Domain.universe(view.context.space)
        return tuple(self._joined(node, row, universe, len(rows) > 1) for row in rows)

    def _rows(self, operands: list[tuple[Branch, ...]], view: BranchView) -> list[tuple[Branch, ...]]:
        rows: list[tuple[Branch, ...]] = [()]
        for branches in operands:
            rows = _combinations(rows, branches, view.context)
        return rows

    def _joined(self, node: Expression, row: tuple[Branch, ...], universe: Domain, shared: bool) -> Branch:
        """The operator over a branch of each operand; operands in several rows are copied for each."""
        operands = tuple(copy(b.core) if shared else b.core for b in row)
        bare, filled, limits = universe, None, None
        for branch in row:
            bare = bare & branch.bare
            filled, limits = both(filled, branch.filled), both(limits, branch.limits)
        core = rebuild(node, operands)
        joined = Branch(None, bare, core, self.facts.types[node], filled=filled, limits=limits)
        for branch in row:
            if branch.domain is not None:
                joined = joined.restricted(branch.domain, branch.span, self.system)
        return joined


def _combinations(
    rows: Sequence[tuple[Branch, ...]], branches: Sequence[Branch], context: Domain
) -> list[tuple[Branch, ...]]:
    """Each row followed by each branch, without those with an empty domain; the first if all are empty."""
    every = [(*row, branch) for row in rows for branch in branches]
    if len(every) == 1:
        return every
    return [row for row in every if not _meet(row, context).is_empty()] or every[:1]


def _meet(row: Iterable[Branch], context: Domain) -> Domain:
    for branch in row:
        context = context & branch.defined
    return context


def _needed_branches(branches: list[Branch], context: Domain) -> tuple[Branch, ...]:
    """The branches without those with an empty domain in the context; the first if all are empty."""
    if len(branches) == 1:
        return tuple(branches)
    return tuple(b for b in branches if not (b.defined & context).is_empty()) or tuple(branches[:1])


def normalize(design: Design, system: str | None = None) -> Design:
    """Bring every equation to its normal form: cases outside, then restricts, operators, and reads at one function.

    *Rewrites*: `f@g@e` to one function; `f@(a op b)` to `f@a op f@b` (likewise case, if, prefix operators, external
    functions, index values and constants); `f@(D: e)` to a restrict to the pre-image of D; restricts out of operators,
    nested ones into one; a case inside a case flattened, inside an operator distributed; empty branches, cases of one
    branch, restricts without effect and identity functions are removed. A function stays before a reduction.

    *Checks*: none; values, types and domains stay as they are. Every mapping is kept."""
    with deep():
        before = None
        # A pass can leave branches of fewer types, so that their case can move in the next pass.
        while (cases := _with_cases(design.program)) != before:
            before, design = cases, with_program(design, normalized(design.checked, system))
        return design


def _with_cases(program: Program) -> list[tree.Node]:
    """The equations that have a case, as they are written."""
    return [
        equation_tree(program, system, equation, array=False)
        for system in program.systems
        for equation in system.equations
        if any(isinstance(node, Case) for root in roots(equation) for node in walk(root))
    ]


def normalized(checked: Checked, system: str | None = None) -> Program:
    """Returns the program in normal form; only one system of it, if it is named."""
    program = checked.program
    chosen = program.systems if system is None else (find_system(program, system),)
    for one in chosen:
        program = with_system(program, one.name, _normalized(one, checked))
    return program


def _normalized(system: System, checked: Checked) -> System:
    facts = checked.facts

    def change(root: Expression) -> Expression:
        return normal_form(root, facts.context_domain[root], system, facts)

    equations = tuple(with_roots(e, map(change, roots(e))) for e in system.equations)
    return replace(system, equations=equations)
