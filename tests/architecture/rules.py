"""The rules of the house, as functions from a module to what it breaks. `docs/architecture.md` says them in words."""

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter

from tests.architecture.source_tree import Module, imports_of

LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"kernel", "lazy", "version"}),
    frozenset({"cache", "machine", "resources", "usage"}),
    frozenset({"diagnostics"}),
    frozenset({"certificate", "processes"}),
    frozenset({"poly"}),
    frozenset({"proof"}),
    frozenset({"syntax"}),
    frozenset({"model"}),
    frozenset({"c"}),
    frozenset({"analysis", "scop"}),
    frozenset({"frontends"}),
    frozenset({"mapping"}),
    frozenset({"order"}),
    frozenset({"loops"}),
    frozenset({"transform", "legality"}),
    frozenset({"figures"}),
    frozenset({"search"}),
    frozenset({"codegen"}),
    frozenset({"run"}),
    frozenset({"equivalence"}),
    frozenset({"scripting"}),
    frozenset({"tuning"}),
    frozenset({"ide"}),
    frozenset({"cli"}),
    frozenset({"alphaz", "__main__"}),
)
"""From the ground up: a room imports from rooms of lower layers only, never from a neighbour in its own."""

HEIGHT = {room: height for height, rooms in enumerate(LAYERS) for room in rooms}

APART: dict[str, frozenset[str]] = {
    "certificate": frozenset({"diagnostics", "resources"}),
    "poly": frozenset({"certificate", "diagnostics", "kernel", "processes"}),
    "syntax": frozenset({"poly", "proof"}),
    "model": frozenset({"proof", "syntax"}),
    "c": frozenset({"certificate", "processes", "proof", "syntax"}),
    "scop": frozenset({"certificate", "proof", "syntax"}),
    "codegen": frozenset({"search", "transform"}),
}
"""Rooms that lie lower and are none of this room's business all the same."""

HEAVY = frozenset({"matplotlib", "z3", "jinja2", "pygls", "lsprotocol", "sympy", "highspy", "sklearn"})
"""Optional libraries that may be imported where they are needed, so that the rest works without them."""

MAX_LINES = 700
TOUCH_THE_DISK = (
    "cache", "cli", "diagnostics.user_files", "equivalence.driver", "equivalence.differential", "ide.console",
    "ide.features", "ide.studio", "kernel", "processes", "resources", "run", "scripting.commands", "usage",
)  # fmt: skip
CALL_PROCESSES = ("cli", "equivalence.driver", "ide.lsp", "ide.studio", "processes", "run")
_PROCESS_LIBRARIES = frozenset({"ctypes", "subprocess", "multiprocessing"})
_DISK_LIBRARIES = frozenset({"shutil", "tempfile", "glob"})
_DISK_METHODS = frozenset(
    {"read_text", "read_bytes", "write_text", "write_bytes", "mkdir", "makedirs", "rmdir", "unlink", "touch"}
    | {"iterdir", "listdir", "glob", "rglob"}
)

Rule = Callable[[Module], Iterator[str]]


def unknown_room(module: Module) -> Iterator[str]:
    if module.room not in HEIGHT:
        yield f"{module.place}: room {module.room!r} is in no layer"


def imports_point_down(module: Module) -> Iterator[str]:
    for import_ in imports_of(module):
        names = import_.target.split(".")
        if names[0] != "alphaz":
            continue
        target = names[1] if len(names) > 1 else "alphaz"
        if module.room != target and not _may_import(module.room, target):
            yield f"{module.place}:{import_.line}: {module.room} may not import {import_.target}"


def _may_import(room: str, target: str) -> bool:
    if target not in HEIGHT or room not in HEIGHT:
        return False
    return HEIGHT[target] < HEIGHT[room] and target not in APART.get(room, frozenset())


def only_poly_imports_islpy(module: Module) -> Iterator[str]:
    for import_ in imports_of(module):
        if import_.target.split(".")[0] != "islpy":
            continue
        if module.room != "poly":
            yield f"{module.place}:{import_.line}: only poly imports islpy"
        elif module.name.startswith("alphaz.poly.plain."):
            yield f"{module.place}:{import_.line}: what is plain asks no isl"


def only_the_parser_of_c_imports_pycparser(module: Module) -> Iterator[str]:
    for import_ in imports_of(module):
        if import_.target.split(".")[0] == "pycparser" and module.name != "alphaz.c.parse":
            yield f"{module.place}:{import_.line}: only alphaz.c.parse imports pycparser"


def the_kernel_imports_the_standard_library(module: Module) -> Iterator[str]:
    """A sceptic reads the kernel alone."""
    for import_ in imports_of(module):
        is_own = import_.target.startswith("alphaz.kernel.")
        if module.room == "kernel" and not is_own and import_.target.split(".")[0] not in sys.stdlib_module_names:
            yield f"{module.place}:{import_.line}: the kernel may not import {import_.target}"


def files_are_short(module: Module) -> Iterator[str]:
    lines = len(module.path.read_text(encoding="utf-8").splitlines())
    if lines > MAX_LINES:
        yield f"{module.place}: {lines} lines, at most {MAX_LINES}"


def imports_stand_at_the_top(module: Module) -> Iterator[str]:
    for function in ast.walk(module.tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Import | ast.ImportFrom) and not _imported_names(node) <= HEAVY:
                yield f"{module.place}:{node.lineno}: an import inside a function"


def _imported_names(node: ast.Import | ast.ImportFrom) -> set[str]:
    if isinstance(node, ast.ImportFrom):
        return {(node.module or "").split(".")[0]}
    return {alias.name.split(".")[0] for alias in node.names}


def nothing_is_called_utils(module: Module) -> Iterator[str]:
    names = [module.name.split(".")[-1]]
    names += [
        node.name
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    for name in names:
        if {"util", "utils"} & set(name.lower().split("_")):
            yield f"{module.place}: {name!r} says nothing about what it holds"


def modules_open_with_what_they_are(module: Module) -> Iterator[str]:
    if module.tree.body and ast.get_docstring(module.tree) is None:
        yield f"{module.place}: no docstring at the top"


def only_some_rooms_start_processes(module: Module) -> Iterator[str]:
    for import_ in imports_of(module):
        if import_.target.split(".")[0] in _PROCESS_LIBRARIES and not _is_in(module, CALL_PROCESSES):
            yield f"{module.place}:{import_.line}: {module.room} may not use {import_.target}"


def only_some_rooms_touch_the_disk(module: Module) -> Iterator[str]:
    if _is_in(module, TOUCH_THE_DISK):
        return
    for import_ in imports_of(module):
        if import_.target.split(".")[0] in _DISK_LIBRARIES:
            yield f"{module.place}:{import_.line}: {module.room} may not use {import_.target}"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and _is_disk_call(node.func):
            yield f"{module.place}:{node.lineno}: {module.room} may not touch the disk"


def _is_in(module: Module, parts: tuple[str, ...]) -> bool:
    """Returns True if a module lies in one of these rooms or parts of rooms."""
    return any(f"{module.name}.".startswith(f"alphaz.{part}.") for part in parts)


def _is_disk_call(function: ast.expr) -> bool:
    match function:
        case ast.Name("open"):
            return True
        case ast.Attribute(_, "open"):
            return True
        case ast.Attribute(_, name):
            return name in _DISK_METHODS
    return False


def messages_name_no_classes(module: Module) -> Iterator[str]:
    """Users do not know our classes. Faults of ours (`TypeError`), and exceptions, are said as they are."""
    nodes = list(ast.walk(module.tree))
    faults = [node.exc for node in nodes if isinstance(node, ast.Raise) and _is_fault(node.exc)]
    messages = {id(node) for fault in faults if fault is not None for node in ast.walk(fault)}
    errors = {node.name for node in nodes if isinstance(node, ast.ExceptHandler)}
    errors |= {node.arg for node in nodes if isinstance(node, ast.arg) and _is_exception(node.annotation)}
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in ("__name__", "__qualname__") and id(node) not in messages:
            match node.value:
                case ast.Call(ast.Name("type"), [ast.Name(name)]) if name in errors:
                    continue
                case ast.Call(ast.Name("type")) | ast.Attribute(_, "__class__"):
                    yield f"{module.place}:{node.lineno}: a message may not name a class"


def _is_fault(raised: ast.expr | None) -> bool:
    return isinstance(raised, ast.Call) and isinstance(raised.func, ast.Name) and raised.func.id == "TypeError"


def _is_exception(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id in ("Exception", "BaseException")


RULES: tuple[Rule, ...] = (
    unknown_room,
    imports_point_down,
    only_poly_imports_islpy,
    only_the_parser_of_c_imports_pycparser,
    the_kernel_imports_the_standard_library,
    files_are_short,
    imports_stand_at_the_top,
    nothing_is_called_utils,
    modules_open_with_what_they_are,
    only_some_rooms_start_processes,
    only_some_rooms_touch_the_disk,
    messages_name_no_classes,
)


WITHIN: dict[str, tuple[frozenset[str], ...]] = {
    "codegen": (
        frozenset({"toolchain"}),
        frozenset({"sources"}),
        frozenset({"c"}),
        frozenset({"targets", "demand"}),
        frozenset({"scheduled"}),
        frozenset({"wrapper", "makefile"}),
    ),
}
"""The floors inside a room, from the ground up: its folders, and the files that stand beside them."""


def arrows_up_within_rooms(everything: Sequence[Module]) -> Iterator[str]:
    """A part of a room imports from parts of lower floors only."""
    names = {module.name for module in everything}
    for room, floors in WITHIN.items():
        height = {part: at for at, parts in enumerate(floors) for part in parts}
        for module in everything:
            part = _part(module.name).split(".")[2:]
            if module.room != room or not part or module.name == f"alphaz.{room}":
                continue
            for target in _targets(module, names):
                other = _part(target).split(".")[2:]
                if target.split(".")[1] != room or not other or other == part:
                    continue
                if height.get(other[0], len(floors)) >= height.get(part[0], -1):
                    yield f"{module.place}: {part[0]} may not import {target}"


def verbs_import_verbs(everything: Sequence[Module]) -> Iterator[str]:
    """Modules of verbs are loaded by `cli.main` alone: what two verbs share is a module of its own."""
    verbs = {module.name for module in everything if module.room == "cli" and _has_verb(module)}
    names = {module.name for module in everything}
    for module in everything:
        if module.room == "cli" and module.name != "alphaz.cli.main":
            yield from (f"{module.place}: imports the verb {verb}" for verb in sorted(_targets(module, names) & verbs))


def _has_verb(module: Module) -> bool:
    """Returns True if a module defines a command by `@click.command` or `@click.group`."""
    decorators = [
        item for node in module.tree.body if isinstance(node, ast.FunctionDef) for item in node.decorator_list
    ]
    texts = [ast.unparse(decorator) for decorator in decorators]
    return module.name != "alphaz.cli.main" and any(
        text.startswith(("click.command(", "click.group(")) for text in texts
    )


def circles_of_files(everything: Sequence[Module], room: str) -> Iterator[str]:
    """Files of a room that import each other in a circle, however long."""
    mine = [module for module in everything if module.room == room]
    names = {module.name for module in mine}
    graph = {module.name: _targets(module, names) - {module.name} for module in mine}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        yield " <- ".join(error.args[1])


_FACADES = frozenset({"alphaz.c.tree", "alphaz.scripting.commands.python"})
"""Modules whose classes have the names that C, or users of Python, give them."""


def classes_called_alike(everything: Sequence[Module]) -> Iterator[str]:
    """Public classes that have one name, outside of `_FACADES`."""
    results: dict[str, list[str]] = {}
    for module in everything:
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and module.name not in _FACADES:
                results.setdefault(node.name, []).append(str(module.place))
    for name, places in results.items():
        if len(places) > 1:
            yield f"{name}: {', '.join(places)}"


def _targets(module: Module, names: set[str]) -> set[str]:
    """The modules that a module imports from."""
    results = {name for import_ in imports_of(module) for name in _modules_of(import_.target, import_.names, names)}
    return {name for name in results if name.startswith("alphaz.")}


def circles_within_rooms(everything: Sequence[Module]) -> Iterator[str]:
    """Folders of a room, and files that stand beside them, import each other in one direction only."""
    names = {module.name for module in everything}
    arrows: dict[str, dict[str, set[str]]] = {}
    for module in everything:
        for name in {
            target for import_ in imports_of(module) for target in _modules_of(import_.target, import_.names, names)
        }:
            if name.split(".")[:2] == module.name.split(".")[:2] and _part(name) != _part(module.name):
                arrows.setdefault(module.room, {}).setdefault(_part(module.name), set()).add(_part(name))
    for room in arrows.values():
        try:
            TopologicalSorter(room).prepare()
        except CycleError as error:
            yield " <- ".join(error.args[1])


def _modules_of(target: str, imported: tuple[str, ...], known: set[str]) -> set[str]:
    """Returns the modules that `from target import imported` reads: modules of a package, or the package itself."""
    return {inner if (inner := f"{target}.{name}") in known else target for name in imported} or {target}


def _part(name: str) -> str:
    """Of a module its folder or file inside the room: `alphaz.poly.plain`, `alphaz.poly.domain`."""
    return ".".join(name.split(".")[:3])
