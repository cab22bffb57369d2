"""`alphaz studio`: a page of this machine with an editor, verdicts and figures."""

import signal
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from alphaz.cli.files import InputError, file_names, read_file
from alphaz.cli.resource_limits import chosen_limits, limit_options
from alphaz.ide.studio.examples import with_programs
from alphaz.ide.studio.links import is_link, texts_of
from alphaz.ide.studio.request import BadRequest, checked_texts, is_name
from alphaz.ide.studio.server import LOOPBACK, Studio, StudioSettings

EPILOG = """\b
Examples:
  alphaz studio
  alphaz studio sums.ab sums.cs
  alphaz studio --no-browser --port 8425
  alphaz studio 'http://127.0.0.1:8425/#t=...'

\b
The page is on this machine only: its address has a random word, and nothing goes to a
network. Files are read at the start and never written: export the texts from the page.
A link that a page has made (Share) opens its texts. C is compiled and run only where
the button for it is pressed. Ctrl-C ends the studio."""

# Seconds of processor time for one answer.
_SECONDS = 60.0
_timeout, _memory = limit_options(_SECONDS, "a proof")


@click.command("studio", epilog=EPILOG)
@click.argument("files", metavar="[LINK|FILE...]", nargs=-1, shell_complete=file_names)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port (a free one).")
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
@click.option(
    "--address", metavar="IP", default=LOOPBACK, help="Listen at this address: in a container at 0.0.0.0 (127.0.0.1)."
)
@click.option("--host", "hosts", metavar="NAME", multiple=True, help="A further name of this server, behind a proxy.")
@_timeout
@_memory
def command(
    files: tuple[str, ...],
    port: int,
    no_browser: bool,
    address: str,
    hosts: tuple[str, ...],
    timeout: float | None,
    memory: float | None,
) -> None:
    """Open a page with an editor, verdicts while typing, figures and generated C."""
    limits = chosen_limits(timeout, memory, _SECONDS)
    link = _fragment(files)
    settings = StudioSettings(
        files={} if link else _texts(files),
        port=port,
        address=address,
        hosts=frozenset(map(str.lower, hosts)),
        limits=limits,
    )
    try:
        studio = Studio(settings)
    except (OSError, OverflowError) as problem:
        raise InputError(f"no server at {address}:{port}: {problem}") from None
    click.echo(f"alphaz studio: {studio.url}{link}\nThis address is for you alone. Ctrl-C ends the studio.")
    with suppress(webbrowser.Error):
        if not no_browser:
            webbrowser.open(studio.url + link)
    # A container is stopped by this signal.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        studio.serve()
    except KeyboardInterrupt:
        click.echo("")
    finally:
        studio.close()


def _fragment(arguments: Sequence[str]) -> str:
    """Returns the part of a link that holds the texts; empty for files. Raises InputError."""
    link = next(filter(is_link, arguments), "")
    if link and len(arguments) > 1:
        raise InputError("a link has all texts of the page: give it alone")
    try:
        return "#" + link.partition("#")[2] if link and texts_of(link) else ""
    except BadRequest as reason:
        raise InputError(str(reason)) from None


def _texts(files: Sequence[str]) -> dict[str, str]:
    """Returns the texts of the files, with the programs that the scripts read. Raises InputError."""
    by_name: dict[str, str] = {}
    try:
        for file in files:
            texts = _of_file(file)
            for name, text in texts.items():
                if by_name.get(name, text) != text:
                    raise InputError(f"{name} is the name of two files: the studio has texts by their names alone")
            by_name |= texts
        return checked_texts(by_name)
    except BadRequest as reason:
        raise InputError(str(reason)) from None


def _of_file(file: str) -> dict[str, str]:
    name = Path(file).name
    if not is_name(name):
        raise InputError(f"{file} is no program (.ab), no script (.cs) and no C (.c, .cu, .h)")
    # The editor has one kind of line ends.
    text = read_file(file).text.replace("\r\n", "\n").replace("\r", "\n")
    return with_programs(name, text, Path(file).parent) if name.endswith(".cs") else {name: text}
