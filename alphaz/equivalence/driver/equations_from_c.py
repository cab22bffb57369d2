"""Equations from C, with a script that keeps its order and memory; the result is proved against the same C."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePath

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.c import tree as c
from alphaz.codegen.c.names import identifier
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.message_words import listing
from alphaz.diagnostics.rules import C_NO_EQUATIONS, C_SIGNATURE
from alphaz.diagnostics.work_limits import working_at
from alphaz.equivalence.c_proof import Effort
from alphaz.equivalence.claim_inference import PLAIN, Laws
from alphaz.equivalence.driver.preprocessing import read_tree
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask, assumed_parameters, seen_functions
from alphaz.frontends.from_c.expression import Unwritable
from alphaz.frontends.from_c.flow import Flow, flow_of, meaningless
from alphaz.frontends.from_c.plain_loops import without_copies, without_single_trips, without_tiles
from alphaz.frontends.from_c.program import program_text, script_text
from alphaz.frontends.from_c.single_assignments import FlowValue, values_of
from alphaz.frontends.from_c.states import with_states
from alphaz.model.program import Kind
from alphaz.poly import Affine, Constraint, Domain, Space, at_least
from alphaz.proof import BUDGET
from alphaz.scop import CKernel, read_kernel
from alphaz.scop.arguments import FunctionArguments, read_arguments
from alphaz.scop.macros import array_sizes, with_sizes
from alphaz.scop.sizes_by_address import pointers_to_bounds
from alphaz.scop.tree_queries import definitions
from alphaz.scop.unsupported import outside


@dataclass(frozen=True, slots=True)
class ImportedOrder:
    """The request: the function, and the name of the program. `assumed` are conditions on the parameters in the syntax
    of the language, `least` a lower bound of all of them, `shapes` the extents, in C, of pointers that do not
    declare theirs. `is_serial`: terms added to a value other than zero stay a recurrence."""

    function: str | None = None
    program: str | None = None
    assumed: Sequence[str] = ()
    least: int | None = None
    shapes: Mapping[str, Sequence[str]] | None = None
    operations: int = BUDGET
    executes: bool = True
    is_serial: bool = False
    laws: Laws = PLAIN


PLAIN_ORDER = ImportedOrder()


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """The result. `program` and `script` are texts; `verdict` is that of the proof that the C computes the equations.

    `left_out` are parameters for which the C is undefined (it accesses arrays out of bounds, divides negative numbers,
    or reads uninitialised data): None if there are none. `shapes` are the extents inferred for arrays that declare
    none.
    """

    function: str
    system: str
    program: str
    script: str
    checked: Checked
    verdict: CVerdict
    left_out: Domain | None
    seconds: float
    shapes: Mapping[str, Sequence[Affine]]

    @property
    def is_proved(self) -> bool:
        return self.verdict.is_proved


def from_c(
    source: Source, order: ImportedOrder = PLAIN_ORDER, on_progress: Callable[[str], None] = lambda _: None
) -> Imported:
    """Returns the equations of a C function. Raises Rejected: AZ831 and AZ832 for unsupported C, AZ833 for C that the
    language cannot express, AZ834 if the choice of the function is ambiguous.

    If they are not proved, they are tried once more with recurrences for terms added to a value; and, of loops over
    tiles, from the loops without them, which count only if they are proved.
    """
    start = time.perf_counter()
    on_progress("reading the C")
    with working_at(Span(source, 0, 0), "whether this C is supported"):
        tree, macros = _tree(source, order)
        plain = without_tiles(tree)
    try:
        imported = _from_tree(source, tree, macros, order, on_progress)
        rejected = None
    except Rejected as reason:
        imported, rejected = None, reason
    if plain != tree and (imported is None or not imported.is_proved):
        with suppress(Rejected):
            other = _from_tree(source, plain, macros, order, on_progress)
            imported = other if other.is_proved else imported
    if imported is None:
        assert rejected is not None
        raise rejected
    return replace(imported, seconds=time.perf_counter() - start)


def _from_tree(
    source: Source, tree: c.File, macros: tuple[str, ...], order: ImportedOrder, on_progress: Callable[[str], None]
) -> Imported:
    """Returns the equations of a tree, with the proof that the text computes them. Raises Rejected."""
    with working_at(Span(source, 0, 0), "whether this C is supported"):
        function = _function(tree, source, order.function)
        arguments = read_arguments(source, tree, function, order.shapes or {}, macros)
        assumed_context = _parameter_context(arguments, order)
        kernel = _kernel(source, tree, function, assumed_context, arguments)
        if any(statement.block is not None for statement in kernel.statements):
            message = "equations from kernels of a GPU are not supported"
            raise outside(kernel.span, message, "write the equations, and prove the kernel")
        if kernel.streams.pairs:
            message = "nothing orders some operations of several streams of this function"
            raise outside(kernel.span, message, "use one stream, or more events")
    on_progress("looking for what its reads find")
    with working_at(kernel.span, f"which values the reads of `{function}` find"):
        kernel, context = _with_meaning(source, tree, kernel, assumed_context, arguments)
        kernel = without_single_trips(kernel)
        flow = flow_of(with_states(kernel, context), context)
        extra_context = (assumed_context - context).simplify()
        written = _write_program(source, kernel, flow, arguments, order)
    on_progress("proving that the C computes them")
    with working_at(kernel.span, f"whether `{function}` computes the equations"):
        verdict = _verdict(source, kernel, written, order, on_progress)
        if not verdict.is_proved and not order.is_serial:
            written = _write_program(source, kernel, flow, arguments, replace(order, is_serial=True))
            verdict = _verdict(source, kernel, written, order, on_progress)
    return Imported(
        function=function,
        system=written.checked.program.systems[0].name,
        program=written.text,
        script=written.script,
        checked=written.checked,
        verdict=verdict,
        left_out=None if extra_context.is_empty() else extra_context,
        seconds=0,
        shapes={name: arguments.shapes[name] for name in arguments.used},
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Written:
    """The program of the values, parsed again, and its script."""

    text: str
    script: str
    checked: Checked
    values: Sequence[FlowValue]


def _write_program(
    source: Source, kernel: CKernel, flow: Flow, arguments: FunctionArguments, order: ImportedOrder
) -> _Written:
    system = system_name(kernel.function)
    name = order.program or f"{PurePath(source.name).stem}.ab"
    try:
        values = values_of(flow, arguments.by_value, order.is_serial)
        text = program_text(system, flow.context, values)
    except Unwritable as reason:
        message = f"`{kernel.function}` cannot be written as equations: {reason}"
        raise Rejected(Diagnostic(C_NO_EQUATIONS, message, Label(kernel.span))) from None
    if not any(value.kind is Kind.OUTPUT for value in values):
        message = f"`{kernel.function}` has no result: it writes no argument, and returns no computed scalar"
        remedy = "return the result, or write it through a pointer: `*result = ..;`"
        raise Rejected(Diagnostic(C_NO_EQUATIONS, message, Label(kernel.span), help=remedy))
    script = script_text(name, system, values, f"The values of {PurePath(source.name).name}")
    return _Written(text, script, read_program(Source(name, text)), values)


def _verdict(
    source: Source, kernel: CKernel, written: _Written, order: ImportedOrder, on_progress: Callable[[str], None]
) -> CVerdict:
    system = written.checked.program.systems[0].name
    names = _names(kernel, written.values)
    task = ProofTask(
        kernel.function, system, names,
        laws=order.laws, effort=Effort(operations=order.operations), executes=order.executes,
    )  # fmt: skip
    return prove_c(written.checked, source, task, on_progress)


def read_alone(source: Source, order: ImportedOrder = PLAIN_ORDER) -> CKernel:
    """Returns the function as an affine model, without a program. Raises Rejected."""
    tree, macros = _tree(source, order)
    name = _function(tree, source, order.function)
    arguments = read_arguments(source, tree, name, order.shapes or {}, macros)
    return _kernel(source, tree, name, _parameter_context(arguments, order), arguments)


def _tree(source: Source, order: ImportedOrder) -> tuple[c.File, tuple[str, ...]]:
    """Returns the parsed text, with sizes behind pointers passed by value, and its macros that are sizes of arrays:
    they are parameters."""
    macros = array_sizes(source.text)
    sized = Source(source.name, with_sizes(source.text, {macro: macro for macro in macros})) if macros else source
    tree = read_tree(source, sized.text)
    with suppress(Rejected):
        function = _function(tree, source, order.function)
        if sizes := pointers_to_bounds(function, definitions(tree)):
            tree = read_tree(source, sized.text, sizes=(function, sizes))
        tree = without_copies(tree, function)
    return tree, macros


def system_name(function: str) -> str:
    """Returns the name of the system for which a generator writes this function."""
    plain = re.sub(r"_x([0-9a-f]+)_", lambda match_: chr(int(match_[1], 16)), re.sub(r"^n_(?=\d)", "", function))
    is_name = re.fullmatch(r"\w+(-\w+)*", plain, re.ASCII) is not None
    return plain if is_name and identifier(plain) == function else function


def _function(tree: c.File, source: Source, requested: str | None) -> str:
    names = [*definitions(tree)]
    candidates = seen_functions(tree) if requested is None else [requested]
    if requested is None and len(candidates) > 1:
        stem = identifier(PurePath(source.name).stem)
        candidates = [name for name in candidates if name == stem] or candidates
    if len(candidates) == 1 and candidates[0] in names:
        return candidates[0]
    message = "the file has several functions" if requested is None else f"the file has no function `{requested}`"
    remedy = f"choose one with --function: {listing(names)}" if names else "it defines none"
    raise Rejected(Diagnostic(C_SIGNATURE, message, Label(Span(source, 0, 0)), help=remedy))


def _parameter_context(arguments: FunctionArguments, order: ImportedOrder) -> Domain:
    """Returns the context: arrays have at least one element (C11, 6.7.6.2), and the assumed conditions hold."""
    extents = [dimension for shape in arguments.shapes.values() for dimension in shape if not dimension.is_constant]
    space = Space(arguments.parameters)
    context = Domain.where(space, [Constraint(extent - 1) for extent in extents])
    context = context & Domain.where(space, [at_least(Affine.name(dimension), 0) for dimension in arguments.unsigned])
    if order.least is not None:
        names = map(Affine.name, arguments.parameters)
        context = context & Domain.where(space, [at_least(name, order.least) for name in names])
    assumption = assumed_parameters(order.assumed, arguments.parameters)
    return context if assumption is None else context & assumption


def _kernel(source: Source, tree: c.File, function: str, context: Domain, arguments: FunctionArguments) -> CKernel:
    parameters = {name: name for name in arguments.parameters}
    kernel = read_kernel(source, tree, function, context, parameters, arguments.shapes, macros=arguments.macros)
    if not kernel.statements:
        raise Rejected(
            Diagnostic(
                C_NO_EQUATIONS, f"`{function}` writes no array and returns no computed value", Label(kernel.span)
            )
        )
    return kernel


def _with_meaning(
    source: Source, tree: c.File, kernel: CKernel, domain: Domain, arguments: FunctionArguments
) -> tuple[CKernel, Domain]:
    """Returns the kernel restricted to the parameters for which the C is defined. Raises Rejected (AZ833) if there are
    none."""
    context = domain - meaningless(kernel)
    if not context.is_empty():
        kernel = _kernel(source, tree, kernel.function, context.simplify(), arguments)
        context = (context - meaningless(kernel, flow_of(kernel, context))).simplify()
    if context.is_empty():
        message = f"`{kernel.function}` accesses arrays out of bounds, or reads uninitialised data, for all parameters"
        raise Rejected(Diagnostic(C_NO_EQUATIONS, message, Label(kernel.span)))
    return _kernel(source, tree, kernel.function, context, arguments), context


def _names(kernel: CKernel, values: Sequence[FlowValue]) -> dict[str, str]:
    """Returns the names of C arguments in the program: an array that is read and written is an input, and then an
    output."""
    names_by_stem: dict[str, list[str]] = {}
    for value_ in sorted(values, key=lambda value: value.kind is not Kind.INPUT):
        if value_.kind is not Kind.LOCAL and value_.array is not None:
            names_by_stem.setdefault(value_.array.name, []).append(value_.name)
    return {name: "+".join(names) for name, names in names_by_stem.items() if name in kernel.arguments}
