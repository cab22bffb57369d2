"""Several C files that make one program: one file calls functions that another one defines.

They are read as one file, so a name that occurs in two of them must have one meaning, including helpers of each file.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.alphaz_header import RUNTIME
from alphaz.c.walk import nodes, placed
from alphaz.diagnostics import Source
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import definitions
from alphaz.scop.unsupported import outside, span_of

_REMEDY = "move the definitions into one file"
SourceFile = tuple[Source, c.File]


def together(first: SourceFile, others: Sequence[SourceFile]) -> tuple[c.File, tuple[str, ...]]:
    """Returns the first file with the definitions of the others, and the assumptions made. The places of nodes of other
    files state their file (`ReaderState.span`).

    Raises Rejected (AZ832) if a name has two meanings, a called function is not declared or declared otherwise, or
    other files have variables of file scope.
    """
    _, tree = first
    items, notes = [*tree.items], list[str]()
    every = (first, *others)
    for number, (source, other) in enumerate(others):
        _check_names(source, items, other)
        items += [item if _is_in_header(item) else placed(item, str(number)) for item in _new(source, items, other)]
        notes += (note for file in every if file[1] is not other for note in _declared(file, source, other))
    return replace(tree, items=tuple(items)), tuple(notes)


def _check_names(source: Source, items: Sequence[c.Item], other: c.File) -> None:
    """Checks that a function of the other file uses no name of a variable or constant of the first files."""
    used_names = {item.name for item in items if isinstance(item, c.Declare)}
    used_names |= {name for node in nodes(items, c.Enumeration) for name, _ in node.constants or ()}
    for definition in definitions(other).values():
        both = sorted(used_names & names_in(definition.body))
        if both:
            raise outside(span_of(source, definition), f"`{both[0]}` also has a meaning in another file", _REMEDY)


def _new(source: Source, items: Sequence[c.Item], other: c.File) -> Iterator[c.Item]:
    """Yields the definitions and declarations of the other file that the first files lack."""
    known = {_title(item): item for item in items}
    for item in other.items:
        if isinstance(item, c.Unsupported):
            raise outside(span_of(source, item), item.message, item.remedy)
        title = _title(item)
        if not title:
            message = "a further file may contain only functions, types and prototypes at file scope"
            raise outside(span_of(source, item), message, _REMEDY)
        if title not in known:
            known[title] = item
            yield item
        elif known[title] != item:
            raise outside(span_of(source, item), f"{title} has another definition in another file", "rename it")


def _declared(file: SourceFile, source: Source, other: c.File) -> Iterator[str]:
    """Checks that a file declares the functions of the other file that it calls as they are defined; yields the
    assumption that a header does so."""
    own = definitions(file[1])
    calls = {node.function: node for node in nodes(file[1], c.Call)}
    prototypes = {item.name: item for item in file[1].items if isinstance(item, c.Function) and item.body is None}
    for name, definition in definitions(other).items():
        if name not in calls or name in own:
            continue
        if "static" in definition.storage.split():
            raise outside(span_of(file[0], calls[name]), f"`{name}` is `static` in {source.name}")
        if name in prototypes:
            if _signature(prototypes[name]) != _signature(definition):
                message = f"the declaration of `{name}` differs from its definition in {source.name}"
                raise outside(span_of(file[0], prototypes[name]), message)
        elif "#include" in file[0].text:
            yield f"a header declares `{name}` as {source.name} defines it"
        else:
            message = f"`{name}` is defined in {source.name}, but not declared here"
            raise outside(span_of(file[0], calls[name]), message, "include a header with its prototype")


def _is_in_header(item: c.Item) -> bool:
    return item.at is not None and item.at.file == RUNTIME


def _title(item: c.Item) -> str:
    """Returns the kind and name of a definition or declaration; empty for variables."""
    match item:
        case c.Function(body=None):
            return f"the prototype of `{item.name}`"
        case c.Function():
            return f"the function `{item.name}`"
        case c.Typedef():
            return f"the type `{item.name}`"
        case c.Pragma():
            return f"`#pragma {item.text}`"
    return ""


def _signature(function: c.Function) -> c.Signature:
    """Returns the type of a function, independent of the names of parameters."""
    return c.Signature(function.type, tuple(parameter.type for parameter in function.parameters), function.variadic)
