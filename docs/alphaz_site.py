"""Content that the site generates during its build: figures, outputs of cells, the Python API, verbs, the gallery.

No generated content is committed, so none can become stale. `scripts/site` builds all of it.
"""

import inspect
import json
import os
import re
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import click
from alphaz_pictures import PICTURES, drawn_rule
from docutils import nodes
from docutils.parsers.rst import directives
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import alphaz
from alphaz.ide.features.highlight import AlphabetsLexer, ScriptLexer

DOCS = Path(__file__).parent
ROOT = DOCS.parent
REPOSITORY = os.environ.get("ALPHAZ_REPOSITORY", "https://github.com/OWNER/alphaz")


class FigureDirective(SphinxDirective):
    """The figure of a script or program, named from the root: `samples/prefix-sum/prefix-sum.cs`."""

    required_arguments = 1
    option_spec = {"kind": directives.unchanged, "parameters": directives.unchanged, "system": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        path = ROOT / self.arguments[0]
        self.env.note_dependency(str(path))
        design = alphaz.read(path) if path.suffix == ".ab" else alphaz.run(path)
        given = dict(pair.split("=") for pair in self.options.get("parameters", "").split())
        sizes = {name: int(value) for name, value in given.items()}
        return [_svg(design.draw(self.options.get("kind"), self.options.get("system"), **sizes))]


class CellDirective(SphinxDirective):
    """A cell of a notebook: its code, and what it gives. The cells of one page share their variables."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        names = self.env.temp_data.setdefault("alphaz_names", {})
        code = "\n".join(self.content)
        shown = nodes.literal_block(code, code, language="python")
        with chdir(Path(self.env.doc2path(self.env.docname)).parent), redirect_stdout(StringIO()) as said:
            value = evaluated(code, names)
        return [shown, *_value(said.getvalue(), value)]


def evaluated(code: str, names: dict[str, Any]) -> object:
    """Executes a cell; the value of its last line, where that is an expression, as notebooks do."""
    first, _, last = code.rstrip().rpartition("\n")
    try:
        final = compile(last, "<cell>", "eval")
    except SyntaxError:
        final, first = None, code
    exec(compile(first, "<cell>", "exec"), names)
    return None if final is None else eval(final, names)


def _value(said: str, value: object) -> Iterator[nodes.Node]:
    if said:
        yield nodes.literal_block(said, said, language="text")
    if hasattr(value, "_repr_svg_"):
        yield _svg(value)
    elif value is not None:
        text = str(value)
        yield nodes.literal_block(text, text, language="text")


class RuleFigureDirective(SphinxDirective):
    """A figure of an example in the document of a rule: `AZ601 Wrong lifetimes`."""

    required_arguments = 2
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        code, section, *kind = self.arguments
        return [_svg(drawn_rule(code, section, *kind))]


class GeneratedDirective(SphinxDirective):
    """Markdown that a function of this file makes."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        text = {"api": api, "verbs": verbs, "gallery": gallery, "rules": rules}[self.arguments[0]]()
        container = nodes.section()
        container.document = self.state.document
        self.state.nested_parse(text.splitlines(), 0, container, match_titles=True)
        return list(container.children)


def api() -> str:
    """The public names, as their docstrings have them. Commands are in `commands.md`."""
    parts = []
    for name in sorted(alphaz.__all__):
        value = getattr(alphaz, name)
        home = getattr(value, "__module__", "")
        if home.startswith("alphaz.scripting.commands.all") or not inspect.getdoc(value):
            continue
        parts.append(_described(f"alphaz.{name}", value))
        for inner, member in vars(value).items() if inspect.isclass(value) else ():
            function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            if not inner.startswith("_") and inspect.isfunction(function) and inspect.getdoc(function):
                parts.append(_described(f"{name}.{inner}", function))
    return "\n".join(parts)


def _described(name: str, value: Any) -> str:
    signature = "" if inspect.isclass(value) else str(inspect.signature(value))
    shown = re.sub(r"alphaz\.(?:\w+\.)+(\w+)", r"\1", f"{name}{signature}")
    return f"**{name}**\n\n```python\n{shown}\n```\n\n{inspect.getdoc(value)}\n"


def verbs() -> str:
    """`--help` of every verb."""
    known = import_module("alphaz.cli.main")
    context = click.Context(known.cli, info_name="alphaz")
    parts = []
    for name, about in known.VERBS.items():
        command = known.cli.get_command(context, name)
        text = command.get_help(click.Context(command, info_name=name, parent=context))
        parts.append(f"**alphaz {name}**: {about}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


def rules() -> str:
    """A table of all rules."""
    known = import_module("alphaz.diagnostics.rules").RULES
    rows = (f"| [{code}](rules/{code}.md) | {rule.name} | {rule.summary} |" for code, rule in sorted(known.items()))
    return "\n".join(["| rule | name | |", "|---|---|---|", *rows])


def gallery() -> str:
    """The kernels with a picture and, where they were measured, their speeds."""
    # Measurements belong to a machine and are not kept with the sources.
    measured = ROOT / "benchmarks" / "kernels" / "results.json"
    speeds = json.loads(measured.read_text(encoding="utf-8")) if measured.exists() else {}
    parts = []
    for folder in sorted(each for each in (ROOT / "samples" / "kernels").iterdir() if each.is_dir()):
        script = next(iter(sorted(folder.glob("*.cs"))))
        program = next(iter(sorted(folder.glob("*.ab"))))
        place = folder.relative_to(ROOT).as_posix()
        first = program.read_text(encoding="utf-8").split("affine")[0]
        about = " ".join(line.removeprefix("//").strip() for line in first.splitlines())
        parts.append(f"**{folder.name}**\n\n{about}\n\n`{place}`{_speed(speeds.get(folder.name))}\n")
        if _can_be_drawn(script):
            parts.append(f"```{{alphaz-figure}} {script.relative_to(ROOT).as_posix()}\n```\n")
    return "\n".join(parts)


def _can_be_drawn(script: Path) -> bool:
    try:
        alphaz.run(script).draw()
    except alphaz.Rejected:
        return False
    return True


def _speed(measured: Any) -> str:
    """How many times faster than the base each contestant was, where the kernel was measured."""
    if measured is None:
        return ""
    sizes = ", ".join(f"{name}={value}" for name, value in measured["parameters"].items())
    base = measured["base"]
    rows = [
        f"| {each['name']} | {each['threads']} | {each['median']:.3f} | {each['speedup']:.1f} |"
        for each in measured["contestants"]
        if each.get("median") and each.get("speedup")
    ]
    head = f"Measured with {sizes}; the speed is against {base['name']} on {base['threads']} thread.\n"
    return "\n\n" + "\n".join([head, "| | threads | seconds | speed |", "|---|---|---|---|", *rows])


def _svg(figure: Any) -> nodes.raw:
    return nodes.raw("", f'<div class="alphaz-figure">{figure._repr_svg_()}</div>', format="html")


def outside(app: Sphinx, name: str, text: list[str]) -> None:
    """Links that leave the documents lead to the repository; documents of rules get their picture."""
    folder = Path(app.srcdir, f"{name}.md").parent

    def linked(found: re.Match[str]) -> str:
        target, _, anchor = found[1].partition("#")
        if not target or ":" in target:
            return found[0]
        path = Path(os.path.normpath(folder / target))
        if path.is_relative_to(DOCS) and path.suffix in (".md", ".svg", ".png") and path.exists():
            return found[0]
        if path == DOCS / "rules":
            return f"]({os.path.relpath(DOCS / 'rules.md', folder)})"
        return f"]({REPOSITORY}/blob/main/{path.relative_to(ROOT).as_posix()}{'#' + anchor if anchor else ''})"

    pieces = re.split(r"(^```.*?^```$|`[^`\n]*`)", text[0], flags=re.MULTILINE | re.DOTALL)
    text[0] = "".join(piece if at % 2 else re.sub(r"\]\(([^)\s]+)\)", linked, piece) for at, piece in enumerate(pieces))
    text[0] = text[0].replace("OWNER/alphaz", "/".join(REPOSITORY.split("/")[-2:]))
    text[0] += _pictures(name.removeprefix("rules/"))


def _pictures(code: str) -> str:
    """The part of a rule's document with its pictures; empty where it has none."""
    parts = [
        f"Of the {section.lower()} example:\n\n```{{alphaz-rule-figure}} {code} {section} {kind or ''}\n```\n"
        for section, kind in PICTURES.get(code, ())
    ]
    return "\n".join(["\n## Pictures\n", *parts]) if parts else ""


def copied(app: Sphinx, error: Exception | None) -> None:
    """Pictures that pages name in HTML."""
    if error is None:
        folder = Path(app.outdir, "pictures")
        folder.mkdir(exist_ok=True)
        for path in (DOCS / "pictures").iterdir():
            (folder / path.name).write_bytes(path.read_bytes())


def redirected(app: Sphinx, error: Exception | None) -> None:
    """Writes a page for each former code of a rule that leads to the present one."""
    if error is None and app.builder.format == "html":
        for former, present in import_module("alphaz.diagnostics.rules").FORMER_CODES.items():
            page = f'<meta http-equiv="refresh" content="0; url={present}.html"><a href="{present}.html">{present}</a>'
            Path(app.outdir, "rules", f"{former}.html").write_text(f"<!doctype html>{page}\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("alphaz-figure", FigureDirective)
    app.add_directive("alphaz-rule-figure", RuleFigureDirective)
    app.add_directive("alphaz-generated", GeneratedDirective)
    app.add_directive("code-cell", CellDirective)
    app.add_lexer("matrix", TextLexer)
    app.add_lexer("script", ScriptLexer)
    app.add_lexer("alphabets", AlphabetsLexer)
    app.connect("source-read", outside)
    app.connect("build-finished", copied)
    app.connect("build-finished", redirected)
    return {"parallel_read_safe": True}
