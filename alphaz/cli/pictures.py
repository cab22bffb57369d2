"""The figures of `alphaz verify --figures`: the counterexample of what is refuted, the dates of the other mappings; and
those of `alphaz prove --figures`: the order of C."""

import re
from collections.abc import Sequence
from pathlib import Path, PurePath

import click

from alphaz.cli.files import InputError
from alphaz.cli.picture import write_picture
from alphaz.cli.ruling import Ruling
from alphaz.drawing.figures import best, figure
from alphaz.trace.trace import Trace


def write_pictures(folder: str, rulings: Sequence[Ruling]) -> None:
    """A file for each mapping, named after its script and system. Raises InputError."""
    place = _folder(folder)
    taken: set[str] = set()
    for ruling in rulings:
        if isinstance(ruling.trace, str):
            click.echo(f"no figure of {ruling.system} ({ruling.script}): {ruling.trace}", err=True)
            continue
        kind = best(ruling.trace)
        name = _name(f"{PurePath(ruling.script).stem}-{ruling.system}-{kind}", taken)
        write_picture(place / name, figure(ruling.trace, kind))
        click.echo(f"wrote {place / name}", err=True)


def write_order(folder: str, source: str, order: Trace | str) -> None:
    """The steps of C, and how long its values are in their cells. Raises InputError."""
    place = _folder(folder)
    if isinstance(order, str):
        click.echo(f"no figure of {source}: {order}", err=True)
        return
    taken: set[str] = set()
    for kind in ("dates", "lifetimes"):
        name = _name(f"{PurePath(source).stem}-{order.system}-{kind}", taken)
        write_picture(place / name, figure(order, kind))
        click.echo(f"wrote {place / name}", err=True)


def _folder(name: str) -> Path:
    place = Path(name)
    try:
        place.mkdir(exist_ok=True)
    except OSError as problem:
        raise InputError(f"{name} cannot be made: {problem.strerror or problem}") from None
    return place


def _name(stem: str, taken: set[str]) -> str:
    """One that is new, without characters that mean something to a file system."""
    plain = re.sub(r"[^\w.-]+", "_", stem).lstrip(".")
    numbered = (plain if at == 1 else f"{plain}-{at}" for at in range(1, len(taken) + 2))
    found = next(each for each in numbered if each not in taken)
    taken.add(found)
    return f"{found}.svg"
