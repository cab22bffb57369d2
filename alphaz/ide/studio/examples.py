"""Texts to begin with: the samples, and the lessons with their programs and scripts."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from alphaz.diagnostics import Rejected, Source
from alphaz.ide.features.names import programs
from alphaz.ide.studio.markdown import html_of
from alphaz.resources import resource_folder

_CELL = re.compile(r"```\{code-cell\} python\n(.*?)```\n", re.DOTALL)
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_HERE = "*(The text is in the editor.)*\n"


@dataclass(frozen=True, slots=True)
class LessonFigure:
    """A figure of a lesson: the texts that are drawn, the kind, and the parameters."""

    files: Mapping[str, str]
    file: str
    kind: str
    parameters: str


@dataclass(frozen=True, slots=True)
class StudioText:
    """An example or a lesson: its texts by name, the one to look at first; the HTML of the lesson, which refers to its
    figures by their numbers."""

    title: str
    files: Mapping[str, str]
    first: str
    html: str = ""
    figures: Sequence[LessonFigure] = ()


def samples() -> dict[str, Path]:
    """Returns the scripts of the samples, by folder and name, with programs that exist; wrong ones included."""
    root = resource_folder("samples")
    return {path.relative_to(root).with_suffix("").as_posix(): path for path in sorted(root.rglob("*.cs"))}


def sample(name: str) -> StudioText:
    """Returns a sample: the script with its programs, and the C of its folder with the same name. Raises KeyError."""
    path = samples()[name]
    files = with_programs(path.name, _read(path), path.parent)
    peer = path.with_name(f"{path.stem}-peer.c")
    if peer.exists():
        files[peer.name] = _read(peer)
    return StudioText(name, files, path.name)


def lessons() -> dict[str, str]:
    """Returns the titles of the lessons, by name."""
    return {path.stem: _title(_read(path)) for path in sorted(resource_folder("docs/lessons").glob("[0-9]*.md"))}


def lesson(name: str) -> StudioText:
    """Returns a lesson, or `solutions/` and its name, with the texts of its exercise. Raises KeyError."""
    folder = resource_folder("docs/lessons")
    path = folder / f"{name}.md"
    if name.removeprefix("solutions/") not in lessons() or not path.is_file():
        raise KeyError(name)
    text = _FRONT.sub("", _read(path))
    files: dict[str, str] = {}
    figures: list[LessonFigure] = []

    def shown(cell: re.Match[str]) -> str:
        """The cell as the page shows it: without code that only Python needs."""
        own = {file: (content, path.parent / place) for file, content, place in _texts(cell[1])}
        for file, (content, place) in own.items():
            files.update(with_programs(file, content, place) if file.endswith(".cs") else {file: content})
        return "".join([_HERE for _ in own] + list(_drawn(cell[1], path.parent, figures)))

    html = html_of(_CELL.sub(shown, text))
    if not files and figures:
        files.update(figures[0].files)
    scripts = [file for file in files if file.endswith(".cs")]
    first = next(iter((*scripts, *files)), "")
    return StudioText(title=_title(text), files=files, first=first, html=html, figures=figures)


def _drawn(cell: str, folder: Path, figures: list[LessonFigure]) -> Iterator[str]:
    """Yields a link for each figure of a cell: of a sample, which is added to the figures, or of the reader's text."""
    for node in ast.walk(ast.parse(cell)):
        match node:
            case ast.Call(ast.Attribute(of, "draw"), arguments, keywords):
                kind = str(arguments[0].value) if arguments and isinstance(arguments[0], ast.Constant) else ""
                match of:
                    case ast.Call(_, [ast.Constant(str(name))], []):
                        path = folder / name
                        values = [
                            f"{k.arg}={ast.unparse(k.value)}" for k in keywords if isinstance(k.value, ast.Constant)
                        ]
                        texts = with_programs(path.name, _read(path), path.parent)
                        figures.append(LessonFigure(texts, path.name, kind, ", ".join(values)))
                        yield f"[The figure of {path.name}](figure:{len(figures) - 1})\n"
                    case _:
                        yield f"[Show its {kind or 'figure'}](show:{kind})\n"


def _texts(cell: str) -> Iterator[tuple[str, str, str]]:
    """Yields the names, texts and folders of programs and scripts in a cell of Python."""
    tree = ast.parse(cell)
    named = {
        node.targets[0].id: node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            values = [keyword.value for keyword in node.keywords if keyword.arg == "text"]
            for value in values:
                text = value.value if isinstance(value, ast.Constant) else named.get(ast.unparse(value))
                path = Path(str(node.args[0].value))
                if isinstance(text, str):
                    yield path.name, text.lstrip("\n"), path.parent.as_posix()


def with_programs(name: str, text: str, folder: Path) -> dict[str, str]:
    """Returns a script with the programs that it reads in a folder, which stand first."""
    try:
        read = [literal.value for literal in programs(Source(name, text))]
    except Rejected:
        read = []
    texts = {Path(file).name: _read(folder / file) for file in read if (folder / file).is_file()}
    return {**texts, name: text}


def _title(text: str) -> str:
    return next(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
