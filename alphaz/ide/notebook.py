"""Notebooks: `%load_ext alphaz`, then `%%alphaz` before a cell with a program or a script.

    %%alphaz sums.ab
    affine sums {N | N > 0} ..

    %%alphaz sums.cs --design design
    prog = ReadAlphabets("sums.ab"); ..

A program is checked and drawn, a mapping is proved or refuted and drawn. Scripts read the programs of cells, and
files."""

import argparse
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from keyword import iskeyword
from pathlib import Path
from typing import NoReturn, Protocol
from xml.sax.saxutils import escape

from alphaz.diagnostics import Rejected
from alphaz.diagnostics.render.text import to_text
from alphaz.equivalence.driver.generated_cuda import with_gpu_blocks
from alphaz.figures.drawing.figures import KINDS, best, figure
from alphaz.figures.drawing.svg import Figure
from alphaz.figures.trace.tracing import trace
from alphaz.legality.verdicts import SystemVerdict
from alphaz.mapping.input_footprint import uncalled_systems
from alphaz.scripting.commands.python import Design
from alphaz.scripting.commands.python_verdict import report_of
from alphaz.scripting.interpreter.python_api import read, run

_READS = "ReadAlphabets"


class NotebookShell(Protocol):
    """The part of the shell of IPython that the extension uses."""

    def register_magic_function(
        self, func: Callable[[str, str], object], magic_kind: str = "line", magic_name: str | None = None
    ) -> object: ...

    def push(self, variables: dict[str, object]) -> object: ...


@dataclass(frozen=True, slots=True, repr=False)
class CellOutput:
    """The output of a cell: the verdict with the findings, and below it the figures, or the reasons why there are
    none."""

    text: str
    figures: tuple[Figure | str, ...] = ()

    def __repr__(self) -> str:
        return "\n".join([self.text.rstrip(), *(reason for reason in self.figures if isinstance(reason, str))])

    def _repr_html_(self) -> str:
        drawn = "".join(figure.svg for figure in self.figures if not isinstance(figure, str))
        return f"<pre>{escape(repr(self))}</pre>{drawn}"


class CellOptions(argparse.ArgumentParser):
    """The options of a cell; a mistake is a ValueError."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


@dataclass(slots=True)
class CellMagic:
    """The magic of one notebook, with the programs of its cells, by name."""

    shell: NotebookShell
    programs: dict[str | Path, str] = field(default_factory=dict)

    def __call__(self, line: str, cell: str) -> CellOutput:
        """Returns the output of a cell; wrong options have one, too."""
        try:
            words = shlex.split(line)
            if {"-h", "--help"} & {*words}:
                return CellOutput(_options().format_help())
            options = _options().parse_args(words)
            _check(options.name, options.design)
            values = _values(options.parameters)
        except ValueError as mistake:
            return CellOutput(f"%%alphaz {line.strip()}: {mistake}\n{_options().format_usage()}")
        try:
            if options.name.endswith(".cs") or (not options.name and _READS in cell):
                design = run(options.name or "cell.cs", text=cell, texts=self.programs)
                output = _of_script(design, options.kind, values)
            else:
                design = self._program(options.name, cell)
                output = _of_program(design, options.kind, values)
        except Rejected as rejected:
            return CellOutput(to_text(rejected.diagnostics))
        self.shell.push({options.design: design})
        return output

    def _program(self, name: str, text: str) -> Design:
        """The program of a cell; without a name it has that of its last system."""
        chosen = name or f"{read('cell.ab', text=text).program.systems[-1].name}.ab"
        design = read(chosen, text=text)
        self.programs[chosen] = text
        return design


def _of_program(design: Design, kind: str | None, values: dict[str, int]) -> CellOutput:
    name = Path(design.program.source.name).name
    text = f"{name}: checked\n" + to_text(design.checked.warnings) * bool(design.checked.warnings)
    return CellOutput(text, _drawn(partial(_figure, design, _main_system(design), None, kind, values)))


def _of_script(design: Design, kind: str | None, values: dict[str, int]) -> CellOutput:
    """The verdicts on all mapped systems, with a figure for each; without a mapping the domains."""
    report = report_of(design)
    if not report.systems:
        return CellOutput(f"{report}\n", _drawn(partial(_figure, design, _main_system(design), None, kind, values)))
    figures = [_drawn(partial(_figure, design, system.system, system, kind, values)) for system in report.systems]
    text = f"{report!r}\n" + (to_text(report.findings) if report.findings else "")
    return CellOutput(text, tuple(drawn for some in figures for drawn in some))


def _main_system(design: Design) -> str:
    return uncalled_systems(design.program, tuple(system.name for system in design.program.systems))[-1]


def _figure(
    design: Design, system: str, verdict: SystemVerdict | None, kind: str | None, values: dict[str, int]
) -> Figure:
    shown = trace(design, system, values or None, verdict)
    shown = with_gpu_blocks(shown, design) if kind == "blocks" else shown
    return figure(shown, kind or best(shown))


def _drawn(draw: Callable[[], Figure]) -> tuple[Figure | str, ...]:
    """The figure, or the reason why it cannot be drawn."""
    try:
        return (draw(),)
    except Rejected as rejected:
        return (f"no figure: {rejected.diagnostics[0].message}",)


def _options() -> CellOptions:
    options = CellOptions(prog="%%alphaz", add_help=False, allow_abbrev=False)
    options.add_argument("name", nargs="?", default="", help="sums.ab or sums.cs")
    options.add_argument("--design", default="design", help="the variable that receives the design")
    options.add_argument("--kind", choices=sorted(KINDS), help="the kind of figure")
    options.add_argument("-p", "--parameters", metavar="N=5", action="append", default=[], help="sizes of the figure")
    options.add_argument("-h", "--help", action="store_true", help="print this text")
    return options


def _check(name: str, design: str) -> None:
    if Path(name).suffix not in ("", ".ab", ".alpha", ".cs"):
        raise ValueError(f"{name} is no program (.ab) and no command script (.cs)")
    if not design.isidentifier() or iskeyword(design):
        raise ValueError(f"`{design}` is no name of a variable")


_VALUE = re.compile(r"-?\d{1,18}")


def _values(texts: Sequence[str]) -> dict[str, int]:
    pairs = [part.partition("=") for text in texts for part in text.split(",")]
    wrong = next(("".join(pair) for pair in pairs if not _VALUE.fullmatch(pair[2].strip())), None)
    if wrong is not None:
        raise ValueError(f"`{wrong}` is not of the form N=5")
    return {name.strip(): int(value) for name, _, value in pairs}


def load_ipython_extension(shell: NotebookShell) -> None:
    """Registers the magic in a notebook, or in IPython."""
    shell.register_magic_function(CellMagic(shell), "cell", "alphaz")
