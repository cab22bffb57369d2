"""The arguments of a C function: which are parameters, and the shapes of its arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast
from pycparser.c_parser import CParser, ParseError

from alphaz.diagnostics import Source, Span
from alphaz.model.types import INT
from alphaz.poly import Affine
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.extraction import used_extents
from alphaz.scop.file_scope import declared_outside, name_constants
from alphaz.scop.functions import functions_of
from alphaz.scop.idioms import points_to_rows
from alphaz.scop.index_expressions import index
from alphaz.scop.index_values import affine, polynomial_of
from alphaz.scop.kernel import RESULT
from alphaz.scop.pycparser_queries import assigned, base, nodes, scalar_type
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState
from alphaz.scop.scope import Context, NamedInteger
from alphaz.scop.shapes import declared_extents
from alphaz.scop.unsupported import outside


@dataclass(frozen=True, slots=True, eq=False)
class FunctionArguments:
    """The arguments of one function.

    `parameters` are the integers passed by value, `shapes` the extents of everything that holds data (none for a
    scalar), `by_value` the scalars passed by value; `span` is where the function is defined. `used`: the arrays whose
    extents are inferred from their use; `unsigned`: the parameters that are never below 0; `macros`: the parameters
    that are macros of the text.
    """

    parameters: tuple[str, ...]
    shapes: Mapping[str, tuple[Affine, ...]]
    by_value: frozenset[str]
    span: Span
    used: tuple[str, ...] = ()
    unsigned: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()


def read_arguments(
    source: Source,
    tree: c_ast.FileAST,
    function: str,
    stated_extents: Mapping[str, Sequence[str]],
    macros: Sequence[str] = (),
) -> FunctionArguments:
    """Returns the arguments of a function of the file.

    `stated_extents` has the extents, in C, of pointers that do not declare theirs. Raises Rejected (AZ832) for a
    pointer without known extents, and for unsigned scalars.
    """
    functions = functions_of(tree)
    definition = functions.defined[function]
    arguments = definition.decl.type.args.params if definition.decl.type.args is not None else []
    declared = [argument for argument in arguments if isinstance(argument, c_ast.Decl)]
    changed = assigned(definition.body)
    passed = tuple(item.name for item in declared if _is_parameter(item, changed))
    parameters = (*passed, *(macro for macro in macros if macro not in passed))
    words = ReaderState(source, functions, {*parameters}, changed)
    name_constants(words, tree)
    names = {macro: NamedInteger(polynomial_of(macro), INT) for macro in macros}
    names |= {
        item.name: NamedInteger(polynomial_of(item.name), _type(item)) for item in declared if item.name in passed
    }
    nest = Context(names=names)
    shapes: dict[str, tuple[Affine, ...] | None] = {}
    by_value = set()
    for item in declared:
        if item.name in parameters:
            continue
        if isinstance(item.type, c_ast.TypeDecl):
            by_value.add(item.name)
            shapes[item.name] = ()
        elif item.name in stated_extents:
            shapes[item.name] = tuple(_parse_size(words, nest, item, text) for text in stated_extents[item.name])
        else:
            shapes[item.name] = _shape(words, nest, item, definition.body)
    outside_ = declared_outside(tree, functions, definition)
    for item in (item for item in outside_.values() if "const" not in item.quals and item.name not in words.constants):
        shapes[item.name] = _shape(words, nest, item, definition.body)
    if returns_data(definition) and "result" not in {item.name for item in declared}:
        shapes[RESULT] = ()
    unknown = tuple(name for name, shape in shapes.items() if shape is None)
    used = used_extents(source, tree, function, parameters, shapes, macros) if unknown else {}
    for item in declared:
        if item.name in unknown and item.name not in used:
            problem, remedy = f"the extents of `{item.name}` are unknown", f"state them: --shape {item.name}=N,M"
            raise outside(words.span(item), problem, remedy)
    known_ = {name: used[name] if shape is None else shape for name, shape in shapes.items()}
    return FunctionArguments(
        parameters=parameters,
        unsigned=tuple(item.name for item in declared if item.name in parameters and not _type(item).signed),
        shapes=known_,
        by_value=frozenset(by_value),
        span=words.span(definition.decl),
        used=unknown,
        macros=tuple(macros),
    )


def returns_data(definition: Any) -> bool:
    """Returns True if a function returns a number that it computes. A returned constant is a status code."""
    values = [node.expr for node in nodes(definition.body, c_ast.Return) if node.expr is not None]
    return scalar_type(definition.decl.type.type) is not None and not all(map(_is_status, values))


def _is_status(node: Any) -> bool:
    if isinstance(node, c_ast.UnaryOp) and node.op == "-":
        return _is_status(node.expr)
    if isinstance(node, c_ast.ID):
        return node.name in ("EXIT_SUCCESS", "EXIT_FAILURE", "true", "false")
    return isinstance(node, c_ast.Constant) and node.type == "int"


def _type(declaration: Any) -> Any:
    return scalar_type(base(declaration.type))


def _is_parameter(declaration: Any, changed: frozenset[str]) -> bool:
    type_ = _type(declaration)
    is_integer = type_ is not None and type_.kind == "int" and type_.bits >= 32
    return isinstance(declaration.type, c_ast.TypeDecl) and is_integer and declaration.name not in changed


def _shape(words: ReaderState, nest: Context, declaration: Any, body: Any) -> tuple[Affine, ...] | None:
    """Returns the declared extents; None if the first extent is not declared, or for an array of row pointers."""
    if _type(declaration) is None:
        raise outside(
            words.span(declaration),
            f"`{declaration.name}` has an unsupported type (expected a C integer, `float` or `double`)",
        )
    if points_to_rows(declaration):
        return None
    extents = declared_extents(words, nest, declaration.type)
    if extents == (None,) and _is_one_number(declaration.name, body):
        return ()
    if extents[:1] == (None,):
        return None
    extents_ = [None if extent is None else affine(extent) for extent in extents]
    if any(length is None for length in extents_):
        raise outside(words.span(declaration), f"the extents of `{declaration.name}` are not affine in the parameters")
    return tuple(length for length in extents_ if length is not None)


def _parse_size(words: ReaderState, nest: Context, declaration: Any, text: str) -> Affine:
    span = words.span(declaration)
    try:
        node = CParser().parse(f"int a[{text}];").ext[0].type.dim
        value = index(words, nest, node, Existentials())
    except (ParseError, NoIndex):
        value = None
    size = affine(value) if isinstance(value, Polynomial) else None
    if size is None:
        raise outside(span, f"`{text}` is not an affine extent of `{declaration.name}`")
    return size


def _is_one_number(name: str, body: Any) -> bool:
    """Returns True if a pointer is used only as `*p` or `p[0]`."""
    alone = 0
    for node in nodes(body, c_ast.UnaryOp):
        alone += node.op == "*" and isinstance(node.expr, c_ast.ID) and node.expr.name == name
    for node in nodes(body, c_ast.ArrayRef):
        is_first = isinstance(node.subscript, c_ast.Constant) and node.subscript.value == "0"
        alone += is_first and isinstance(node.name, c_ast.ID) and node.name.name == name
    return alone == sum(1 for node in nodes(body, c_ast.ID) if node.name == name)
