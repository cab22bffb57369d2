"""The cache between runs: complete, private, never stale, and never an obstacle."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from alphaz.cache import cache_name, keep, recall


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "alphaz"


def test_what_is_kept_is_recalled(folder: Path) -> None:
    assert recall("a") is None
    keep("a", b"one")
    assert recall("a") == b"one"
    keep("a", b"two")
    assert recall("a") == b"two"
    assert [path.name for path in folder.iterdir()] == ["a"]
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("spoil", [lambda b: b[:-1], lambda b: b + b"x", lambda b: b"", lambda b: b[:-1] + b"?"])
def test_what_is_not_whole_is_nothing(spoil: Callable[[bytes], bytes], folder: Path) -> None:
    keep("a", b"content")
    (folder / "a").write_bytes(spoil((folder / "a").read_bytes()))
    assert recall("a") is None
    keep("a", b"content")
    assert recall("a") == b"content"


def test_the_name_tells_texts_apart() -> None:
    names = {cache_name("t", texts) for texts in (["a", "b"], ["ab"], ["ab", ""], ["b", "a"])}
    assert len(names) == 4
    assert cache_name("t", ["a"]) == cache_name("t", ["a"])


@pytest.mark.skipif(os.name != "posix", reason="there are no permissions")
def test_a_folder_that_others_may_write_to_is_not_trusted(folder: Path) -> None:
    keep("a", b"content")
    folder.chmod(0o777)
    assert recall("a") is None
    keep("b", b"content")
    assert not (folder / "b").exists()


def test_without_a_folder_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    keep("a", b"content")
    assert recall("a") is None


def test_a_full_disk_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: Path, target: Path) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr("os.replace", full)
    keep("a", b"content")
    assert list(folder.iterdir()) == []


def test_many_at_once_see_whole_contents_only(folder: Path) -> None:
    contents = [bytes([n]) * 100_000 for n in range(4)]
    seen: list[bytes | None] = []

    def work(content: bytes) -> None:
        for _ in range(20):
            keep("a", content)
            seen.append(recall("a"))

    threads = [threading.Thread(target=work, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 80
    assert set(seen) <= set(contents)
    assert [path.name for path in folder.iterdir()] == ["a"]
