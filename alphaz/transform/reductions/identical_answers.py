"""RemoveIdenticalAnswers: computes answers of a reduction that are the same along an index only once.

X[z,n] = ... reduce(op, (z,n,k -> z,n), e) ...   becomes   X[z,n] = ... T[z] ...;  T[z] = reduce(op, (z,k -> z), e)
Source: Gautam and Rajopadhye, Simplifying Reductions, POPL 2006: reuse of an equal answer."""

from dataclasses import dataclass

from alphaz.analysis.depth import deep
from alphaz.diagnostics import NOWHERE, Label, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import Access, Expression, Reduce, Restrict
from alphaz.model.program import Equation, Kind, Variable
from alphaz.model.walk import behind_restricts
from alphaz.poly import Affine, AffineFunction, Domain
from alphaz.transform.engine.checked_rewrite import declared_domain, shortest_form, with_program, without_context
from alphaz.transform.engine.edit import add_to_system, fresh, map_roots, with_system
from alphaz.transform.engine.preconditions import exchanged_inside
from alphaz.transform.engine.push import drops_last, push_function
from alphaz.transform.engine.refusals import names_of, refusal
from alphaz.transform.reductions.invariance import unsteady
from alphaz.transform.reductions.site import ReductionSite, find_reduction


def remove_identical_answers(design: Design, node: str, span: Span = NOWHERE) -> Design:
    """Compute answers of a reduction that are the same along some of their indices only once.

    *Rewrites*: the reduction into a read of a new local `_one<variable>`, over the other indices, which reduces the
    same points.

    *Checks*: the projection drops the last indices of the body; the value of the body and the reduced points do not
    depend on the index."""
    whole = find_reduction(design, node, span)
    label = Label(whole.node.span, "the reduction")
    if not drops_last(whole.node.projection):
        message = "the projection does more than drop the last indices of the body"
        raise refusal(message, span, secondary=(label,), help="TransformReductionBody can make it one that does")
    with deep():
        same_answers = _widest(whole)
        if same_answers is None:
            raise refusal(
                "no index of the answers makes no difference",
                span,
                secondary=(label,),
                help="answers are the same where neither the body nor its points depend on one of their indices",
            )
        return _once(whole, same_answers)


@dataclass(frozen=True, slots=True, eq=False)
class _Same:
    """`gone` are indices on which the answers do not depend; `points` those of the body without them."""

    removed_names: tuple[str, ...]
    points: Domain


def _widest(whole: ReductionSite) -> _Same | None:
    """As many removable indices as possible, one after the other; the indices of the answers come first in the body."""
    count = len(whole.needed_domain.space.names)
    best: _Same | None = None
    for name in whole.names[:count]:
        gone = (*(best.removed_names if best else ()), name)
        points = _same_points(whole, gone)
        if points is not None and _same_value(whole, gone):
            best = _Same(gone, points)
    return best


def _same_value(whole: ReductionSite, gone: tuple[str, ...]) -> bool:
    _, value = behind_restricts(whole.node.body)
    space = whole.node.projection.domain
    step = AffineFunction(space, tuple(Affine() if n in gone else Affine.name(n) for n in space.names))
    return unsteady(value, step, whole.points, whole.facts) is None


def _same_points(whole: ReductionSite, gone: tuple[str, ...]) -> Domain | None:
    """The points without these indices, if every needed answer combines exactly those."""
    space = whole.points.space
    others = tuple(n for n in space.names if n not in gone)
    points = whole.points.onto(others).simplify()
    needed = whole.needed_domain.preimage(whole.node.projection)
    everywhere = points.embedded(space) & needed
    return points if everywhere.is_subset(whole.points) else None


def _once(whole: ReductionSite, same_answers: _Same) -> Design:
    system, node = whole.system, whole.node
    answers = whole.needed_domain.space.names
    inner = same_answers.points.space
    names = inner.names[: len(answers) - len(same_answers.removed_names)]
    outer = inner.with_names(names)
    # The first indices of the body are those of the answers, under any names.
    own = tuple(n for n, b in zip(answers, whole.names, strict=False) if b not in same_answers.removed_names)
    reduced = whole.answers(whole.points) if not whole.query.promised else whole.needed_domain
    domain = declared_domain((whole.needed_domain & reduced).onto(own).renamed(names), system)
    projection = AffineFunction(inner, AffineFunction.identity(outer).outputs)
    _, value = behind_restricts(node.body)
    there = AffineFunction(
        inner, tuple(Affine() if n in same_answers.removed_names else Affine.name(n) for n in whole.names)
    )
    body = Restrict(
        shortest_form(without_context(same_answers.points, system), domain.preimage(projection)),
        push_function(value, there, whole.names),
        span=node.body.span,
    )
    name = fresh(f"_one{whole.owner}", names_of(whole.design.program, system))
    read: Expression = Access(
        name, AffineFunction(whole.needed_domain.space, tuple(map(Affine.name, own))), span=node.span
    )
    if not whole.query.promised:
        read = Restrict(without_context(whole.needed_domain & reduced, system), read, span=node.span)
    local = Variable(name=name, kind=Kind.LOCAL, type=whole.type, domain=domain, span=node.span)
    equation = Equation(name, names, Reduce(node.operator, projection, body, span=node.span), span=node.span)
    changed = map_roots(
        system, lambda root: exchanged_inside(root, lambda n: read if n is node else None, whole.facts, system, local)
    )
    return with_program(
        whole.design, with_system(whole.design.program, system.name, add_to_system(changed, [local], [equation]))
    )
