"""`alphaz explain-cost`: what moves, and how long it takes at best."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import ask

PROGRAM = """affine sums {n | n>=1}
input double A {i,j | 0<=i<=j<n};
output double y {i | 0<=i<n};
let y[i] = reduce(+, [j], A[i,j]); .
"""
SCRIPT = """prog = ReadAlphabets("sums.ab");
setSpaceTimeMap(prog, "sums", "y", "(i,j->i,j)", "(i->i,-1)");
setParallel(prog, "sums", "", 0);
setStorageFormat(prog, "sums", "A", "packed upper row");
"""


@pytest.mark.slow
def test_bytes_operations_and_a_bound(folder: Path) -> None:
    (folder / "sums.ab").write_text(PROGRAM)
    (folder / "sums.cs").write_text(SCRIPT)
    answer = ask("explain-cost", "sums.cs", "-p", "n=4000", "--threads", 2, "--machine", "usual")
    assert answer.code == 0
    assert "sums: n=4000, 2 threads" in answer.out
    assert "n*(n+1)/2 elements" in answer.out
    assert "by memory, with guessed rates" in answer.out
    document = json.loads(ask("explain-cost", "sums.cs", "-p", "n=4000", "--machine", "usual", "--format", "json").out)
    (cost,) = document["costs"]
    assert [level["from"] for level in cost["levels"]] == ["cache 2", "cache 3", "memory"]
    assert 64.0e6 < cost["levels"][-1]["arrays"]["A"]["read"] < 64.3e6
    assert cost["operations"] == 4000 * 4001 // 2


def test_uneven_shares_are_told(folder: Path) -> None:
    """The first of four threads has 7/16 of an upper triangle."""
    (folder / "sums.ab").write_text(PROGRAM)
    for chunks in ("", 'setChunks(prog, "sums", "", 0, 16);'):
        (folder / "sums.cs").write_text(SCRIPT + chunks)
        answer = ask("explain-cost", "sums.cs", "-p", "n=4000", "--threads", 4, "--machine", "usual")
        assert ("the busiest thread has 1.75 times an equal share" in answer.out) == (not chunks)


def test_what_is_called_is_not_counted(folder: Path) -> None:
    (folder / "sums.ab").write_text(
        PROGRAM + "affine whole {n | n>=1} input double A {i,j | 0<=i<=j<n}; output double z {i | 0<=i<n};"
        " let use sums[n] (A) returns (z); ."
    )
    (folder / "sums.cs").write_text(
        'prog = ReadAlphabets("sums.ab");\nsetSpaceTimeMap(prog, "whole", "UseEquation_z", "(->)");'
    )
    answer = ask("explain-cost", "sums.cs", "-p", "n=50", "--machine", "usual")
    assert answer.code == 0, answer.err
    assert "not counted   the operations of the called system `sums`" in answer.out


def test_what_is_missing_is_said(folder: Path) -> None:
    (folder / "sums.ab").write_text(PROGRAM)
    (folder / "sums.cs").write_text(SCRIPT)
    answer = ask("explain-cost", "sums.cs")
    assert (answer.code, answer.out) == (2, "")
    assert "`sums` needs a value for `n`" in answer.err
