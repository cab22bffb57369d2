"""The source that the running alphaz was installed from, as the requirement that a new project states."""

import json
import os
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

from alphaz.processes.external import run

DISTRIBUTION = "alphaz-equations"
# Its owner is to be filled in where the source is not known.
UNKNOWN = f"{DISTRIBUTION} @ git+https://github.com/OWNER/alphaz"
# Host and path of `https://host/path`, `ssh://git@host/path` and `git@host:path`.
_ADDRESS = re.compile(
    r"(?:(?:https?|ssh|git)://)?(?:[^@/]*@)?([\w-]+(?:\.[\w-]+)+)(?::\d+)?[:/]([\w.~/-]+?)(?:\.git)?/?"
)


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
