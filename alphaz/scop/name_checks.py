"""Refuses C that redefines known names, and characters that compilers read differently."""

import re
from collections.abc import Iterable, Iterator

from alphaz.c import tree as c
from alphaz.c.cuda_preparation import VECTORS
from alphaz.c.preparation import without_comments
from alphaz.c.walk import all_blocks, blocks, nodes
from alphaz.diagnostics import Rejected, Source, Span
from alphaz.model.types import ScalarType
from alphaz.scop.intrinsics import is_vector_name
from alphaz.scop.supported_pragmas import WORDS
from alphaz.scop.tree_queries import (
    FLOAT_LIMITS,
    LIMITS,
    OTHER_TYPES,
    SIZED_TYPES,
    base,
    changed_in_head,
    definitions,
    launch_bounds,
    named_type,
    scalar_type,
)
from alphaz.scop.unsupported import outside, span_of

_CALLED = {
    "memcpy", "memmove", "memset", "malloc", "calloc", "aligned_alloc", "realloc", "free", "madvise", "printf",
    "fprintf", "puts", "fputs", "perror", "fflush", "assert", "INT64_C", "cudaDeviceSynchronize", "cudaGetLastError",
    "cudaPeekAtLastError", "cudaSuccess", "atomicAdd", "atomicInc", "__ldg", "dim3",
}  # fmt: skip
_VALUES = {
    "true", "false", "NULL", "INFINITY", "HUGE_VAL", "NAN", "INT64_MAX", "EXIT_SUCCESS", "EXIT_FAILURE", "stdout",
    "stderr",
}  # fmt: skip
_TYPES = {*OTHER_TYPES, *SIZED_TYPES, *(f"u{name}" for name in SIZED_TYPES)}
_OF_GPU = re.compile(
    r"cuda(?:Malloc|Memcpy|Memset|Free|Stream|Event)(?:\w*[^\W_])?|"
    r"__(?:sync|shfl_|threadfence|reduce_|pipeline_|cvta_)\w*|"
    rf"make_(?:{'|'.join(VECTORS)})"
)
_IN_PARENTHESES = re.compile(r"\(\s*(\w+)\s*\)\s*\(")
KNOWN_NAMES = frozenset({*_CALLED, *_VALUES, *LIMITS, *FLOAT_LIMITS, *_TYPES})


def is_known_name(name: str) -> bool:
    """Returns True if neither a declaration nor a macro of a file may have this name."""
    return name in KNOWN_NAMES or is_vector_name(name) or _OF_GPU.fullmatch(name) is not None


def check_names(source: Source, tree: c.File) -> None:
    """Raises Rejected for declarations with a name of the language or its library."""
    for name, node in _declared_names(tree):
        if isinstance(node, c.Typedef) and (node.at is None or _is_the_same(node)):
            continue
        if is_known_name(name) or name.startswith(("__builtin_", "omp_")):
            raise outside(span_of(source, node), f"this file redefines the library name `{name}`", "rename it")


def _declared_names(tree: c.File) -> Iterator[tuple[str, c.Node]]:
    """Yields all declared names, except those of prototypes."""
    for node in nodes(tree, c.Node):
        match node:
            case c.Declare() | c.Typedef() | c.Parameter() | c.Function(body=tuple()):
                yield node.name, node
        match node:
            case c.Declare(type=type_) | c.Typedef(type=type_):
                for enumeration in nodes(type_, c.Enumeration):
                    yield from ((name, node) for name, _ in enumeration.constants or ())


def _is_the_same(item: c.Typedef) -> bool:
    """Returns True for `typedef long int64_t;`, where `long` has the values of `int64_t`."""
    own, library_type = scalar_type(item.type), named_type((item.name,))
    return own is not None and library_type is not None and _numbers(own) == _numbers(library_type)


def _numbers(type_: ScalarType) -> tuple[str, int, bool]:
    return type_.kind, type_.bits, type_.signed


def check_functions(source: Source, tree: c.File) -> None:
    """Raises Rejected for functions with variable arguments, and for `(f)`, which is never expanded as a macro, while
    `f` may be one of a header."""
    plain = without_comments(source.text)
    bare = {*_IN_PARENTHESES.findall(plain)} if "#include" in plain else set()
    for name, function in definitions(tree).items():
        if function.variadic:
            problem, remedy = "variable arguments (`...`)", "declare its parameters"
        elif name in bare:
            problem, remedy = (
                "its name is in parentheses, so a header may define a macro of that name",
                "remove the parentheses",
            )
        else:
            continue
        raise outside(span_of(source, function), f"the definition of `{name}` is not supported: {problem}", remedy)


def check_iterators(source: Source, tree: c.File) -> None:
    """Raises Rejected for iterators that heads of loops declare as `static`, or as `const` and change."""
    for loop in nodes(tree, c.For):
        for start in [one for one in loop.start if isinstance(one, c.Declare)]:
            is_fixed = isinstance(start.type, c.Scalar | c.Named) and start.type.const
            if start.storage not in ("", "auto", "register") or (is_fixed and start.name in changed_in_head(loop)):
                message = f"this is no C: the iterator `{start.name}` is `{start.storage or 'const'}`"
                raise outside(span_of(source, start), message)


def check_declarations(source: Source, tree: c.File) -> None:
    """Raises Rejected for names that a block declares twice, and for values of arrays whose extent is no constant."""
    variables = {parameter.name for function in definitions(tree).values() for parameter in function.parameters}
    variables |= {node.name for node in nodes(tree, c.Declare) if not getattr(node.type, "const", False)}
    for block in all_blocks(tree):
        declared = [one for one in block if isinstance(one, c.Declare)]
        names = [one.name for one in declared if one.name and one.storage != "extern"]
        for one in declared:
            if names.count(one.name) > 1:
                raise outside(span_of(source, one), f"this is no C: `{one.name}` is declared twice")
            extent = one.type.extent if isinstance(one.type, c.Array) else None
            of_extent = {name.name for name in nodes(() if extent is None else extent, c.Name)}
            if isinstance(one.value, c.Init) and of_extent & variables:
                message = f"this is no C: `{one.name}` has a value, and its extent is no constant"
                raise outside(span_of(source, one), message, "set its elements in a loop")


def check_uses(source: Source, tree: c.File) -> None:
    """Raises Rejected for variables of the file that are used where no declaration of them is visible."""
    visible = {name for node in nodes(tree, c.Enumeration) for name, _ in node.constants or ()}
    later = {item.name for item in tree.items if isinstance(item, c.Declare)}
    for item in tree.items:
        if isinstance(item, c.Function):
            scope = {*visible}
            declared = {one.name for one in nodes(item, c.Parameter)} | {one.name for one in nodes(item, c.Declare)}
            parts = _uses((*item.parameters, *(item.body or ())), scope)
            early = next((part for part in parts if part.name in declared | later), None)
        else:
            early = next((use for use in _uses((item,), visible) if use.name in later), None)
        if early is not None:
            message = f"this is no C: `{early.name}` is used where no declaration of it is visible"
            raise outside(span_of(source, early), message, "declare it before its use")


def _uses(parts: Iterable[c.Node], scope: set[str]) -> Iterator[c.Name]:
    """Yields the names that are used outside of the scope of a declaration, which the parts add to."""
    for part in parts:
        match part:
            case c.Parameter() | c.Declare():
                yield from _unseen(part.type, scope)
                scope.add(part.name)
                if isinstance(part, c.Declare):
                    yield from _unseen(part.value, scope)
            case c.For():
                inner = {*scope}
                yield from _uses(part.start, inner)
                yield from _unseen((part.test, *part.steps), inner)
                yield from _uses(part.body, inner)
            case c.Switch():
                yield from _unseen(part.value, scope)
                inner = {*scope}
                for _, body in part.cases:
                    yield from _uses(body, inner)
            case c.If() | c.While() | c.DoWhile():
                yield from _unseen(part.condition, scope)
                for body in blocks(part):
                    yield from _uses(body, {*scope})
            case c.Block() | c.Omp():
                yield from _uses(part.body or (), _scope_within(part, scope))
            case c.Conditional():
                for body in blocks(part):
                    yield from _uses(body, scope)
            case _:
                yield from _unseen(part, scope)


def _scope_within(part: c.Block | c.Omp, scope: set[str]) -> set[str]:
    """Returns the scope of the statements inside; a declaration behind a directive, which is refused as such, is in
    that around it.
    """
    match part:
        case c.Omp(body=(c.Declare(),)):
            return scope
    return {*scope}


def _unseen(parts: c.Node | c.Qualified | Iterable[c.Node | None] | None, scope: set[str]) -> Iterator[c.Name]:
    trees = parts if isinstance(parts, c.Node | c.Qualified) or parts is None else [part for part in parts if part]
    return (name for name in nodes(trees, c.Name) if name.name not in scope)


def check_device_code(source: Source, tree: c.File) -> None:
    """Raises Rejected for variables of a GPU outside of its functions, and for calls of kernels, or between functions
    of the GPU and of its host."""
    for item in tree.items:
        if isinstance(item, c.Declare) and item.space is not c.AddressSpace.HOST:
            raise outside(
                span_of(source, item), f"`{item.name}`, a variable of a GPU outside of functions, is not supported"
            )
    functions = [item for item in tree.items if isinstance(item, c.Function)]
    for function in functions:
        if function.body is None and launch_bounds(function):
            span, remedy = span_of(source, function), "write it at the definition"
            raise outside(span, f"`__launch_bounds__` of the declaration of `{function.name}` is not supported", remedy)
    defined = definitions(tree)
    kernels = {name for name, function in defined.items() if "__global__" in function.qualifiers}
    for call in nodes(tree, c.Call):
        if call.function in kernels:
            raise outside(span_of(source, call), f"the kernel `{call.function}` is called, not launched")
    of_gpu, of_host = ({one.name for one in functions if word in one.qualifiers} for word in ("__device__", "__host__"))
    if not of_gpu | kernels:
        return
    for name, function in defined.items():
        for call in nodes(function.body, c.Call):
            if name in of_gpu | kernels and call.function in defined.keys() - of_gpu:
                places = f"`{name}` runs on the GPU, and calls `{call.function}` of its host"
            elif name not in (of_gpu | kernels) - of_host and call.function in of_gpu - of_host:
                places = f"`{name}` runs on the host, and calls `{call.function}` of the GPU"
            else:
                continue
            remedy = f"declare `{call.function}` `__host__ __device__`"
            raise outside(span_of(source, call), f"this is no CUDA: {places}", remedy)


def check_enumerations(source: Source, tree: c.File) -> None:
    """Raises Rejected for enumerations inside other declarations, whose scope is unclear."""
    plain = {id(base(item.type)) for item in tree.items if isinstance(item, c.Declare | c.Typedef)}
    for node in nodes(tree, c.Node):
        types = [value for name in ("type", "of") if isinstance(value := getattr(node, name, None), c.Qualified)]
        for enumeration in nodes(types, c.Enumeration):
            if enumeration.constants is not None and id(enumeration) not in plain:
                message = "an enumeration inside another declaration is not supported"
                raise outside(span_of(source, node), message, "declare it at file scope, before its use")


# These apply in comments and strings too: line ends decide where these end.
_ANYWHERE = (
    (re.compile(r"\\[ \t\f\v]+$", re.MULTILINE), "blanks after `\\` at the end of a line"),
    (re.compile(r"[/*]\\\n"), "a `\\` line break inside the start or end of a comment"),
    (re.compile(r"\?\?/"), "`??/` may be a `\\`"),
    (re.compile(r"[\f\v]"), "a form feed"),
    (re.compile(r"\r"), "a carriage return without a newline"),
)
_IN_TEXT = (
    (re.compile(r"<%|%>|<:|:>|%:|\?\?[=()!<>'-]"), "a digraph or trigraph"),
    (
        re.compile(r"^[ \t]*#[ \t]*include\b(?![ \t]*(?:<[^>\n]+>|\"[^\"\n]+\")[ \t]*$)", re.MULTILINE),
        'an `#include` that is neither `<..>` nor `".."`',
    ),
    (
        re.compile(r"^[ \t]*#[ \t]*(?:include_next|import|embed|assert|unassert|ident)\b", re.MULTILINE),
        "this directive",
    ),
)
_QUOTED = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_INCLUDED = re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.MULTILINE)
GIVEN = re.compile(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", re.MULTILINE)


def check_characters(source: Source) -> None:
    """Raises Rejected for the first construct that compilers may read differently."""
    for position in _strange(source):
        raise position


def _strange(source: Source) -> Iterator[Rejected]:
    for pattern, title in _ANYWHERE:
        for match_ in pattern.finditer(source.text):
            yield _refused(source, match_.start(), title)
    plain = without_comments(source.text)
    bare = _QUOTED.sub(lambda match_: '""'.ljust(len(match_.group())), plain)
    for pattern, title in _IN_TEXT:
        for match_ in pattern.finditer(plain if "include" in pattern.pattern else bare):
            yield _refused(source, match_.start(), title)
    bare = _INCLUDED.sub(lambda match_: " " * len(match_.group()), bare).replace('""', "  ")
    for match_ in re.finditer("[\"']", bare):
        yield _refused(source, match_.start(), "a quote that is not closed on its line")
    for match_ in GIVEN.finditer(plain.replace("\\\n", "  ")):
        if is_known_name(match_[1]):
            yield _refused(source, match_.start(1), f"a redefinition of the library name `{match_[1]}`")
        if match_[1] in WORDS and "#pragma" in plain:
            yield _refused(source, match_.start(1), f"a redefinition of `{match_[1]}`, a word of OpenMP directives")


def _refused(source: Source, position: int, title: str) -> Rejected:
    return outside(
        Span(source, position, position + 1),
        f"{title} is not supported: compilers may read it differently",
        "use the standard form",
    )
