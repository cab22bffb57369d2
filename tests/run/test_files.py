"""Generated files: whole, inside the folder, or not at all."""

import os
from pathlib import Path

import pytest

from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Rejected
from alphaz.run.files import write_sources


def test_files_are_written_into_a_folder_that_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "deep"
    text = write_sources(Sources({"a.c": "int a;\n", "sub/b.h": "ß\n"}), folder)
    assert [path.relative_to(folder).as_posix() for path in text] == ["a.c", "sub/b.h"]
    assert (folder / "sub/b.h").read_bytes() == "ß\n".encode()
    assert sorted(p.name for p in folder.iterdir()) == ["a.c", "sub"]


def test_files_are_replaced_and_those_of_the_user_are_not(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("old")
    (tmp_path / "mine.h").write_text("mine")
    write_sources(Sources({"a.c": "new"}, {"mine.h": "stub", "other.h": "stub"}), tmp_path)
    assert (tmp_path / "a.c").read_text() == "new"
    assert (tmp_path / "mine.h").read_text() == "mine"
    assert (tmp_path / "other.h").read_text() == "stub"


@pytest.mark.parametrize("name", ["../a.c", "/tmp/a.c", "a/../../b.c", "", ".", "..", "a\\b.c", "C:a.c", "a\0b"])
def test_names_that_leave_the_folder_are_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "out"
    with pytest.raises(Rejected) as caught:
        write_sources(Sources({"good.c": "x", name: "y"}), folder)
    assert caught.value.diagnostics[0].rule.code == "AZ405"
    assert not (folder / "good.c").exists()


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(Rejected):
        write_sources(Sources({"link/a.c": "x"}), folder)
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_file_that_is_a_link_is_replaced_and_its_target_kept(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("precious")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "a.c").symlink_to(target)
    write_sources(Sources({"a.c": "new"}), folder)
    assert target.read_text() == "precious"
    assert (folder / "a.c").read_text() == "new"


def test_a_folder_in_the_way_and_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "a.c").mkdir()
    with pytest.raises(Rejected) as caught:
        write_sources(Sources({"a.c": "x"}), tmp_path)
    assert "is a folder" in caught.value.diagnostics[0].message
    (tmp_path / "file").write_text("")
    with pytest.raises(Rejected) as caught:
        write_sources(Sources({"b.c": "x"}), tmp_path / "file")
    assert caught.value.diagnostics[0].rule.code == "AZ405"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(Rejected):
        write_sources(Sources({"a.c": "x"}), tmp_path)
