"""Extraction: the statements of a C function, with its callees inlined."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Rejected, Source, Span
from alphaz.model.types import INT, ScalarType
from alphaz.poly import Affine, Domain, Space, at_least
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.assignments import dividends
from alphaz.scop.c_model import RESULT, Annotation, CKernel, KernelArray, OtherFile, StreamOrder
from alphaz.scop.calls import inline
from alphaz.scop.declarations import declare
from alphaz.scop.file_scope import all_names, declared_outside, name_constants, reached
from alphaz.scop.functions import combiner, combiners, functions_of
from alphaz.scop.idioms import check_elements_only, points_to_rows
from alphaz.scop.index_polynomials import affine, conditions_of, constant_polynomial, polynomial_of
from alphaz.scop.inferred_extents import extents_of
from alphaz.scop.integer_widths import note_width
from alphaz.scop.intrinsic_calls import is_across
from alphaz.scop.lvalues import whole
from alphaz.scop.packed_arrays import PackedArray
from alphaz.scop.reader_state import ReadAsData, ReaderState
from alphaz.scop.scope import Context, Meaning, NamedInteger, PointerView
from alphaz.scop.shapes import declared_extents
from alphaz.scop.statements import read_statements
from alphaz.scop.supported_pragmas import read_pragma
from alphaz.scop.tree_queries import (
    assigned,
    base,
    body_of,
    element_type,
    is_simple,
    is_void,
    is_wide_integer,
    scalar_type,
    type_text,
)
from alphaz.scop.unsupported import outside

Reading = tuple[CKernel, ReaderState]
Shape = Sequence[Affine] | PackedArray
"""The shape of an argument: its extents, or its packed layout."""


def read_kernel(
    source: Source,
    tree: c.File,
    function: str,
    context: Domain,
    parameters: Mapping[str, str],
    shapes: Mapping[str, Shape],
    sizes: Mapping[str, int] | None = None,
    annotations: Mapping[int, Annotation] | None = None,
    macros: Collection[str] = (),
    others: Sequence[OtherFile] = (),
    *,
    reads_masks: bool = False,
) -> CKernel:
    """Returns the function as an affine model.

    `parameters` gives the names of the context's parameters for the integer arguments of C, `sizes` the values of other
    integer arguments, and `shapes` those of the arrays that the caller passes, by the names of C; if `RESULT` is among
    them, the returned value is data. `annotations` are those of the lines, over the names of the text. `macros` are the
    parameters that are macros of the text, not arguments. `others` are the further files in the tree
    (`scop.translation_units`). `reads_masks`: `if (c) x += a;` is `x += c ? a : 0;`. Raises Rejected (AZ832).
    """
    inputs = (context, parameters, shapes, sizes or {}, annotations or {}, macros, others)
    return _settled(lambda data: _read(source, tree, function, *inputs, data, reads_masks=reads_masks))[0]


def used_extents(
    source: Source,
    tree: c.File,
    function: str,
    parameters: Sequence[str],
    shapes: Mapping[str, Shape | None],
    macros: Collection[str] = (),
) -> Mapping[str, tuple[Affine, ...]]:
    """Returns the extents of the arrays whose shape is None, as the function uses them; omits arrays where these are
    unclear.

    Raises Rejected as `read_kernel` does.
    """
    # Sizes are at least 0.
    context = Domain.where(Space(tuple(parameters)), [at_least(Affine.name(parameter), 0) for parameter in parameters])
    names = {name: name for name in parameters}
    _, state = _settled(lambda data: _read(source, tree, function, context, names, shapes, {}, {}, macros, (), data))
    return extents_of(state, state.uses, parameters)


def _note_least_extent(
    state: ReaderState, parameter: c.Parameter, shape: Shape | None, names: Mapping[str, Meaning]
) -> None:
    """Assumes the least extent that `static` states, where it is another one than that of the equations."""
    if not isinstance(parameter.type, c.Array) or not parameter.type.static:
        return
    stated, *_ = declared_extents(state, Context(names=names), parameter.type, state.span(parameter))
    known = shape[0] if shape and not isinstance(shape, PackedArray) else None
    if stated is None or known is None or affine(stated) != known:
        state.assume(f"the caller passes as many elements of `{parameter.name}` as its `static` extent states")


def _settled(read: Callable[[frozenset[tuple[int, str]]], Reading]) -> Reading:
    """Returns what `read` returns for the integers that turn out to be data while it reads."""
    data = frozenset[tuple[int, str]]()
    while True:
        try:
            return read(data)
        except ReadAsData as integer:
            data |= {integer.variable}


def _read(
    source: Source,
    tree: c.File,
    function: str,
    context: Domain,
    parameters: Mapping[str, str],
    shapes: Mapping[str, Shape | None],
    sizes: Mapping[str, int],
    annotations: Mapping[int, Annotation],
    macros: Collection[str],
    others: Sequence[OtherFile],
    data: frozenset[tuple[int, str]],
    *,
    reads_masks: bool = False,
) -> Reading:
    functions = functions_of(tree)
    definition = functions.defined.get(function)
    if definition is None:
        defined_names = ", ".join(f"`{name}`" for name in functions.defined) or "none"
        raise outside(Span(source, 0, 0), f"the file has no function `{function}`", f"it has {defined_names}")
    state = ReaderState(
        source, functions, context, read_statements,
        changed=assigned(definition.body), combiners=combiners(tree, functions),
        annotations=annotations, is_across=is_across(functions), others=others, data=data,
        reads_masks=reads_masks,
    )  # fmt: skip
    name_constants(state, tree)
    span = state.span(definition)
    check_supported(state, tree, definition)
    _check_directives(state, tree)
    numbers = {name: polynomial_of(parameter) for name, parameter in parameters.items()}
    state.around = {name: NamedInteger(numbers[name], INT) for name in macros}
    numbers |= {name: constant_polynomial(value) for name, value in sizes.items()}
    arguments = [*_outside(state, tree, definition, shapes)]
    names: dict[str, Meaning] = {**state.around}
    for parameter in definition.parameters:
        if points_to_rows(parameter):
            check_elements_only(parameter.name, body_of(definition), state.span(parameter))
        names[parameter.name] = _argument(state, parameter, numbers, shapes, names)
        _note_least_extent(state, parameter, shapes.get(parameter.name), names)
        if isinstance(names[parameter.name], PointerView):
            arguments.append(parameter.name)
    if RESULT in shapes:
        names[RESULT] = _result(state, definition, span)
        arguments.append(RESULT)
    nest = Context(names=names, depth=0, conditions=conditions_of(context) or ())
    inline(state, body_of(definition), nest)
    kernel = CKernel(
        source=source, function=function, parameters=context.space.parameters, arrays=state.arrays,
        arguments=tuple(arguments), statements=tuple(state.statements), dividends=dividends(state), span=span,
        assumed=tuple(state.assumed), collected=tuple(state.collected), loose=tuple(state.loose),
        barriers=tuple(state.barriers), streams=state.streams or StreamOrder(), copy_events=tuple(state.copy_events),
        on_device=frozenset(name for name, (is_there, _) in state.memory.items() if is_there and name in arguments),
    )  # fmt: skip
    return kernel, state


def _check_directives(state: ReaderState, tree: c.File) -> None:
    """Raises Rejected for directives outside functions that change the meaning of the functions after them."""
    for item in tree.items:
        if not isinstance(item, c.Pragma) or combiner(item.text, state.functions) is not None:
            continue
        if read_pragma(item.text, state.span(item)) is not None:
            message = "`#pragma` outside functions is not supported, except `omp declare reduction`"
            raise outside(state.span(item), message)


def check_supported(state: ReaderState, tree: c.File, definition: c.Function) -> None:
    """Raises Rejected if a function, or one that it may call, has a construct that the tree lacks, or uses a
    declaration of file scope that has one."""
    functions = [*reached(state.functions, definition)]
    for function in functions:
        for returned in nodes(function.body, c.Return):
            if (returned.value is not None) == is_void(function.type):
                having = "a value" if is_void(function.type) else "no value"
                message = (
                    f"this is no C: `{function.name}` has the type `{type_text(function.type)}`, and returns {having}"
                )
                raise outside(state.span(returned), message)
        for statement in body_of(function):
            if isinstance(statement, c.Unsupported):
                raise outside(state.span(statement), statement.message, statement.remedy)
    lacking = [item for item in tree.items if isinstance(item, c.Unsupported)]
    used = all_names(tree, functions) if lacking else set()
    for item in lacking:
        if used & {*item.names}:
            raise outside(state.span(item), item.message, item.remedy)


def _outside(
    state: ReaderState, tree: c.File, definition: c.Function, shapes: Mapping[str, Shape | None]
) -> Iterator[str]:
    """Declares the arrays and scalars of file scope; yields the names of those that are arguments."""
    outer_names = declared_outside(tree, state.functions, definition)
    for position, (name, item) in enumerate(outer_names.items()):
        nest, span = Context(names=state.around), state.span(item)
        if name in state.constants:
            continue
        is_constant = base(item.type).const
        if item.value is not None and is_constant:
            state.around = declare(state, item, nest, nest.at(position - len(outer_names))).names
            continue
        extents = declared_extents(state, nest, item.type, span)
        type_ = element_type(item.type)
        if type_ is None or None in extents or is_constant or "_Thread_local" in item.storage.split():
            continue
        shape = shapes.get(name)
        array = KernelArray(name=name, type=type_, extents=extents, span=span, is_argument=shape is not None)
        if shape is not None and (isinstance(shape, PackedArray) or extents != tuple(map(Polynomial.affine, shape))):
            remedy = "to make a size a parameter, define it as a macro of that name: `#define N 100` (or --map MACRO=N)"
            raise outside(span, f"the shape of `{name}` differs from that of its variable in the program", remedy)
        state.arrays[name] = array
        state.around = {**state.around, name: PointerView(array, extents)}
        if shape is not None:
            yield name


def _result(state: ReaderState, definition: c.Function, span: Span) -> PointerView:
    """Returns the returned value, as a scalar that the function writes once."""
    type_ = scalar_type(definition.type)
    if type_ is None:
        raise outside(span, f"`{definition.name}` must return a scalar")
    state.arrays[RESULT] = KernelArray(RESULT, type_, (), span, is_argument=True)
    return PointerView(state.arrays[RESULT], ())


def _argument(
    state: ReaderState,
    node: c.Parameter,
    parameters: Mapping[str, Polynomial],
    shapes: Mapping[str, Shape | None],
    names: Mapping[str, Meaning],
) -> Meaning:
    type_ = element_type(node.type)
    span = state.span(node)
    if type_ is None:
        raise outside(span, f"`{node.name}` has an unsupported type (expected a C integer, `float` or `double`)")
    is_scalar = is_simple(node.type)
    if is_scalar and node.name in parameters:
        if node.name in state.changed or not is_wide_integer(type_):
            raise outside(
                span,
                f"the parameter `{node.name}` must be an integer of at least 32 bits that the function does not modify",
            )
        note_width(state, type_)
        return NamedInteger(parameters[node.name], type_)
    if node.name not in shapes:
        raise _without_counterpart(state, node)
    is_constant = base(node.type).const
    declared_shape = shapes[node.name]
    if points_to_rows(node):
        return _rows(state, node, type_, declared_shape, is_constant=is_constant)
    if declared_shape is None:
        extents = declared_extents(state, Context(names=names), node.type, span)
        array = KernelArray(node.name, type_, extents, span, is_argument=True, is_constant=is_constant, is_used=True)
        state.arrays[node.name] = array
        return PointerView(array, extents, (), Polynomial(), is_pointer=True)
    packed = declared_shape if isinstance(declared_shape, PackedArray) else None
    lengths = declared_shape.extents if isinstance(declared_shape, PackedArray) else declared_shape
    shape = tuple(map(Polynomial.affine, lengths))
    array = KernelArray(node.name, type_, shape, span, is_argument=True, is_constant=is_constant, packed=packed)
    state.arrays[node.name] = array
    if is_scalar:
        if shape:
            raise outside(span, f"`{node.name}` is a scalar in C, but an array in the program")
        return PointerView(array, ())
    extents = declared_extents(state, Context(names=names), node.type, span)
    if packed is None and len(extents) == len(shape) and extents[1:] == shape[1:]:
        return PointerView(array, extents, is_pointer=True)
    if len(extents) == 1:
        return PointerView(array, (None,), (), Polynomial(), is_pointer=True)
    raise outside(span, f"the shape of `{node.name}` differs from that of its variable in the program")


def _without_counterpart(state: ReaderState, node: c.Parameter) -> Rejected:
    """Returns the error for an argument that the program does not have, or that is no size."""
    name, span, remedy = node.name, state.span(node), "state it: --map C_NAME=NAME"
    if not is_simple(node.type) and is_wide_integer(element_type(node.type)):
        use = f"use `*{name}` alone, and do not change it"
        if name.casefold() in map(str.casefold, state.context.space.parameters):
            message = f"`{name}` points to a size, which the function changes, or it uses the pointer in another way"
            return outside(span, message, use)
        remedy += f"; of a pointer to a size, {use}"
    return outside(span, f"`{name}` has no counterpart in the program", remedy)


def _rows(
    state: ReaderState, node: c.Parameter, type_: ScalarType, shape: Shape | None, *, is_constant: bool
) -> PointerView:
    span = state.span(node)
    if isinstance(shape, PackedArray) or (shape is not None and len(shape) != 2):
        message = f"`{node.name}` is an array of row pointers, but its variable in the program has not two dimensions"
        raise outside(span, message)
    extents = (None, None) if shape is None else tuple(map(Polynomial.affine, shape))
    array = KernelArray(
        node.name, type_, extents, span, is_argument=True, is_constant=is_constant, is_used=shape is None, in_rows=True
    )
    state.arrays[node.name] = array
    state.assume(f"the rows of `{node.name}` lie apart from each other and from all else")
    return replace(whole(array), is_pointer=True)
