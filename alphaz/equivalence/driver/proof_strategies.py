"""Proof strategies: the forms of a kernel that are tried in turn, and the sizes for executions."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from alphaz.analysis.checks.checked_program import Checked
from alphaz.c.preparation import without_comments
from alphaz.diagnostics import Rejected
from alphaz.equivalence.annotated_proof import prove_annotated
from alphaz.equivalence.block_trees import with_trees_as_loops
from alphaz.equivalence.c_proof import WHOLE, Answer, Effort, Proof, proof_context_of, prove
from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.copies_of_undefined_cells import with_annotated_copies
from alphaz.equivalence.driver.sanitized_run import RunRequest, is_quick_to_interpret
from alphaz.equivalence.overwritten_inputs import apart
from alphaz.equivalence.parallel_discharge import ParallelDischarge
from alphaz.equivalence.reduction_tree_cells import with_cells_apart
from alphaz.equivalence.sample_sizes import beyond_tiles, tiles_of
from alphaz.equivalence.symbolic_run import Binding, by_sum, legal
from alphaz.equivalence.value_graph import IDENTITY, NEUTRAL, Unsupported, operations_in
from alphaz.equivalence.value_numbering import NEUTRAL_PLACES
from alphaz.mapping.design import Design
from alphaz.mapping.statement import labelled_uses
from alphaz.model.expression import Binary, IndexValue, Nary, Reduce
from alphaz.model.program import Equation, Program, System, UseEquation
from alphaz.model.walk import children, walk
from alphaz.proof import Refuted
from alphaz.scop.c_model import CKernel, KernelStatement
from alphaz.scop.promoted_scalars import forward_substituted
from alphaz.scop.value_tree import LiteralValue
from alphaz.transform.engine.checked_rewrite import with_program
from alphaz.transform.normal.simplify import simplified
from alphaz.transform.reductions.search import optimal_simplifying_reductions
from alphaz.transform.systems.inline_system import inline_labelled

# Number of the smallest parameters tried, and their maximum.
_TRIED_SIZES = 8
_LARGEST = 64
_REUSE = "the sums of the equations are those of `OptimalSimplifyingReductions`, each from its neighbour"
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
# Beyond a number of the text, executions compute at most so many values.
_MOST_DIGITS, _MOST_BEYOND = 4, 100_000
_MUCH = (300, 100, 40)
# Where constant sizes make even the smallest execution compute many values, larger ones compute at most so many.
_MANY_VALUES, _MOST_OF_LARGER = 10_000, 400_000


def few(trial: RunRequest) -> list[Mapping[str, int]]:
    """Returns parameters to execute proved code with: the two smallest, larger ones so that unrolled loops have more
    than one iteration, and ones that exceed a byte, or as much of that as the interpreter can execute quickly."""
    first = _smallest(trial.system, 2)

    def moved(by: int) -> Mapping[str, int]:
        return {name: value + by for name, value in first[-1].items()}

    if not first or not first[-1]:
        return first
    if not is_quick_to_interpret(trial, first[-1], _MANY_VALUES):
        larger = (moved(by) for by in (1, 3, 9, *_MUCH))
        return [
            *legal(trial.system, [*first, *(p for p in larger if is_quick_to_interpret(trial, p, _MOST_OF_LARGER))])
        ]
    large = next((moved(by) for by in _MUCH if is_quick_to_interpret(trial, moved(by))), moved(9))
    return [*legal(trial.system, [*first, moved(3), moved(9), large])]


def _smallest(system: System, count: int) -> list[Mapping[str, int]]:
    """Returns the smallest parameters; if no small ones are legal, one choice with all equal."""
    small = list(islice(by_sum(system), count))
    equal = (dict.fromkeys(system.parameters, value) for value in range(_LARGEST + 1))
    return small or list(islice(legal(system, equal), 1))


def sizes(trial: RunRequest, proof: Proof | None = None) -> list[Mapping[str, int]]:
    """Returns parameters to find errors with, smallest first: the smallest legal ones, those beyond the constants of
    the text, those with which the model went wrong, and those of counterexamples."""
    system = trial.system
    small = _smallest(system, _TRIED_SIZES)
    parameter_sets = [*small, *({name: value + 3 for name, value in last.items()} for last in small[-1:])]
    parameter_sets += islice(_beyond_constants(trial, parameter_sets[-1:]), _TRIED_SIZES)
    if proof is not None:
        parameter_sets += [disagreement.parameters for disagreement in proof.disagreements][:_TRIED_SIZES]
        refuted = (answer.verdict.point for answer in proof.answers if isinstance(answer.verdict, Refuted))
        parameter_sets += islice(({name: point[name] for name in system.parameters} for point in refuted), _TRIED_SIZES)
    chosen = legal(system, [parameters for parameters in parameter_sets if is_quick_to_interpret(trial, parameters)])
    return sorted(chosen, key=lambda parameters: sum(map(abs, parameters.values())))


def _beyond_constants(trial: RunRequest, base: Sequence[Mapping[str, int]]) -> Iterator[Mapping[str, int]]:
    """Yields parameters that are just beyond a constant of the text (a tile size, the length of a buffer): all of
    them, or one, where the interpreter takes too long for all."""
    text = without_comments(trial.source.text)
    constants = {int(number) for number in _NUMBER.findall(text) if len(number) <= _MOST_DIGITS}
    for constant in sorted(constants):
        for parameters in base if constant > 1 else ():
            larger = {name: max(value, constant + 1) for name, value in parameters.items()}
            if is_quick_to_interpret(trial, larger, _MOST_BEYOND):
                yield larger
            else:
                yield from ({**parameters, name: larger[name]} for name in parameters)


# Each inlined call adds the equations of its system.
_MOST_CALLS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Inlined:
    """The program after inlining the calls of a system. `names`: the new names of variables of inlined systems, by the
    labels of the calls that lead to them, `UseEquation_y.UseEquation_z.x`."""

    checked: Checked
    names: Mapping[str, str]

    def with_own_names(self, kernel: CKernel) -> CKernel:
        """Returns the kernel with annotations about variables under their new names."""
        return kernel.with_statements(self._with_own_name)

    def _with_own_name(self, statement: KernelStatement) -> KernelStatement:
        annotation = statement.annotation
        if annotation is None or "." not in annotation.variable:
            return statement
        name = self.names.get(annotation.variable)
        return replace(statement, annotation=None if name is None else replace(annotation, variable=name))


def with_calls_inlined(checked: Checked, name: str) -> Inlined:
    """Returns the program with all calls of this system inlined. Raises Unsupported for recursion, while loops, or too
    many calls."""
    if _count(checked.program, checked.program.system(name), ()) > _MOST_CALLS:
        raise Unsupported(f"the system makes more than {_MOST_CALLS} calls, nested ones included")
    design, names = Design(checked), dict[str, str]()
    # Labels of the remaining calls, by the labels of the calls that lead to them.
    paths = {label: label for label in labelled_uses(design.program.system(name))}
    while paths:
        label, path = next(iter(paths.items()))
        call = labelled_uses(design.program.system(name))[label]
        callee = design.program.system(call.system)
        design, new_names = inline_labelled(design, name, label)
        names |= {f"{path}.{callee_name}": own_name for callee_name, own_name in new_names.items()}
        del paths[label]
        inner = labelled_uses(callee).items()
        paths |= {
            _label(new_names[inner_call.outputs[0]]): f"{path}.{callee_name}" for callee_name, inner_call in inner
        }
    return Inlined(design.checked, names)


def _label(variable: str) -> str:
    return f"UseEquation_{variable}"


def _count(program: Program, system: System, above: tuple[str, ...]) -> int:
    """Returns the number of calls, up to one more than allowed."""
    if system.name in above:
        raise Unsupported(f"`{system.name}` is recursive")
    if above and system.loop is not None:
        raise Unsupported(f"`{system.name}`, which it calls, has a while loop")
    count = 0
    for equation in (e for e in system.equations if isinstance(e, UseEquation)):
        count += 1 + _count(program, program.system(equation.system), (*above, system.name))
        if count > _MOST_CALLS:
            break
    return count


def proof_of(
    checked: Checked, system: System, kernel: CKernel, binding: Binding, laws: Laws, effort: Effort,
    spread: ParallelDischarge | None, on_answer: Callable[[Answer], None],
) -> Proof:  # fmt: skip
    """Returns the proof about the equations of the system and of those that it calls, by the first strategy without a
    suspicion. When one takes too long, no others are tried: they would take as long."""
    inlined = with_calls_inlined(checked, system.name)
    checked = inlined.checked
    system = replace(checked.program.system(system.name), context=system.context)
    text = kernel = inlined.with_own_names(kernel)
    trees = None if laws.is_exact else with_trees_as_loops(kernel)
    if trees is not None:
        kernel, laws = trees, replace(laws, allowed=laws.allowed | {IDENTITY})

    may_be_neutral = not laws.is_exact and _has_indices_in_sums(system)

    def ask(equations: Checked, kernel: CKernel, binding: Binding, laws: Laws, effort: Effort) -> Proof:
        own = replace(equations.program.system(system.name), context=system.context)
        if trees is None:
            proof = prove_annotated(kernel, equations, own, binding, laws, effort, on_answer, spread)
            if proof is not None:
                return proof
        proof_context, disagreements = proof_context_of(kernel, equations, own, binding, laws, effort, spread)
        if disagreements and may_be_neutral and NEUTRAL not in laws.allowed:
            return ask(equations, kernel, binding, replace(laws, allowed=laws.allowed | {NEUTRAL}), effort)
        proof_context.text = None if trees is None else text
        return prove(proof_context, disagreements, effort=effort, on_answer=on_answer, spread=spread)

    proof = ask(checked, kernel, binding, laws, effort)
    if proof.is_proved or trees is not None or proof.is_cut(effort):
        return proof
    if may_be_neutral or (not laws.is_exact and _begins_with_neutral(kernel)):
        with_neutral = ask(checked, kernel, binding, replace(laws, allowed=laws.allowed | {NEUTRAL}), effort)
        if with_neutral.is_proved:
            return with_neutral
    if proof.disagreements:
        return proof
    others = (ask(checked, *attempt) for attempt in _other_attempts(kernel, binding, system, laws, effort))
    if (other := next((other for other in others if other.is_proved), None)) is not None:
        return other
    if effort != WHOLE or laws.is_exact:
        return proof
    noted = replace(kernel, assumed=(*kernel.assumed, _REUSE))
    others = (ask(equations, noted, binding, laws, effort) for equations in with_reuse(checked, system.name))
    return next((other for other in others if other.is_proved), proof)


def _has_indices_in_sums(system: System) -> bool:
    """Returns True if an operand of a sum or product of the equations is an index: it may be neutral."""
    equations = (equation.expression for equation in system.equations if isinstance(equation, Equation))
    return any(
        isinstance(node, Binary | Nary)
        and node.operator in NEUTRAL_PLACES
        and any(isinstance(child, IndexValue) for child in children(node))
        for expression in equations
        for node in walk(expression)
    )


def _begins_with_neutral(kernel: CKernel) -> bool:
    """Returns True if a statement stores 0 or 1 in a cell that another one reads for a sum, difference or product."""
    begun = {
        statement.target.array.name
        for statement in kernel.statements
        if isinstance(statement.value, LiteralValue) and statement.value.value in (0, 1)
    }
    return any(
        read.array.name in begun and any(operation.operator in NEUTRAL_PLACES for operation in operations_in(one.value))
        for one in kernel.statements
        for read in one.reads
    )


def with_reuse(checked: Checked, name: str) -> Iterator[Checked]:
    """Yields the program with the reductions of a system computed from those of neighbouring points, where that only
    adds terms: a running sum as a recurrence, which begins with a sum or with its only term."""
    design = Design(checked)
    system = design.program.system(name)
    equations = (equation for equation in system.equations if isinstance(equation, Equation))
    if not any(isinstance(node, Reduce) for equation in equations for node in walk(equation.expression)):
        return
    try:
        shorter = optimal_simplifying_reductions(design, name)
    except Rejected:
        return
    own = {variable.name: variable for variable in shorter.program.system(name).variables}
    new = own.keys() - {variable.name for variable in system.variables}
    # Terms that are subtracted again change the rounding of floats, and must be finite.
    if not new or any(own[variable].type.is_float and variable.startswith("_sub") for variable in new):
        return
    begun = {variable for variable in new if variable.startswith("_init")}
    for only in (own.keys() - begun, own.keys()):
        yield with_program(shorter, simplified(shorter.checked, name, only)).checked


def _other_attempts(
    kernel: CKernel, binding: Binding, system: System, laws: Laws, effort: Effort
) -> Iterator[tuple[CKernel, Binding, Laws, Effort]]:
    if effort.shrinks and any(statement.block is not None for statement in kernel.statements):
        effort = replace(effort, shrinks=False)
        yield kernel, binding, laws, effort
    if (annotated := with_annotated_copies(kernel, binding, system)) is not kernel:
        yield annotated, binding, laws, effort
    substituted = forward_substituted(kernel)
    forms = (kernel,) if substituted is None else (kernel, substituted)
    if laws.allowed:
        yield kernel, binding, replace(laws, allowed=frozenset()), effort
    if substituted is not None:
        yield substituted, binding, laws, effort
    for form in forms:
        if (copied := apart(form, binding, system)) is not None:
            yield *copied, laws, effort
    if (with_cells := with_cells_apart(kernel)) is not None:
        yield with_cells, binding, laws, effort
    if any(beyond_tiles(kernel, system, tiles_of(kernel))):
        for form in forms:
            yield form, binding, laws, replace(effort, leaves_tiles=True)
            if (copied := apart(form, binding, system)) is not None:
                yield *copied, laws, replace(effort, leaves_tiles=True)
