"""The container file and the development container: what they copy, install and start exists."""

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import click

from alphaz.cli.main import cli

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PORT = 8425


def options(command: list[str]) -> dict[str, Any]:
    """Returns the options of a verb of alphaz, as the command line reads them."""
    assert command[0] == "alphaz"
    verb = cli.get_command(click.Context(cli), command[1])
    assert verb is not None
    return verb.make_context(command[1], command[2:]).params


def installed(command: str) -> set[str]:
    """Returns the extras of a `pip install` of the checkout."""
    (target,) = [word for word in shlex.split(command)[2:] if not word.startswith("-")]
    match_ = re.fullmatch(r"\.(?:\[([\w,]+)\])?", target)
    assert match_ is not None, target
    return set((match_[1] or "").split(",")) - {""}


def instructions() -> list[tuple[str, str]]:
    """Returns the instructions of the container file with their arguments."""
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    parts = [line.partition(" ") for line in lines if line.strip() and not line.startswith("#")]
    return [(word, arguments.strip()) for word, _, arguments in parts]


def test_a_development_container_starts_the_studio() -> None:
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    document = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))
    assert installed(document["onCreateCommand"]) <= set(PROJECT["optional-dependencies"])
    started = options(shlex.split(document["postAttachCommand"]))
    assert (started["port"], started["no_browser"]) == (PORT, True)
    assert document["forwardPorts"] == [PORT]
    assert set(document["portsAttributes"]) == {str(PORT)}
    assert document["portsAttributes"][str(PORT)]["visibility"] == "private"


def test_the_container_starts_the_studio() -> None:
    result = instructions()
    assert {word for word, _ in result} == {"FROM", "RUN", "COPY", "USER", "WORKDIR", "EXPOSE", "CMD"}
    one = dict(result)
    started = options(json.loads(one["CMD"]))
    assert (started["port"], started["address"], started["no_browser"]) == (PORT, "0.0.0.0", True)
    assert one["EXPOSE"] == str(PORT)
    copied, folder = one["COPY"].split()
    assert (copied, f"pip install --no-cache-dir {folder} " in one["RUN"]) == (".", True)
    assert f"useradd --create-home {one['USER']}" in one["RUN"]


def test_the_containers_have_a_new_python() -> None:
    images = [arguments for word, arguments in instructions() if word == "FROM"]
    images += re.findall(r'"image": "(.*)"', (ROOT / ".devcontainer" / "devcontainer.json").read_text())
    versions = [re.search(r"python:(\d+)\.(\d+)", image) for image in images]
    classifiers = {name.rpartition(" ")[2] for name in PROJECT["classifiers"]}
    assert {f"{version[1]}.{version[2]}" for version in versions if version} <= classifiers
    assert len(versions) == 2
    assert all(versions)
