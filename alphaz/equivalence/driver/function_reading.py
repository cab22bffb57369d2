"""The C function of a task: its model, its arguments, and the variables that they hold."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType

from alphaz.analysis.checks.checked_program import Checked
from alphaz.c import tree as c
from alphaz.c.alphaz_header import INCLUSION, RUNTIME
from alphaz.c.printer import declaration
from alphaz.c.walk import nodes
from alphaz.codegen.c.names import identifier
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source
from alphaz.diagnostics.message_words import listing
from alphaz.diagnostics.rules import C_SIGNATURE
from alphaz.equivalence.argument_layout import NoShape, place_of
from alphaz.equivalence.copies_of_undefined_cells import with_blank_copies
from alphaz.equivalence.driver.alphaz_header_check import is_assumed
from alphaz.equivalence.driver.argument_names import (
    held_in_place,
    macros_of,
    names_ignoring_case,
    parameter_names,
    parameters_of,
    returned_output,
)
from alphaz.equivalence.driver.preprocessing import read_tree, undefined_names, unread_headers
from alphaz.equivalence.driver.sanitized_run import CArgument, RunRequest
from alphaz.equivalence.driver.task import (
    PLAINLY,
    ProofTask,
    chosen_function,
    refused_task,
    with_launch,
    with_parameters,
)
from alphaz.equivalence.driver.unsupported_code import may_have_effects, without_bodies
from alphaz.equivalence.driver.work_arrays import memory_code, unused_pointers, with_work_arrays, work_arrays
from alphaz.equivalence.symbolic_run import Binding
from alphaz.model.program import System, Variable
from alphaz.poly import Affine, Domain, at_least
from alphaz.scop import CKernel, parse, read_kernel, together
from alphaz.scop.c_model import RESULT
from alphaz.scop.intrinsic_calls import check_loose
from alphaz.scop.macros import sizes_in, with_sizes
from alphaz.scop.sizes_by_address import by_value
from alphaz.scop.tree_queries import is_simple, scalar_type

_HEADER = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True, eq=False)
class CFunction:
    """A function as a model, with its arguments, and what its arrays hold. `declared`: assumptions on its files."""

    system: System
    function: str
    kernel: CKernel
    arguments: Sequence[CArgument]
    binding: Binding
    macros: Mapping[str, str]
    declared: tuple[str, ...]

    def trial(self, checked: Checked, source: Source, task: ProofTask) -> RunRequest:
        return RunRequest(
            source=source,
            function=self.function,
            arguments=self.arguments,
            checked=checked,
            system=self.system,
            layouts=task.layouts,
            macros=self.macros,
            others=[other.source for other in task.others],
            toolchain=task.toolchain,
            harness=task.harness,
            launch=None if task.launch is None else (task.launch.grid, task.launch.block),
            on_device=self.kernel.on_device,
        )


def c_function(
    checked: Checked, source: Source, task: ProofTask, system: System, tree: c.File, declared: tuple[str, ...]
) -> CFunction:
    """Returns the function of the task in this tree. Raises Rejected, and NoShape for a variable without a layout."""
    name = chosen_function(tree, source, system, task)
    system = _with_c_parameters(tree, system, name, task)
    macros = macros_of(tree, source, name, system, {**(task.names or {}), **dict.fromkeys(task.sizes or {}, "")})
    if macros:
        tree, declared = file_tree(
            source, with_sizes(source.text, {macro: macro for macro in macros}), checked, task, system
        )
    tree, besides = _with_others(tree, source, task, checked)
    kernel, arguments, binding = read_with_arguments(tree, source, system, name, task, macros)
    return CFunction(
        system=system,
        function=name,
        kernel=with_blank_copies(kernel, binding, system),
        arguments=arguments,
        binding=binding,
        macros=macros,
        declared=(*declared, *besides),
    )


def unread_trial(checked: Checked, source: Source, task: ProofTask, system: System) -> RunRequest | None:
    """Returns the execution of a function whose body is not supported; None if its arguments are not understood
    either, or it may have effects besides."""
    files = (source, *(other.source for other in task.others))
    if may_have_effects(files, {external.name for external in checked.program.externals}):
        return None
    outline = without_bodies(source)
    try:
        subject = c_function(
            checked, outline, replace(task, others=()), system, *_outlined(outline, source, checked, task, system)
        )
    except (Rejected, NoShape):
        return None
    return subject.trial(checked, source, task)


def _outlined(
    outline: Source, source: Source, checked: Checked, task: ProofTask, system: System
) -> tuple[c.File, tuple[str, ...]]:
    """Returns the tree with empty bodies: that of the text if it can be parsed, as bodies say which members of
    structures are passed."""
    try:
        tree, notes = file_tree(source, source.text, checked, task, system)
    except Rejected:
        return file_tree(outline, outline.text, checked, task, system)
    items = (
        replace(item, body=()) if isinstance(item, c.Function) and item.body is not None else item
        for item in tree.items
    )
    return replace(tree, items=tuple(items)), notes


def read_with_arguments(
    tree: c.File,
    source: Source,
    system: System,
    function: str,
    task: ProofTask,
    macros: Mapping[str, str] = MappingProxyType({}),
) -> tuple[CKernel, list[CArgument], Binding]:
    """Returns the function as a model, its arguments in order, and which variables its arrays hold."""
    names, alike = task.names or {}, names_ignoring_case(parameters_of(tree, function), system, task.names or {})
    variables_by_name = {n: v for v in (*system.inputs, *system.outputs) for n in (v.name, identifier(v.name))}
    variables_by_name |= {n: variables_by_name[target] for n, target in alike.items() if target in variables_by_name}
    parameters = {n: p for p in system.parameters for n in (p, identifier(p))}
    parameters |= {n: target for n, target in alike.items() if target in parameters}
    bound: dict[str, tuple[Variable, ...]] = {name: (variable,) for name, variable in variables_by_name.items()}
    for name, target in names.items():
        if target in system.parameters:
            parameters[name] = target
            continue
        bound[name] = tuple(_variable(source, system, variable) for variable in target.split("+"))
    parameters |= macros
    passed = (*system.inputs, *system.outputs)
    places = {v.name: place_of(v, system, task.layouts.get(v.name)) for v in passed}
    both = held_in_place(tree, function, system, places, variables_by_name, names, alike)
    bound |= both
    bound |= returned_output(tree, function, system, places, bound)
    for name, variables in bound.items():
        if len({places[v.name] for v in variables}) > 1:
            raise refused_task(
                source, f"`{name}` is mapped to variables of different shapes", "map it to variables of one shape"
            )
    shapes = {name: places[variables[0].name].shape for name, variables in bound.items()}
    sizes = task.sizes or {}
    is_whole = {v.name for v in passed} <= _held(tree, function, bound) and task.launch is None and not macros
    known = {*bound, *parameters, *sizes}
    own = work_arrays(source, tree, function, known) if is_whole else {}
    unused = unused_pointers(tree, function, known) if is_whole else frozenset[str]()
    values: dict[str, int | str] = {**sizes}
    values |= {name: memory_code(type_, parameters, system.parameters) for name, type_ in own.items()}
    values |= dict.fromkeys(unused, 0)
    kernel = read_kernel(
        source, with_work_arrays(tree, function, own, unused), function, system.context, parameters, shapes, sizes,
        task.annotations, [*macros], task.others, reads_masks=task.reads_masks,
    )  # fmt: skip
    check_loose(kernel, task.laws.is_exact)
    known_ = sizes_in(source.text)
    macro_notes = tuple(f"`{name}`, which is {known_[name]} in the text, may be any {p}" for name, p in macros.items())
    chosen = tuple(f"`{name}` is {value}" for name, value in sizes.items())
    headers = tuple(
        dict.fromkeys(note for file in (source, *(o.source for o in task.others)) for note in _left_out(file, task))
    )
    held_ = tuple(f"`{n}` holds {first.name} at first, and {last.name} at the end" for n, (first, last) in both.items())
    renamed = tuple(f"`{n}` stands for {target}" for n, target in {**alike, **task.inferred}.items() if n not in both)
    there = kernel.on_device if task.launch is None else ()
    on_device = tuple(f"`{name}` is in the memory of the GPU" for name in kernel.arguments if name in there)
    work = tuple(f"`{declaration(type_, name)}` is a work array" for name, type_ in own.items())
    notes = (*macro_notes, *chosen, *headers, *held_, *renamed, *on_device, *work)
    kernel = replace(kernel, assumed=(*kernel.assumed, *notes))
    arguments = []
    for parameter in parameters_of(tree, function):
        if parameter.name in kernel.arguments:
            variables = bound[parameter.name]
            _check_types(kernel, parameter.name, variables)
            by_value = is_simple(parameter.type)
            if by_value and any(v in system.outputs for v in variables):
                message = f"`{parameter.name}` is passed by value, so it cannot return the output {variables[-1].name}"
                raise refused_task(source, message, f"pass a pointer, `*{parameter.name}`")
            held_by = tuple(v.name for v in variables)
            in_rows = kernel.arrays[parameter.name].in_rows
            arguments.append(CArgument(parameter.name, held_by, by_value, in_rows=in_rows, member=parameter.member))
        elif parameter.name in values:
            arguments.append(CArgument(parameter.name, value=values[parameter.name], member=parameter.member))
        else:
            arguments.append(CArgument(parameters[parameter.name], member=parameter.member))
    for name in (argument for argument in kernel.arguments if argument not in {*(a.name for a in arguments), RESULT}):
        _check_types(kernel, name, bound[name])
        arguments.append(CArgument(name, tuple(v.name for v in bound[name]), in_file=True))
    if RESULT in bound:
        _check_types(kernel, RESULT, bound[RESULT])
        arguments.append(CArgument(RESULT, tuple(v.name for v in bound[RESULT]), is_result=True))
    held = {a.name: a.variables for a in arguments if a.variables}
    inputs = {v.name for v in system.inputs}
    binding = Binding(
        {name: v for name, variables in held.items() for v in variables if v in inputs},
        {name: v for name, variables in held.items() for v in variables if v not in inputs},
        places,
    )
    missing = {v.name for v in system.outputs} - set(binding.outputs.values())
    if missing:
        also = ", and it is not returned" if len(missing) == 1 else ""
        remedy = "add an argument of that name, or map one to it: --map C_NAME=NAME"
        raise Rejected(
            Diagnostic(
                C_SIGNATURE,
                f"no argument holds the output {listing(sorted(missing))}{also}",
                Label(kernel.span),
                help=remedy,
            )
        )
    return kernel, arguments, binding


def _held(tree: c.File, function: str, bound: Mapping[str, Sequence[Variable]]) -> set[str]:
    """Returns the variables for which the function has an argument or a returned value, or the file an array."""
    in_file = (item.name for item in tree.items if isinstance(item, c.Declare))
    names = {RESULT, *in_file, *(parameter.name for parameter in parameters_of(tree, function))}
    return {variable.name for name, variables in bound.items() if name in names for variable in variables}


def _left_out(source: Source, task: ProofTask) -> Iterator[str]:
    """Yields the assumptions on headers that are not read, and on names without a definition."""
    has_runtime = task.is_generated or is_assumed(source)
    headers = unread_headers(source, has_runtime=has_runtime)
    if INCLUSION in source.text and has_runtime and not task.is_generated:
        yield f"`{RUNTIME}` is that of this version of alphaz"
    yield from (f"`{name}` defines no macro or function that this text uses" for name in headers)
    yield from (f"`{name}` is not defined" for name in undefined_names(source))


def file_tree(
    source: Source, text: str, checked: Checked, task: ProofTask, system: System
) -> tuple[c.File, tuple[str, ...]]:
    """Returns the tree of this text, with the launch of the task, and the assumptions on the headers that it
    includes. Arguments of its function that are pointers to sizes are passed by value."""
    tree, assumed = _file_tree(source, text, checked, task)
    sizes = _sizes_by_address(tree, source, task, system)
    return (tree, assumed) if sizes is None else _file_tree(source, text, checked, task, sizes)


def _file_tree(
    source: Source, text: str, checked: Checked, task: ProofTask, sizes: tuple[str, frozenset[str]] | None = None
) -> tuple[c.File, tuple[str, ...]]:
    read = read_tree(source, text, is_generated=task.is_generated, sizes=sizes)
    tree, assumed = _with_externals(read, source, checked)
    return with_launch(tree, source, task), assumed


def _sizes_by_address(
    tree: c.File, source: Source, task: ProofTask, system: System
) -> tuple[str, frozenset[str]] | None:
    """Returns the function of the task, and those of its arguments that may point to parameters of the program or to
    sizes of tiles; None if there are none."""
    if task.launch is not None:
        return None
    with suppress(Rejected):
        function = chosen_function(tree, source, system, task)
        arguments = parameters_of(tree, function)
        sizes = parameter_names([*map(by_value, arguments)], system, task.names or {}) | {*(task.sizes or {})}
        names = {
            argument.name for argument in arguments if argument.name in sizes and by_value(argument) is not argument
        }
        return (function, frozenset(names)) if names else None
    return None


def _with_others(tree: c.File, source: Source, task: ProofTask, checked: Checked) -> tuple[c.File, tuple[str, ...]]:
    """Returns the file with the definitions of the others, and the assumptions on these."""
    plain = replace(PLAINLY, is_generated=task.is_generated)
    files = [(other.source, *_file_tree(other.source, other.source.text, checked, plain)) for other in task.others]
    merged, notes = together((source, tree), [(file, read) for file, read, _ in files])
    return merged, (*notes, *(note for _, _, file_notes in files for note in file_notes))


def _with_externals(tree: c.File, source: Source, checked: Checked) -> tuple[c.File, tuple[str, ...]]:
    """Returns the file with prototypes of the functions that the program declares, and the file does not: it is
    assumed, and reported, that one of its headers declares them in the same way."""
    declared_names = {item.name for item in tree.items if isinstance(item, c.Function | c.Declare)}
    headers = _HEADER.findall(source.text)
    called = {node.function for node in nodes(tree, c.Call)}
    externals = [
        external for external in checked.program.externals
        if headers and external.name in called - declared_names and None not in external.arguments
    ]  # fmt: skip
    texts = (f"{e.type.c_name} {e.name}({', '.join(a.c_name for a in e.arguments if a) or 'void'});" for e in externals)
    prototypes = parse(Source("prototypes", ""), "\n".join(texts)).items[-len(externals) :] if externals else []
    headers_text = listing(headers)
    notes = tuple(f"{headers_text} declares `{external.name}` as the program does" for external in externals)
    return replace(tree, items=(*prototypes, *tree.items)), notes


def _with_c_parameters(tree: c.File, system: System, function: str, task: ProofTask) -> System:
    """Returns the system restricted to the parameters that C can pass: arguments of unsigned types are not negative."""
    stated_names = task.names or {}
    alike = names_ignoring_case(parameters_of(tree, function), system, stated_names)
    names = {**{n: p for p in system.parameters for n in (p, identifier(p))}, **alike, **stated_names}
    types = {parameter.name: scalar_type(parameter.type) for parameter in parameters_of(tree, function)}
    unsigned = [
        names[name] for name, type_ in types.items() if type_ is not None and not type_.signed and name in names
    ]
    limits = [at_least(Affine.name(parameter), 0) for parameter in unsigned if parameter in system.parameters]
    space = system.context.space
    limited = replace(system, context=system.context & Domain.where(space, limits)) if limits else system
    return with_parameters(limited, system)


def _variable(source: Source, system: System, name: str) -> Variable:
    for variable in (*system.inputs, *system.outputs):
        if variable.name == name:
            return variable
    names = listing([v.name for v in (*system.inputs, *system.outputs)])
    raise refused_task(source, f"`{system.name}` has no input or output `{name}`", f"it has {names}")


def _check_types(kernel: CKernel, name: str, variables: Sequence[Variable]) -> None:
    array = kernel.arrays[name]
    for variable in variables:
        if variable.type != array.type:
            subject = "the returned value is" if name == RESULT else f"`{name}` has elements"
            message = f"{subject} of type {array.type}, and `{variable.name}` is of type {variable.type}"
            raise Rejected(
                Diagnostic(C_SIGNATURE, message, Label(array.span), (Label(variable.span, "declared here"),))
            )
