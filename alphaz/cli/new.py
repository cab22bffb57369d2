"""`alphaz new`: the folder of a new project, which requires the source that the running alphaz was installed from."""

import json
import os
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click

from alphaz.cli.files import InputError, folder_names
from alphaz.codegen.sources import Sources
from alphaz.processes.external import run
from alphaz.resources import resource_folder
from alphaz.run.files import write_sources

EPILOG = """\b
Examples:
  alphaz new sums
  cd sums && alphaz verify

\b
The folder has a program (sums.ab), a mapping of it that is proved (sums.cs) and one that
is refuted (wrong-parallel.cs), the options of a project (pyproject.toml), a workflow that
verifies on every push, and a README with the next steps.
The workflow installs alphaz from the repository that ALPHAZ_REPOSITORY names, or from where
this one was installed."""

DISTRIBUTION = "alphaz-equations"
# Its owner is to be filled in where the source is not known.
UNKNOWN = f"{DISTRIBUTION} @ git+https://github.com/OWNER/alphaz"
# Host and path of `https://host/path`, `ssh://git@host/path` and `git@host:path`.
_ADDRESS = re.compile(
    r"(?:(?:https?|ssh|git)://)?(?:[^@/]*@)?([\w-]+(?:\.[\w-]+)+)(?::\d+)?[:/]([\w.~/-]+?)(?:\.git)?/?"
)
# The word in the files of `starter/` that stands for the name.
_NAME = "NAME"
_ALLOWED = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")


@click.command("new", epilog=EPILOG)
@click.argument("folder", metavar="NAME", shell_complete=folder_names)
def command(folder: str) -> None:
    """Make a project folder: a program, its mapping, a wrong one, options, CI."""
    place = Path(folder)
    _check(place)
    name = place.resolve().name
    source = requirement()
    for path in write_sources(_files(name, source), place):
        click.echo(f"wrote {path}")
    if source == UNKNOWN:
        click.echo(
            "\nReplace OWNER in pyproject.toml and .github/workflows/mappings.yml: the repository of alphaz is not"
            " known here (the variable ALPHAZ_REPOSITORY names it)."
        )
    click.echo(f"\nNow: cd {folder} && alphaz verify && alphaz verify wrong-parallel.cs")


def _check(place: Path) -> None:
    name = place.resolve().name
    if not _ALLOWED.fullmatch(name):
        raise InputError(f"`{name}` cannot be the name of a project: take letters, digits, `.`, `_` and `-`")
    if not place.parent.is_dir():
        raise InputError(f"there is no folder {place.parent}")
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        what = "a folder with something in it" if place.is_dir() else "a file"
        raise InputError(f"{place} is {what}: nothing is written; take another name")


def _files(name: str, source: str) -> Sources:
    """Returns the files of a new project of this name, which installs alphaz from a source."""
    starter = resource_folder("starter")
    paths = sorted(path for path in starter.rglob("*") if path.is_file())
    texts = {path.relative_to(starter).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return Sources({path: text.replace(_NAME, name).replace(UNKNOWN, source) for path, text in texts.items()})


# --- the requirement of the project ---------------------------------------------------------------------------------


def requirement() -> str:
    """Returns the requirement: of the repository that ALPHAZ_REPOSITORY names, or from which alphaz was installed (or
    its checkout cloned); of the package index, if it came from there; else UNKNOWN."""
    named = os.environ.get("ALPHAZ_REPOSITORY")
    if named:
        return f"{DISTRIBUTION} @ git+{named}"
    try:
        record = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:
        return UNKNOWN
    return DISTRIBUTION if record is None else requirement_of(record)


def requirement_of(record: str) -> str:
    """Returns the requirement for a record of the installation (PEP 610)."""
    origin = json.loads(record)
    address = str(origin.get("url", ""))
    if "dir_info" in origin:
        address = _remote(unquote(urlsplit(address).path))
    elif "vcs_info" not in origin:
        return UNKNOWN
    public = public_address(address)
    return UNKNOWN if public is None else f"{DISTRIBUTION} @ git+{public}"


def _remote(folder: str) -> str:
    """Returns the address of the origin of a checkout; empty without one."""
    # A folder without a repository of its own may lie in one of another project.
    command = ["git", f"--git-dir={Path(folder, '.git')}", "remote", "get-url", "origin"]
    return run(command, Path(folder), 5).output.strip() if Path(folder).is_dir() else ""


def public_address(address: str) -> str | None:
    """Returns the address over HTTPS, without a user or password; None for other places, such as a folder."""
    match = _ADDRESS.fullmatch(address)
    return None if match is None else f"https://{match[1]}/{match[2]}"
