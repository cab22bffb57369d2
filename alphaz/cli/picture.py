"""Figures as files: SVG as it is, PNG where the machine has something that draws SVG."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from alphaz.cli.files import InputError
from alphaz.drawing.svg import Figure

FORMS = (".svg", ".png")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_SECONDS = 60


def picture_file(name: str) -> Path:
    """Where a figure goes, refused before anything is drawn. Raises click.BadParameter and InputError."""
    path = Path(name)
    if path.suffix not in FORMS:
        raise click.BadParameter(f"`{name}` is no .svg or .png file", param_hint="'-o'")
    if not path.parent.is_dir():
        raise InputError(f"{path.parent} is no folder")
    if path.suffix == ".png" and _converter() is None:
        raise InputError(f"{path} needs rsvg-convert (Debian: librsvg2-bin) or chromium: an .svg file needs neither")
    return path


def write_picture(path: Path, figure: Figure) -> None:
    """The figure, in the form that the name of the file says. Raises InputError."""
    try:
        path.write_bytes(figure.svg.encode("utf-8") if path.suffix == ".svg" else _png(figure.svg))
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror or problem}") from None


def _converter() -> str | None:
    found = (shutil.which(name) for name in ("rsvg-convert", *_BROWSERS))
    return next((each for each in found if each is not None), None)


def _png(svg: str) -> bytes:
    """Twice as large as it says, so that it is sharp on every screen."""
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
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise InputError(f"{converter} makes no picture{f': {said[-1]}' if said else ''}")
        return target.read_bytes()


def _command(converter: str, svg: str, source: Path, target: Path) -> Sequence[str]:
    if Path(converter).name == "rsvg-convert":
        return (converter, "--zoom", "2", "--output", str(target), str(source))
    width, height = (svg.split(f' {side}="', 1)[1].split('"', 1)[0] for side in ("width", "height"))
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=2")
    return (converter, *flags, f"--window-size={width},{height}", f"--screenshot={target}", source.as_uri())
