"""Commands that transform reductions; each checks its conditions first."""

from typing import Annotated

from alphaz.analysis.facts.work_and_traffic import work_text
from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.rules import UNCHANGED
from alphaz.mapping.design import Design
from alphaz.model.expression import Reduce
from alphaz.model.program import System
from alphaz.model.walk import walk
from alphaz.poly import Domain
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.parameter_types import AffineMap, EquatedName, NodeNumber, SystemName
from alphaz.scripting.commands.kinds.polyhedral import DomainKind, VectorKind
from alphaz.scripting.commands.outcome import Outcome, transformed
from alphaz.transform.engine.edit import roots
from alphaz.transform.normal.normalize_reduction import normalize_reduction as with_named_reductions
from alphaz.transform.reductions import (
    bodies,
    body_simplifications,
    detect,
    factor,
    nesting,
    reuse_simplification,
    search,
)
from alphaz.transform.reductions.higher_order_operator import higher_order_operator as in_closed_form
from alphaz.transform.reductions.identical_answers import remove_identical_answers as computed_once
from alphaz.transform.reductions.serialize import serialize_reduction as accumulated
from alphaz.transform.reductions.serialize import serialize_reduction_at as accumulated_at

Part = Annotated[Domain, DomainKind()]
ReuseVector = Annotated[tuple[int, ...], VectorKind()]


@command(
    Topic.REDUCTIONS,
    name="NormalizeReduction",
    forms="design [node] | design system variable",
    aliases=("NormalizeReductionDeep",),
)
def normalize_reduction(
    design: Design,
    system: SystemName | None = None,
    variable: EquatedName | None = None,
    node: NodeNumber | None = None,
    *,
    call: BoundCall,
) -> Outcome:
    """Give every reduction that is not a whole right-hand side an equation of its own, so that its body can be mapped.

    Rewrites: each such reduction (of the program, of the equation of one variable, or the one at a node) into a read of
    a new local `NR_<variable>`; further ones are `NR_<variable>_1`, ...

    Checks: the node is a reduction. A note reports an equation without reductions.

    Example:
        NormalizeReduction(prog);"""
    if system is not None and variable is not None and not _has_reduction(design.system(system), variable):
        message = f"the equation of `{variable}` has no reduction: nothing is changed"
        return Outcome(design, findings=(Diagnostic(UNCHANGED, message, Label(call.at("variable"))),))
    return transformed(with_named_reductions(design, system, variable, node))


@command(Topic.REDUCTIONS, name="SerializeReduction", forms="design node schedule | design system variable schedule")
def serialize_reduction(
    design: Design,
    schedule: AffineMap,
    system: SystemName | None = None,
    variable: EquatedName | None = None,
    node: NodeNumber | None = None,
    *,
    call: BoundCall,
) -> Outcome:
    """Turn a reduction into an accumulation: one point after the other, in the order of a schedule.

    Rewrites: the reduction that defines a variable, or the one at a node, into a read of the last value of a new local
    `_ser<variable>` over the dates of the body, whose equation accumulates in lexicographic order. The second one of a
    variable is `__ser<variable>`, and so on.

    Checks: the schedule takes the indices of the body, gives each point a distinct date, and has an integer affine
    inverse. For an answer without points, the identity of the operator must be a constant of the language.

    Example:
        SerializeReduction(prog, "sums", "C", "(i,k -> i,k)");"""
    if system is not None and variable is not None:
        return transformed(accumulated(design, system, variable, schedule.function, schedule.span))
    return transformed(accumulated_at(design, str(node), schedule.function, schedule.span))


@command(Topic.REDUCTIONS, name="DetectReductions")
def detect_reductions(design: Design, system: SystemName, *, call: BoundCall) -> Outcome:
    """Turn serialised accumulations into reductions, and print them.

    Rewrites: the equation of each variable that combines a value of its own with a term, by one operator, into a
    reduction over all the terms; a local that is then read in only one other equation is inlined and removed.

    Checks: the operator is associative and commutative, and works in the type of the variable; the predecessors of each
    point are an affine set. Other equations stay. Sums of floats are reassociated.

    Example:
        DetectReductions(prog, "sums");"""
    detections = detect.detect_reductions(design, system, call.span)
    text = "".join(f"{v} accumulates by {o}: a reduction in {where}\n" for v, o, where in detections.reductions)
    return transformed(detections.design, text or f"{system}: no accumulations\n")


@command(Topic.REDUCTIONS, name="SplitReductionBody", aliases=("SplitReduction",))
def split_reduction_body(design: Design, node: NodeNumber, domain: Part, *, call: BoundCall) -> Outcome:
    """Cut a reduction in two: one over the points of the body inside a domain, one over the others.

    Rewrites: the reduction into the combination of both by its operator.

    Checks: the domain is over the indices of the body, and both parts have points.

    Example:
        SplitReductionBody(prog, "0,1,0", "{i,k | k==0}");
    """
    return transformed(bodies.split_reduction_body(design, node, domain, call.at("domain")))


@command(Topic.REDUCTIONS, name="TransformReductionBody")
def transform_reduction_body(design: Design, node: NodeNumber, function: AffineMap, *, call: BoundCall) -> Outcome:
    """Change the basis of the body of a reduction.

    Rewrites: the body and the projection, to the new indices.

    Checks: the function takes the indices of the body, is injective on its points, and has an integer affine inverse
    there.

    Example:
        TransformReductionBody(prog, "0,1,0", "(i,k -> i,i-k)");"""
    return transformed(bodies.transform_reduction_body(design, node, function.function, function.span))


@command(Topic.REDUCTIONS, name="PermutationCaseReduce", forms="design [system] | design system variable")
def permutation_case_reduce(
    design: Design, system: SystemName | None = None, variable: EquatedName | None = None, *, call: BoundCall
) -> Outcome:
    """Turn each reduction of a case into a combination of one reduction for each branch.

    Rewrites: every such reduction of the program, of a system, or of the equation of one variable.

    Checks: its branches have one type, which is also the type of the accumulation. A warning reports that there is no
    such reduction.

    Example:
        AddLocal(prog, "sums", "S", "0,1,0,0");
        Split(prog, "sums", "S", "{i,k | k==0}");
        PermutationCaseReduce(prog, "sums", "C");"""
    return transformed(bodies.permutation_case_reduce(design, system, variable, call.span))


@command(Topic.REDUCTIONS, name="ReductionComposition")
def reduction_composition(design: Design, node: NodeNumber, *, call: BoundCall) -> Outcome:
    """Merge a reduction whose body is another reduction into one.

    Rewrites: the two into one along both projections.

    Checks: the body is a reduction by the same operator, accumulated in the same type.

    Example:
        ReductionDecomposition(prog, "0,1,0", "(i,a -> i)", "(i,k -> i,k)");
        ReductionComposition(prog, "0,1,0");"""
    return transformed(nesting.reduction_composition(design, node, call.at("node")))


@command(Topic.REDUCTIONS, name="ReductionDecomposition")
def reduction_decomposition(
    design: Design, node: NodeNumber, first: AffineMap, second: AffineMap, *, call: BoundCall
) -> Outcome:
    """Split a reduction in two, one inside the other: along the second function, then along the first.

    Rewrites: the reduction into one along `first` of one along `second`, which is applied to the body.

    Checks: the composition of the two functions maps each point of the body to its answer; the inner reduction
    accumulates in the type of the whole.

    Example:
        ReductionDecomposition(prog, "0,1,0", "(i,a -> i)", "(i,k -> i,k)");"""
    return transformed(nesting.reduction_decomposition(design, node, first.function, second.function, call.span))


@command(Topic.REDUCTIONS, name="FactorOutFromReduction", aliases=("Distributivity",))
def factor_out_from_reduction(design: Design, node: NodeNumber, *, call: BoundCall) -> Outcome:
    """Move operands that are constant over all points of an answer out of a reduction.

    The node is the operand to move, in the body; or the reduction, to move all operands that can be moved.

    Rewrites: `reduce(op, p, e * g)` into `reduce(op, p, e) * g`.

    Checks: the operation of the body distributes over that of the reduction (`*` over `+`, `+` over `min` and `max`,
    `and` over `or`, ...); the operand is constant over the points of each answer; types do not change.

    Example:
        text = "affine scaled {N | N>0} input int A {i | 0<=i<N}; output int B {i | 0<=i<N}; ";
        WriteToFile("scaled.ab", text + "let B[i] = reduce(+, [k], {| 0<=k<=i} : A[i] * A[k]); .");
        scaled = ReadAlphabets("scaled.ab");
        FactorOutFromReduction(scaled, "0,0,0,0,0,0");"""
    return transformed(factor.factor_out_from_reduction(design, node, call.at("node")))


@command(Topic.REDUCTIONS, name="MergeReductions")
def merge_reductions(design: Design, node: NodeNumber, *, call: BoundCall) -> Outcome:
    """Merge two reductions that are combined by their own operator.

    Rewrites: the operation at the node into a reduction over the points of both; at common points, its body combines
    the two bodies.

    Checks: both operands are reductions by that operator, along the same projection, of one type.

    Example:
        SplitReductionBody(prog, "0,1,0", "{i,k | k==0}");
        MergeReductions(prog, "0,1,0");"""
    return transformed(nesting.merge_reductions(design, node, call.at("node")))


@command(Topic.REDUCTIONS, name="SameOperatorSimplification")
def same_operator_simplification(design: Design, node: NodeNumber, *, call: BoundCall) -> Outcome:
    """Split a reduction whose body combines operands by its own operator into one reduction for each operand.

    Rewrites: `reduce(op, p, e op g)` into `reduce(op, p, e) op reduce(op, p, g)`, over the same points.

    Checks: the body is such an operation; its operands have the type of the accumulation.

    Example:
        text = "affine pairs {N | N>0} input int A {i | 0<=i<N}; output int B {i | 0<=i<N}; ";
        WriteToFile("pairs.ab", text + "let B[i] = reduce(+, [k], {| 0<=k<=i} : A[i-k] + A[k]); .");
        pairs = ReadAlphabets("pairs.ab");
        SameOperatorSimplification(pairs, "0,0,0");"""
    return transformed(body_simplifications.same_operator_simplification(design, node, call.at("node")))


@command(Topic.REDUCTIONS, name="HoistOutOfReduction")
def hoist_out_of_reduction(design: Design, node: NodeNumber, *, call: BoundCall) -> Outcome:
    """Move one operation by the operator of its reduction out of the body: each operand gets a reduction.

    The node is the operation, or its reduction. SameOperatorSimplification takes all such operations at once.

    Rewrites: `reduce(op, p, e op g)` into `reduce(op, p, e) op reduce(op, p, g)`, over the same points.

    Checks: as SameOperatorSimplification.

    Example:
        text = "affine pairs {N | N>0} input int A {i | 0<=i<N}; output int B {i | 0<=i<N}; ";
        WriteToFile("pairs.ab", text + "let B[i] = reduce(+, [k], {| 0<=k<=i} : A[i-k] + A[k]); .");
        pairs = ReadAlphabets("pairs.ab");
        HoistOutOfReduction(pairs, "0,0,0,0,0");"""
    return transformed(body_simplifications.hoist_out_of_reduction(design, node, call.at("node")))


@command(Topic.REDUCTIONS, name="HigherOrderOperator")
def higher_order_operator(design: Design, node: NodeNumber, *, call: BoundCall) -> Outcome:
    """Replace a reduction whose body is constant over the points of an answer by a closed form.

    Rewrites: a sum into the value times the number of its points, `reduce(+, [k], {| 0<=k<=i} : A[i])` into `A[i] *
    [i+1]`; by min, max, and, or into the value. An answer without points is the identity.

    Checks: the body is constant over the points of each answer; the number of points is a polynomial; the closed form
    has the type of the reduction, or the reduction is a whole right-hand side. Sums of floats are reassociated.

    Example:
        text = "affine same {N | N>0} input int A {i | 0<=i<N}; output int B {i | 0<=i<N}; ";
        WriteToFile("same.ab", text + "let B[i] = reduce(+, [j,k], {| 0<=j<=k<=i} : A[i]); .");
        same = ReadAlphabets("same.ab");
        HigherOrderOperator(same, "0,0,0");"""
    return transformed(in_closed_form(design, node, call.at("node")))


@command(Topic.REDUCTIONS, name="RemoveIdenticalAnswers")
def remove_identical_answers(design: Design, node: NodeNumber, *, call: BoundCall) -> Outcome:
    """Compute answers of a reduction that are the same along some of their indices only once.

    Rewrites: the reduction into a read of a new local `_one<variable>` over the other indices.

    Checks: the body and its points do not depend on the index; the projection drops the last indices.

    Example:
        text = "affine rows {N | N>0} input int A {i,j | 0<=i,j<N}; output int B {i,j | 0<=i,j<N}; ";
        WriteToFile("rows.ab", text + "let B[i,j] = A[i,j] * reduce(+, [k], {| 0<=k<N} : A[i,k]); .");
        rows = ReadAlphabets("rows.ab");
        RemoveIdenticalAnswers(rows, "0,0,0,1");"""
    return transformed(computed_once(design, node, call.at("node")))


@command(Topic.REDUCTIONS, name="Idempotence")
def idempotence(design: Design, node: NodeNumber, *, call: BoundCall) -> Outcome:
    """Remove the loops along which the body is constant from a reduction by min, max, and, or.

    Rewrites: the reduction into one over the other indices of its body, where it has a point.

    Checks: the operator is idempotent; an index occurs neither in the body nor in the projection.

    Example:
        text = "affine most {N | N>0} input int A {i | 0<=i<N}; output int B {i | 0<=i<N}; ";
        WriteToFile("most.ab", text + "let B[i] = reduce(max, [j,k], {| 0<=j<=i && 0<=k<N} : A[j]); .");
        most = ReadAlphabets("most.ab");
        Idempotence(most, "0,0,0");"""
    return transformed(body_simplifications.idempotence(design, node, call.at("node")))


@command(Topic.REDUCTIONS, name="SimplifyingReduction", forms="design node reuse | design system variable reuse")
def simplifying_reduction(
    design: Design,
    reuse: ReuseVector,
    system: SystemName | None = None,
    variable: EquatedName | None = None,
    node: NodeNumber | None = None,
    *,
    call: BoundCall,
) -> Outcome:
    """Compute each answer of a reduction from another one along a reuse vector, adding the new terms.

    The vector maps each point of the body to the reused one: with `"-1,0"`, or as a function `"(i,k -> i-1,k)"`, `X[i]`
    is computed from `X[i-1]`.

    Rewrites: the equation into a case: a reduction where there is no answer to reuse; elsewhere the reused answer, with
    new terms added and old terms subtracted: reductions in the new locals `_init<variable>`, `_add<variable>` and
    `_sub<variable>`.

    Checks: the body is constant along the vector; if terms are subtracted, the operator has an inverse; if the body
    reads the variable itself, an order of evaluation remains. Sums of floats are reassociated.

    Example:
        SimplifyingReduction(prog, "sums", "C", "-1,0");"""
    if system is not None and variable is not None:
        return transformed(
            reuse_simplification.simplifying_reduction(design, system, variable, reuse, call.at("reuse"))
        )
    return transformed(reuse_simplification.simplifying_reduction_at(design, str(node), reuse, call.at("reuse")))


@command(Topic.REDUCTIONS, name="OptimalSimplifyingReductions", forms="design [system] | design system variable")
def optimal_simplifying_reductions(
    design: Design, system: SystemName | None = None, variable: EquatedName | None = None, *, call: BoundCall
) -> Outcome:
    """Search the reuse with the least operations, and print their number before and after.

    Directions are those of the faces of each reduction's points; factors are moved out if that helps, also through a
    decomposition; the remaining reductions are simplified again.

    Rewrites: the reductions of the program, of a system, or of the equation of one variable, each in an equation of its
    own. Reductions that cannot be improved stay.

    Checks: those of SimplifyingReduction for each step; a choice that fails them is skipped.

    Example:
        OptimalSimplifyingReductions(prog, "sums", "C");"""
    result = search.optimal_simplifying_reductions(design, system, variable, call.span)
    text = ""
    for one in design.program.systems:
        before = work_text(design.checked.facts, one)
        after = work_text(result.checked.facts, result.system(one.name))
        if system in (None, one.name) and before != after:
            text += f"{before}becomes\n{after}"
    return transformed(result, text)


def _has_reduction(system: System, variable: str) -> bool:
    equation = system.equation(variable)
    return any(isinstance(node, Reduce) for root in roots(equation) for node in walk(root))
