"""The command line of the studio: its address, the first texts, and its end."""

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from alphaz.ide.studio.links import fragment_of
from tests.cli.command_line import ask

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.mark.slow
def test_it_prints_its_address_serves_the_files_and_ends(tmp_path: Path) -> None:
    script = SAMPLES / "prefix-sum" / "wrong-parallel.cs"
    command = [sys.executable, "-m", "alphaz", "studio", "--no-browser", str(script)]
    environment = {"TMPDIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        with urllib.request.urlopen(f"{url}start") as answer:
            assert list(json.load(answer)["files"]) == ["prefix-sum.ab", "wrong-parallel.cs"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    assert not list(tmp_path.glob("alphaz-studio-*"))


def test_wrong_arguments_are_said(tmp_path: Path) -> None:
    (tmp_path / "x.ab").write_text("")
    (tmp_path / "x.txt").write_text("")
    link = f"http://127.0.0.1:1/{fragment_of({'x.ab': ''})}"
    for arguments, item in (
        ([str(tmp_path / "x.txt")], "is no program (.ab)"),
        ([str(tmp_path / "none.ab")], "does not exist"),
        ([link[:-4]], "the link is damaged"),
        ([link, str(tmp_path / "x.ab")], "give it alone"),
        (["--port", "99999"], "Invalid value for '--port'"),
        (["--address", "203.0.113.7"], "no server at 203.0.113.7"),
    ):
        answer = ask("studio", "--no-browser", *arguments)
        assert answer.code == 2, arguments
        assert item in answer.err, arguments


def test_names_are_those_of_one_file_each(tmp_path: Path) -> None:
    for folder, text in (("a", "1"), ("b", "2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.ab").write_text(text)
    answer = ask("studio", "--no-browser", str(tmp_path / "a" / "x.ab"), str(tmp_path / "b" / "x.ab"))
    assert (answer.code, "the name of two files" in answer.err) == (2, True)
