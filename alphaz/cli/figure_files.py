"""Files of figures: SVG unchanged, PNG where a converter is installed; also the figures of
`alphaz verify --figures` and `alphaz prove --figures`.
"""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

import click

from alphaz.cli.files import InputError
from alphaz.diagnostics import ReportEntry
from alphaz.figures.drawing.figures import best, figure
from alphaz.figures.drawing.svg import Figure
from alphaz.figures.trace.trace_data import Trace

FORMS = (".svg", ".png")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_SECONDS = 60


def picture_file(name: str) -> Path:
    """Returns the path of a figure, checked before any drawing. Raises click.BadParameter and InputError."""
    path = Path(name)
    if path.suffix not in FORMS:
        raise click.BadParameter(f"`{name}` is no .svg or .png file", param_hint="'-o'")
    if not path.parent.is_dir():
        raise InputError(f"{path.parent} is no folder")
    if path.suffix == ".png" and _converter() is None:
        raise InputError(f"{path} needs rsvg-convert (Debian: librsvg2-bin) or chromium: an .svg file needs neither")
    return path


def write_picture(path: Path, figure: Figure) -> None:
    """Writes the figure in the format of the file name. Raises InputError."""
    try:
        path.write_bytes(figure.svg.encode("utf-8") if path.suffix == ".svg" else _png(figure.svg))
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror or problem}") from None


def _converter() -> str | None:
    paths = (shutil.which(name) for name in ("rsvg-convert", *_BROWSERS))
    return next((path for path in paths if path is not None), None)


def _png(svg: str) -> bytes:
    """Returns the figure at twice its size, so that it is sharp on every screen."""
    converter = _converter()
    assert converter is not None
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "figure.svg"), Path(folder, "figure.png")
        source.write_text(svg, encoding="utf-8")
        try:
            done = subprocess.run(_command(converter, svg, source, target), capture_output=True, timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            raise InputError(f"{converter} does not come to an end: write an .svg file instead") from None
        if done.returncode or not target.exists():
            error_lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise InputError(f"{converter} makes no picture{f': {error_lines[-1]}' if error_lines else ''}")
        return target.read_bytes()


def _command(converter: str, svg: str, source: Path, target: Path) -> Sequence[str]:
    if Path(converter).name == "rsvg-convert":
        return (converter, "--zoom", "2", "--output", str(target), str(source))
    width, height = (svg.split(f' {side}="', 1)[1].split('"', 1)[0] for side in ("width", "height"))
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=2")
    return (converter, *flags, f"--window-size={width},{height}", f"--screenshot={target}", source.as_uri())


def write_pictures(folder: str, verdicts: Sequence[ReportEntry]) -> None:
    """Writes a file for each mapping, named after its script and system. Raises InputError."""
    place = _folder(folder)
    used_names: set[str] = set()
    for verdict in verdicts:
        if not isinstance(verdict.trace, Trace):
            click.echo(f"no figure of {verdict.system} ({verdict.file}): {verdict.trace}", err=True)
            continue
        kind = best(verdict.trace)
        name = picture_name(verdict.file, verdict.system, kind, used_names)
        write_picture(place / name, figure(verdict.trace, kind))
        click.echo(f"wrote {place / name}", err=True)


def write_order(folder: str, source: str, order: Trace | str) -> None:
    """Writes the figures of the steps of C, and of the lifetimes of its values in cells. Raises InputError."""
    place = _folder(folder)
    if isinstance(order, str):
        click.echo(f"no figure of {source}: {order}", err=True)
        return
    used_names: set[str] = set()
    for kind in ("dates", "lifetimes"):
        name = picture_name(source, order.system, kind, used_names)
        write_picture(place / name, figure(order, kind))
        click.echo(f"wrote {place / name}", err=True)


def _folder(name: str) -> Path:
    place = Path(name)
    try:
        place.mkdir(exist_ok=True)
    except OSError as problem:
        raise InputError(f"{name} cannot be made: {problem.strerror or problem}") from None
    return place


def picture_name(file: str, system: str, kind: str, used_names: set[str] | None = None) -> str:
    """Returns a file name `file-system-kind.svg` that is not used, without characters special in a file system.

    Of a long name of a system it has the beginning.
    """
    used = set() if used_names is None else used_names
    plain = re.sub(r"[^\w.-]+", "_", f"{PurePath(file).stem}-{system[:100]}-{kind}").lstrip(".")
    numbered = (plain if position == 1 else f"{plain}-{position}" for position in range(1, len(used) + 2))
    name = next(name for name in numbered if name not in used)
    used.add(name)
    return f"{name}.svg"
