"""Commands that change indices, names and systems of variables; each checks its conditions first."""

from typing import Annotated

from alphaz.analysis.elaborate.programs import elaborate_expression
from alphaz.mapping.design import Design
from alphaz.poly import Domain
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.kind import OccurrenceKind
from alphaz.scripting.commands.kinds.parameter_types import (
    AffineMap,
    EquatedName,
    IndexNames,
    LabelName,
    NewName,
    NodeNumber,
    OneName,
    SystemName,
    VariableName,
    VariableNames,
)
from alphaz.scripting.commands.kinds.polyhedral import DomainKind, ExpressionKind
from alphaz.scripting.commands.kinds.program_parts import EquationKind, EquationName
from alphaz.scripting.commands.outcome import Outcome, transformed
from alphaz.syntax.tree import ExpressionNode
from alphaz.transform.normal.branch_domains import split_union as polyhedra_apart
from alphaz.transform.normal.simplify import simplify as in_short_words
from alphaz.transform.systems.inline_system import inline_subsystem
from alphaz.transform.systems.outline_system import outline_subsystem
from alphaz.transform.variables import add_local as locals_
from alphaz.transform.variables import basis_change
from alphaz.transform.variables import inline as inlining
from alphaz.transform.variables.split import merge as merged
from alphaz.transform.variables.split import split as parted

Part = Annotated[Domain, DomainKind()]
ExpressionText = Annotated[ExpressionNode, ExpressionKind()]
EquationOf = Annotated[EquationName, EquationKind()]
Occurrence = Annotated[int, OccurrenceKind()]


@command(Topic.TRANSFORM, name="CoB", aliases=("setCoBPreprocess",))
def change_of_basis(
    design: Design, system: SystemName, variable: VariableName, function: AffineMap, *, call: BoundCall
) -> Outcome:
    """Change the basis of a local variable: `V[z]` becomes `V[function(z)]`.

    Rewrites: the domain of the variable, its equation and every read of it. Its maps are composed with the inverse, so
    that dates and cells do not change. If the inverse divides, as that of `(i -> 2i)` does, the domain gets remainders,
    `i%2==0`, the equation becomes a reduction over one point, and maps are dropped, with a warning.

    Checks: the variable is a local; the function is injective on its domain, for all parameters.

    Example:
        NormalizeReduction(prog);
        AddLocal(prog, "sums", "S", "0,1,0,0");
        CoB(prog, "sums", "S", "(i,k -> i-k,k)");"""
    return transformed(basis_change.change_of_basis(design, system, variable, function.function, function.span))


@command(Topic.TRANSFORM, name="ForceCoB")
def force_change_of_basis(
    design: Design, system: SystemName, variable: VariableName, function: AffineMap, *, call: BoundCall
) -> Outcome:
    """Change the basis of any variable, including inputs and outputs: the interface changes.

    Rewrites: as CoB.

    Checks: as CoB, except that the variable may be an input or output; no other system calls this one.

    Example:
        ForceCoB(prog, "table", "X", "(r,i -> i,r)");"""
    return transformed(basis_change.force_change_of_basis(design, system, variable, function.function, function.span))


@command(Topic.TRANSFORM, name="Split", forms="design system variable [new] domain")
def split(
    design: Design,
    system: SystemName,
    variable: VariableName,
    domain: Part,
    new: NewName | None = None,
    *,
    call: BoundCall,
) -> Outcome:
    """Cut a local in two: the part inside a domain becomes a new variable, `<variable>_split` by default.

    Rewrites: declaration and equation into two, every read into the part that it meets, or a case of the two. The new
    variable gets a copy of the mapping.

    Checks: the variable is a local with an equation, both parts have points, and the new name is free.

    Example:
        AddLocal(prog, "sums", "S", "0,1,0,0");
        Split(prog, "sums", "S", "First", "{i,k | k==0}");"""
    return transformed(parted(design, system, variable, domain, new, call.at("domain")))


@command(Topic.TRANSFORM, name="Merge")
def merge(
    design: Design, system: SystemName, first: VariableName, second: VariableName, new: NewName, *, call: BoundCall
) -> Outcome:
    """Merge two locals with disjoint domains into one.

    Rewrites: declarations into one over the union, equations into a case, reads. The mapping of both is dropped, with a
    warning.

    Checks: both are locals with equations, of one type and number of indices, and share no point.

    Example:
        AddLocal(prog, "sums", "S", "0,1,0,0");
        Split(prog, "sums", "S", "First", "{i,k | k==0}");
        Merge(prog, "sums", "S", "First", "S");"""
    return transformed(merged(design, system, first, second, new, call.span))


@command(Topic.TRANSFORM, name="Inline", forms="design system target inlined [number]")
def inline(
    design: Design,
    system: SystemName,
    target: EquatedName,
    inlined: EquatedName,
    number: Occurrence | None = None,
    *,
    call: BoundCall,
) -> Outcome:
    """Replace reads of a variable, in the equation of another, by its definition.

    Rewrites: every such read, or the one with this number in the order of the text, from 1.

    Checks: the variable does not read itself; no conversion of types is lost.

    Example:
        AddLocal(prog, "sums", "S", "0,0,0,1");
        Inline(prog, "sums", "B", "S");"""
    return transformed(inlining.inline(design, system, target, inlined, number, call.at("inlined")))


@command(Topic.TRANSFORM, name="InlineForce", forms="design system target inlined [number]")
def inline_force(
    design: Design,
    system: SystemName,
    target: EquatedName,
    inlined: EquatedName,
    number: Occurrence | None = None,
    *,
    call: BoundCall,
) -> Outcome:
    """Replace reads of a variable by its definition once, even if that reads the variable again.

    Rewrites: as Inline; reads in the inserted definition stay.

    Checks: as Inline, except that the variable may read itself.

    Example:
        InlineForce(prog, "sums", "B", "B");"""
    return transformed(inlining.inline_force(design, system, target, inlined, number, call.at("inlined")))


@command(Topic.TRANSFORM, name="InlineAll")
def inline_all(design: Design, system: SystemName, variable: EquatedName, *, call: BoundCall) -> Outcome:
    """Replace every read of a variable by its definition; RemoveUnusedVariables then removes the variable.

    Rewrites: all equations of the system.

    Checks: as Inline.

    Example:
        AddLocal(prog, "sums", "S", "0,0,0,1");
        InlineAll(prog, "sums", "S");
        RemoveUnusedVariables(prog);"""
    return transformed(inlining.inline_all(design, system, variable, call.at("variable")))


@command(Topic.TRANSFORM, name="InlineAllForce")
def inline_all_force(design: Design, system: SystemName, variable: EquatedName, *, call: BoundCall) -> Outcome:
    """Replace every read of a variable by its definition once, even if that reads the variable again.

    Rewrites: as InlineAll; reads in the inserted definition stay.

    Checks: as InlineForce.

    Example:
        InlineAllForce(prog, "sums", "B");"""
    return transformed(inlining.inline_all_force(design, system, variable, call.at("variable")))


@command(Topic.TRANSFORM, name="SubstituteByDef", forms="design equation variable")
def substitute_by_def(design: Design, equation: EquationOf, variable: OneName, *, call: BoundCall) -> Outcome:
    """Replace reads of a variable, in one equation, by its definition, as Inline does.

    The equation is the result of GetEquation, or the name of its variable, if only one system has it.

    Rewrites: every such read of the equation.

    Checks: as Inline.

    Example:
        AddLocal(prog, "sums", "S", "0,0,0,1");
        SubstituteByDef(prog, GetEquation(GetSystem(prog, "sums"), "B"), "S");"""
    return transformed(inlining.inline(design, equation.system, equation.name, variable, span=call.at("variable")))


@command(Topic.TRANSFORM, name="AddLocal", forms="design system name node | design system name expression indices")
def add_local(
    design: Design,
    system: SystemName,
    name: NewName,
    node: NodeNumber | None = None,
    expression: ExpressionText | None = None,
    indices: IndexNames = (),
    *,
    call: BoundCall,
) -> Outcome:
    """Move an expression to a new local variable, at every occurrence in the system.

    The expression is given by a node, or as text with the names of its indices.

    Rewrites: every place of the expression into a read of a new local, over the domain where it is needed. Expressions
    are equal up to the names of indices, not their order. Mappings stay.

    Checks: the node is in the system, or the expression occurs in it; the name is free; no value is computed in another
    type in the new equation.

    Example:
        AddLocal(prog, "sums", "S", "0,0,0,1");
        AddLocal(prog, "sums", "T", "S[i]", "i");"""
    if expression is None:
        return transformed(locals_.add_local(design, system, name, str(node), call.at("name")))
    meant = elaborate_expression(expression, design.program, design.system(system), indices)
    return transformed(locals_.add_local_expression(design, system, name, meant, indices, call.at("expression")))


@command(Topic.TRANSFORM, name="AddLocalUnique")
def add_local_unique(
    design: Design, system: SystemName, name: NewName, node: NodeNumber, *, call: BoundCall
) -> Outcome:
    """Move the expression at a node to a new local variable, but no other occurrence of it.

    Rewrites: the expression into a read of a new local, over the domain where it is needed. Mappings stay.

    Checks: as AddLocal.

    Example:
        AddLocalUnique(prog, "sums", "S", "0,0,0,1");"""
    return transformed(locals_.add_local_unique(design, system, name, node, call.at("name")))


@command(Topic.TRANSFORM, name="Simplify", aliases=("SimplifyExpressions",))
def simplify(design: Design, system: SystemName | None = None, *, call: BoundCall) -> Outcome:
    """Remove constraints that the context implies, needless branches and restricts, and reductions over one point.

    Rewrites: domains of restricts to shorter ones that are the same in their context; reductions whose answers have one
    point each to that point; branches with equal values into one; branches that are not needed are removed. Declared
    domains stay.

    Checks: none.

    Example:
        Simplify(prog);"""
    return transformed(in_short_words(design, system))


@command(Topic.TRANSFORM, name="SplitUnion", aliases=("SplitUnionIntoCase",))
def split_union(design: Design, node: NodeNumber | None = None, *, call: BoundCall) -> Outcome:
    """Turn restricts to unions into cases, each branch over one polyhedron.

    Rewrites: every such restrict of the program, or the one at a node. Mappings stay.

    Checks: the node is a restrict to a union.

    Example:
        SplitUnion(prog);
    """
    return transformed(polyhedra_apart(design, node, call.at("node")))


@command(Topic.TRANSFORM, name="InlineSubSystem")
def inline_sub_system(design: Design, system: SystemName, label: LabelName, *, call: BoundCall) -> Outcome:
    """Replace a use equation by the equations of the called system.

    Rewrites: the variables of that system into locals, over the extension domain times their own; an output becomes the
    caller's variable if type and domain agree, and an input that only reads a variable becomes that read. A name in use
    gets a number. A system that calls itself is unrolled once.

    Checks: the called system has no loop.

    Example:
        InlineSubSystem(prog, "table", "UseEquation_Y");"""
    return transformed(inline_subsystem(design, system, label, call.at("label")))


@command(Topic.TRANSFORM, name="OutlineSubSystem")
def outline_sub_system(design: Design, system: SystemName, variables: VariableNames, *, call: BoundCall) -> Outcome:
    """Move the equations of variables to a new system, `<system>_<first variable>`, and call it once.

    Rewrites: variables that they read and do not define become its inputs; variables that are read elsewhere, and
    outputs, become its outputs; the others its locals. Dates and cells move with their variables.

    Checks: each has an equation; a use equation moves as a whole; no remaining variable both reads one of them and is
    read by another.

    Example:
        OutlineSubSystem(prog, "sums", "B");"""
    return transformed(outline_subsystem(design, system, variables, call.at("variables")))
