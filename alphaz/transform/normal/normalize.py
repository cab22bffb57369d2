"""Normalize: functions down to the reads, restricts and cases up to the equations (see `branch` for the rules)."""

from dataclasses import replace

from alphaz.analysis.checks.checked import Checked
from alphaz.analysis.depth import deep
from alphaz.analysis.texts.reflect import equation_tree
from alphaz.mapping.design import Design
from alphaz.model.expression import Case, Expression
from alphaz.model.program import Program, System
from alphaz.model.walk import walk
from alphaz.syntax import tree
from alphaz.transform.engine.edit import roots, with_roots, with_system
from alphaz.transform.engine.refuse import find_system
from alphaz.transform.engine.rewrite import rewrite
from alphaz.transform.normal.branch import normal_form


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
            before, design = cases, rewrite(design, normalized(design.checked, system))
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
