"""Several C files that make one program: one file calls functions that another one defines.

They are read as one file, so a name that occurs in two of them must have one meaning, including helpers of each file.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from alphaz.diagnostics import Source
from alphaz.scop.pycparser_queries import nodes
from alphaz.scop.substitution import names_in
from alphaz.scop.unsupported import outside, span_of

_REMEDY = "move the definitions into one file"
File = tuple[Source, c_ast.FileAST]


def together(first: File, others: Sequence[File]) -> tuple[c_ast.FileAST, tuple[str, ...]]:
    """Returns the first file with the definitions of the others, and the assumptions made. The places of nodes of other
    files state their file (`ReaderState.span`).

    Raises Rejected (AZ832) if a name has two meanings, a called function is not declared or declared otherwise, or
    other files have variables of file scope.
    """
    _, tree = first
    items, notes = [*tree.ext], list[str]()
    every = (first, *others)
    for number, (source, other) in enumerate(others):
        _check_names(source, items, other)
        items += _new(source, items, other)
        notes += (note for file in every if file[1] is not other for note in _declared(file, source, other))
        for place in _places(other):
            place.file = str(number)
    return c_ast.FileAST(items), tuple(notes)


def _check_names(source: Source, items: Sequence[Any], other: c_ast.FileAST) -> None:
    """Checks that a function of the other file uses no name of a variable or constant of the first files."""
    used_names = {
        item_.name for item_ in items if isinstance(item_, c_ast.Decl) and not isinstance(item_.type, c_ast.FuncDecl)
    }
    used_names |= {node.name for item in items for node in nodes(item, c_ast.Enumerator)}
    for item_ in _defined(other):
        both = sorted(used_names & names_in(item_.body))
        if both:
            raise outside(span_of(source, item_.decl), f"`{both[0]}` also has a meaning in another file", _REMEDY)


def _new(source: Source, items: Sequence[Any], other: c_ast.FileAST) -> Iterator[Any]:
    """Yields the definitions and declarations of the other file that the first files lack."""
    texts = {_title(item_): _text(item_) for item_ in items}
    for item_ in other.ext:
        title = _title(item_)
        if not title:
            raise outside(
                span_of(source, item_),
                "a further file may contain only functions, types and prototypes at file scope",
                _REMEDY,
            )
        if title not in texts:
            texts[title] = _text(item_)
            yield item_
        elif texts[title] != _text(item_):
            raise outside(span_of(source, item_), f"{title} has another definition in another file", "rename it")


def _declared(file: File, source: Source, other: c_ast.FileAST) -> Iterator[str]:
    """Checks that a file declares the functions of the other file that it calls as they are defined; yields the
    assumption that a header does so."""
    own = {item_.decl.name for item_ in _defined(file[1])}
    calls = {node.name.name: node for node in nodes(file[1], c_ast.FuncCall) if isinstance(node.name, c_ast.ID)}
    prototypes = {e.name: e for e in file[1].ext if isinstance(e, c_ast.Decl) and isinstance(e.type, c_ast.FuncDecl)}
    for item_ in _defined(other):
        name = item_.decl.name
        if name not in calls or name in own:
            continue
        if "static" in item_.decl.storage:
            raise outside(span_of(file[0], calls[name]), f"`{name}` is `static` in {source.name}")
        if name in prototypes:
            if _types(prototypes[name].type) != _types(item_.decl.type):
                message = f"the declaration of `{name}` differs from its definition in {source.name}"
                raise outside(span_of(file[0], prototypes[name]), message)
        elif "#include" in file[0].text:
            yield f"a header declares `{name}` as {source.name} defines it"
        else:
            message = f"`{name}` is defined in {source.name}, but not declared here"
            raise outside(span_of(file[0], calls[name]), message, "include a header with its prototype")


def _defined(tree: c_ast.FileAST) -> Iterator[Any]:
    return (item for item in tree.ext if isinstance(item, c_ast.FuncDef))


def _title(item: Any) -> str:
    """Returns the kind and name of a definition or declaration; nothing for variables."""
    match item:
        case c_ast.FuncDef():
            return f"the function `{item.decl.name}`"
        case c_ast.Decl(type=c_ast.FuncDecl()):
            return f"the prototype of `{item.name}`"
        case c_ast.Typedef():
            return f"the type `{item.name}`"
        case c_ast.Pragma():
            return f"`#pragma {item.string}`"
    return ""


def _types(function: Any) -> str:
    """Returns the type of a function, independent of the names of parameters."""
    copied = deepcopy(function)
    for node in nodes(copied, c_ast.TypeDecl):
        node.declname = None
    return _text(copied)


def _text(item: Any) -> str:
    return str(CGenerator().visit(item))


def _places(tree: Any) -> Iterator[Any]:
    if tree.coord is not None:
        yield tree.coord
    for _, child in tree.children():
        yield from _places(child)
