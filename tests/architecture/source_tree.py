"""The modules of alphaz as the architecture tests read them: by their text, never by importing them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "alphaz"
LAZY = "lazy_import"


@dataclass(frozen=True, slots=True)
class Module:
    """A file of alphaz: its dotted name, its room (the first name below `alphaz`, or its own) and its tree."""

    name: str
    path: Path
    tree: ast.Module

    @property
    def room(self) -> str:
        parts = self.name.split(".")
        return parts[1] if len(parts) > 1 else "alphaz"

    @property
    def place(self) -> str:
        return str(self.path.relative_to(ROOT))


@dataclass(frozen=True, slots=True)
class Import:
    """The module that a line imports (or imports from), and the names that it takes from it."""

    line: int
    target: str
    names: tuple[str, ...] = ()


@cache
def modules() -> tuple[Module, ...]:
    """All of them, read once."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return tuple(Module(_name(path), path, ast.parse(path.read_text(encoding="utf-8"))) for path in paths)


def imports(tree: ast.AST, package: str) -> Iterator[Import]:
    """Every import below `tree`, lazy ones too; `from alphaz import verify` counts as one of `alphaz.verify`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(node.lineno, alias.name)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == LAZY:
            yield Import(node.lineno, _constant_beginning(node.args[0]))
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            names = [f"{base}.{alias.name}" for alias in node.names] if base == "alphaz" else [base]
            for name in names:
                yield Import(node.lineno, name, tuple(alias.name for alias in node.names))


def _constant_beginning(argument: ast.expr) -> str:
    """The name that a lazy import names; of an f-string the package with which it begins."""
    if isinstance(argument, ast.JoinedStr):
        argument = argument.values[0]
    is_text = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    return str(argument.value).rstrip(".") if isinstance(argument, ast.Constant) and is_text else ""


@cache
def imports_of(module: Module) -> tuple[Import, ...]:
    is_package = module.path.name == "__init__.py"
    package = module.name if is_package else module.name.rpartition(".")[0]
    return tuple(imports(module.tree, package))


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*parts, *([node.module] if node.module else [])])


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
