"""The roofline figure of `alphaz bench --plot`."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from alphaz.cli.files import InputError
from alphaz.cli.mapped_systems import BenchResult
from alphaz.cli.output import progress
from alphaz.figures.drawing.charts import Dot, Roof, roofline
from alphaz.run.ceilings import ceilings

_FORMS = (".png", ".svg", ".pdf")


def figure_file(name: str) -> Path:
    """Returns the path of the figure, checked before any measurement. Raises click.BadParameter and InputError."""
    path = Path(name)
    if path.suffix not in _FORMS:
        raise click.BadParameter(f"`{name}` is no {', '.join(_FORMS[:-1])} or {_FORMS[-1]} file")
    if not path.parent.is_dir():
        raise InputError(f"{path.parent} is no folder")
    if find_spec("matplotlib") is None:
        raise InputError("a figure needs matplotlib: pip install matplotlib")
    return path


def draw(path: Path, benches: Sequence[BenchResult], threads: Sequence[int]) -> None:
    """Measures the ceilings of the machine, and draws all measurements against them."""
    known = [bench for bench in benches if bench.operations and bench.bytes]
    if not known:
        raise InputError("no figure: the operations and bytes of these systems are no polynomials")
    progress("measuring the machine")
    roofs = [Roof(f"machine, {_threads(c.threads)}", c.bytes, c.operations) for c in ceilings(threads)]
    progress("")
    names = list(dict.fromkeys(bench.system for bench in known))
    dots = list(_dots(known))
    figure = roofline(", ".join(names), roofs, dots, path.suffix.removeprefix("."))
    try:
        path.write_bytes(figure)
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror or problem}") from None
    click.echo(f"wrote {path}", err=True)


def _dots(benches: Sequence[BenchResult]) -> list[Dot]:
    found: list[Dot] = []
    for bench in benches:
        assert bench.operations is not None
        assert bench.bytes is not None
        for timing in bench.timings:
            each = timing.contestant
            group = "its own threads" if each.threads is None else _threads(each.threads)
            intensity = bench.operations / bench.bytes
            found.append(Dot(each.name, group, intensity, bench.operations / timing.median))
    return found


def _threads(count: int) -> str:
    return f"{count} thread{'' if count == 1 else 's'}"
