"""`alphaz verify --watch`: what is different between two rounds, and a real watch in a process of its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from alphaz.cli.watch import WatchPass, difference
from alphaz.diagnostics import Diagnostic, Label, Source, Span
from alphaz.diagnostics.rules import FILE
from tests.cli.command_line import RIGHT, WRONG, ask


def finding(text: str, at: int = 0) -> Diagnostic:
    return Diagnostic(FILE, text, Label(Span(Source("a.cs", "x y\n"), at, at + 1)))


def test_the_difference_is_of_verdicts_and_findings() -> None:
    before = WatchPass(1, {("a.cs", "S"): "refuted", ("a.cs", "T"): "proved"}, (finding("one"), finding("two")))
    after = WatchPass(0, {("a.cs", "S"): "proved", ("a.cs", "T"): "proved"}, (finding("two"), finding("three")))
    assert difference(before, after) == [
        "a.cs: S: refuted -> proved",
        f"gone: {FILE.code} a.cs:1:1: one",
        f"new: {FILE.code} a.cs:1:1: three",
    ]
    assert difference(after, replace(after, read={"b": "c"})) == ["no difference"]


def test_a_baseline_is_not_written_again_and_again(folder: Path) -> None:
    answer = ask("verify", "right.cs", "--watch", "--write-baseline", "b.json")
    assert answer.code == 2
    assert not (folder / "b.json").exists()


@pytest.mark.slow
def test_what_happens_before_the_watch_begins_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each change is made when the texts are read and nothing is watched yet: no event will ever tell of it."""
    text = (folder / "sums.ab").read_text(encoding="utf-8")
    (folder / "lib").mkdir()
    (folder / "sums.ab").rename(folder / "lib" / "sums.ab")
    (folder / "right.cs").write_text(RIGHT.replace("sums.ab", "lib/sums.ab"), encoding="utf-8")
    (folder / "wrong.cs").unlink()
    changes: list[Callable[[], object]] = [
        lambda: (folder / "lib").rename(folder / "gone"),
        lambda: (folder / "gone").rename(folder / "lib"),
        lambda: (folder / "lib" / "sums.ab").write_text("affine", encoding="utf-8"),
        lambda: (folder / "lib" / "sums.ab").write_text(text, encoding="utf-8"),
        lambda: (folder / "right.cs").rename(folder / "right.txt"),
        lambda: (folder / "right.txt").rename(folder / "right.cs"),
        lambda: (folder / "second.cs").write_text(RIGHT.replace("sums.ab", "lib/sums.ab"), encoding="utf-8"),
    ]
    waiting, watched = iter(changes), list[tuple[str, ...]]()

    def nothing_happens(*folders: str, **_: object) -> Iterator[set[tuple[object, str]]]:
        watched.append(folders)
        change = next(waiting, None)
        if change is None:
            return
        change()
        # What has been looked at once is watched from then on: nothing is said a second time.
        yield set()
        yield set()
        raise AssertionError(f"change {len(watched)} was not noticed")

    monkeypatch.setattr("alphaz.cli.watch._watcher", lambda: nothing_happens)
    answer = ask("verify", "--watch", ".")
    messages = [line for line in answer.err.splitlines() if " -> " in line or "changed:" in line]
    assert messages == [
        "-- changed: lib/sums.ab",
        "-- right.cs: sums: proved -> no mapping",
        "-- changed: lib/sums.ab",
        "-- right.cs: sums: no mapping -> proved",
        "-- changed: lib/sums.ab",
        "-- right.cs: sums: proved -> no mapping",
        "-- changed: lib/sums.ab",
        "-- right.cs: sums: no mapping -> proved",
        "-- changed: right.cs",
        "-- right.cs: sums: proved -> no mapping",
        "-- changed: right.cs",
        "-- right.cs: sums: no mapping -> proved",
        "-- changed: second.cs",
        "-- second.cs: sums: no mapping -> proved",
    ]
    # The folder of the program is watched all the time; where it is away, what it was in.
    assert [str(folder / "lib") in folders for folders in watched] == [True, False, *[True] * 6]
    assert all(str(folder) in folders for folders in watched)


def test_a_round_that_fails_is_not_done_again_until_something_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = 0

    def nothing_happens(*_: object, **__: object) -> Iterator[set[tuple[object, str]]]:
        nonlocal quiet
        quiet += 1
        if quiet == 1:
            (folder / "right.cs").unlink()
        yield set()
        yield set()

    monkeypatch.setattr("alphaz.cli.watch._watcher", lambda: nothing_happens)
    answer = ask("verify", "--watch", "right.cs")
    assert answer.err.count("right.cs does not exist") == 1
    assert quiet == 2


# A shell starts what it does not wait for with interruptions ignored, and so would be what that starts.
STARTED = """import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("alphaz", run_name="__main__")"""


class Watching:
    """A watch, with all that it has said so far."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.place = folder / "said"
        with self.place.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-c", STARTED, "verify", "--watch", *arguments],
                cwd=folder, stdout=out, stderr=out, env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )  # fmt: skip

    def until(self, done: Callable[[str], bool]) -> str:
        for _ in range(600):
            text = self.place.read_text(encoding="utf-8")
            if done(text):
                return text
            time.sleep(0.05)
        raise AssertionError(self.place.read_text(encoding="utf-8"))

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(30)


@pytest.mark.slow
def test_changes_of_the_script_and_of_its_program_are_noticed(folder: Path) -> None:
    pytest.importorskip("watchfiles", reason="watchfiles is not installed")
    watching = Watching(folder, "right.cs")
    try:
        watching.until(lambda said: "-- watching" in said)
        (folder / "right.cs").write_text(WRONG, encoding="utf-8")
        text = watching.until(lambda said: said.count("-- watching") == 2)
        assert "-- changed: right.cs\n" in text
        assert "-- right.cs: sums: proved -> refuted" in text
        assert "-- new: AZ502 right.cs:" in text
        (folder / "right.cs").write_text(RIGHT, encoding="utf-8")
        text = watching.until(lambda said: said.count("-- watching") == 3)
        assert "-- gone: AZ502 right.cs:" in text
        (folder / "sums.ab").rename(folder / "away.ab")
        text = watching.until(lambda said: said.count("-- watching") == 4)
        assert "-- right.cs: sums: proved -> no mapping" in text
        (folder / "away.ab").rename(folder / "sums.ab")
        text = watching.until(lambda said: said.count("-- watching") == 5)
        assert "-- right.cs: sums: no mapping -> proved" in text
    finally:
        code = watching.end()
    assert code == 130


@pytest.mark.slow
def test_a_folder_is_watched_for_new_scripts(folder: Path) -> None:
    pytest.importorskip("watchfiles", reason="watchfiles is not installed")
    (folder / "wrong.cs").unlink()
    watching = Watching(folder, ".")
    try:
        watching.until(lambda said: "-- watching" in said)
        (folder / "second.cs").write_text(RIGHT, encoding="utf-8")
        text = watching.until(lambda said: said.count("-- watching") == 2)
        assert "-- second.cs: sums: no mapping -> proved" in text
    finally:
        watching.end()
