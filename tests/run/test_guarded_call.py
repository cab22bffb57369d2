"""Generated code in a process of its own: what dies, or writes where it may not, is a finding that shows the sample."""

import os
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Rejected
from alphaz.diagnostics.rules import DIED, RUN_TIME, WRITTEN_OUTSIDE
from alphaz.equivalence.differential_run import DifferentialRun, Where, agree, executables
from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import certify, verify
from alphaz.run.guarded_call import compile_isolated
from tests.cli.command_line import ask
from tests.legality.mapped import Mapped
from tests.thinning import thinned

pytestmark = pytest.mark.slow

TEXT = """
affine p {N | N>0} input int A {i | 0<=i<N}; output int S {i | 0<=i<N}; local int L {i | 0<=i<N};
let L[i] = A[i] + 1; S[i] = case {| i==0} : L[0]; {| i>0} : L[i] + 3*A[i-1]; esac; .
"""
LOOPS = "static void p_loops("


def _verified() -> Verified:
    design = Mapped(TEXT).time("L", "(i -> 0,i)").time("S", "(i -> 1,i)").design
    return certify(verify(design, ["p"]))


def _agreement(before: str, where: Where = Where.APART, *, size: int = 5) -> DifferentialRun:
    """Scheduled code, with statements in front of its own; `L` is the array that it allocates."""
    verified = _verified()
    program = verified.design.checked
    these = executables(verified, "p", where=where)
    sources = scheduled_c(verified, "p")
    text = sources.files["p.c"]
    head, _, rest = text.partition(LOOPS)
    begin = rest.index("{\n") + 2
    edited = f"{head}{LOOPS}{rest[:begin]}{before}\n{rest[begin:]}"
    files = Sources({**sources.files, "p.c": edited}, sources.if_absent)
    scheduled = compile_isolated(files, program, "p", include=None, sanitize=where is Where.SANITIZED)
    return agree(replace(these, scheduled=scheduled), {"N": size}, threads=(1, 2), seed=4)


@pytest.mark.parametrize("where", [Where.APART, Where.SANITIZED])
def test_right_code_in_its_own_process_agrees(where: Where) -> None:
    agreement = _agreement("", where)
    assert agreement.agrees
    assert agreement.compared == 3


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("S[N] = 1;", "wrote outside of `S`"),
        ("S[-1] = 1;", "wrote outside of `S`"),
        ("S[-1000] = 1;", "wrote outside of `S`"),
        ("((int *)A)[N] = 1;", "wrote outside of `A`"),
        ("L[N] = 1;", "wrote outside of an array of its own"),
        ("L[-1] = 1;", "wrote outside of an array of its own"),
    ],
)
def test_a_write_out_of_bounds_is_seen_without_sanitizers(before: str, message: str) -> None:
    agreement = _agreement(before)
    assert not agreement.agrees
    assert [finding.rule for finding in agreement.findings] == [WRITTEN_OUTSIDE, WRITTEN_OUTSIDE]
    assert agreement.findings[0].message == f"the scheduled C with 1 thread: the code of `p` {message}"
    assert agreement.findings[0].notes[0] == "N=5, seed 4"
    assert "--sanitize" in (agreement.findings[0].help or "")


def test_a_changed_input_is_seen() -> None:
    (finding, _) = _agreement("((int *)A)[1] += 1; ((int *)A)[0] += N > 99;").findings[:2]
    assert "wrote to the input `A`" in finding.message


@pytest.mark.parametrize(
    ("before", "where", "said"),
    thinned(
        [
            ("abort();", Where.APART, "the process was ended by SIGABRT with 2 threads"),
            ("*(volatile int *)8 = 1;", Where.APART, "the process was ended by SIGSEGV with 2 threads"),
            ("exit(7);", Where.APART, "the process ended with 7 with 2 threads"),
            ("S[N] = 1;", Where.SANITIZED, "heap-buffer-overflow"),
            ("S[0] = A[N];", Where.SANITIZED, "heap-buffer-overflow"),
            ("L[N] = 1;", Where.SANITIZED, "heap-buffer-overflow"),
            (
                "int a[4]; for (int64_t i = 0; i < N; i++) ((volatile int *)a)[i] = 1;",
                Where.SANITIZED,
                "insufficient space|overflow",
            ),
            ("S[0] = 1 << (N + 60);", Where.SANITIZED, "shift exponent 65"),
        ]
    ),
)
def test_a_death_is_a_finding(before: str, where: Where, said: str) -> None:
    agreement = _agreement(before, where)
    assert [finding.rule for finding in agreement.findings] == [DIED, DIED]
    finding = agreement.findings[1]
    assert finding.witness is not None
    assert finding.witness.parameters == (("N", 5),)
    assert re.search(said, "\n".join([finding.witness.sentence, *finding.notes]))
    # What else there is was executed all the same.
    assert agreement.compared == 1


def test_a_status_is_said_as_ever() -> None:
    with pytest.raises(Rejected) as caught:
        _agreement("", size=0)
    assert caught.value.diagnostics[0].rule is not RUN_TIME
    verified = _verified()
    program, sources = verified.design.checked, scheduled_c(verified, "p")
    files = Sources({name: text.replace("N < 1", "N < 3") for name, text in sources.files.items()}, sources.if_absent)
    kernel = compile_isolated(files, program, "p", include=None)
    with pytest.raises(Rejected) as caught:
        kernel.run({"N": 2}, {"A": np.zeros(2, np.int32)})
    assert caught.value.diagnostics[0].rule is RUN_TIME


def test_programs_and_runs_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert _agreement("").agrees
    assert os.listdir(tmp_path) == []


def test_the_command_says_which_sample_died(tmp_path: Path) -> None:
    (tmp_path / "p.ab").write_text(
        "int odd(int); affine p {N | N>0} input int A {i | 0<=i<N}; output int S {i | 0<=i<N}; let S[i] = odd(A[i]); .",
        encoding="utf-8",
    )
    script = tmp_path / "p.cs"
    script.write_text('prog = ReadAlphabets("p.ab"); setSpaceTimeMap(prog, "p", "S", "(i -> i)");', encoding="utf-8")
    (tmp_path / "external_functions.h").write_text(
        "#include <stdlib.h>\nstatic inline int odd(int a) { if (a > 0) abort(); return a; }\n", encoding="utf-8"
    )
    for options in ((), ("--sanitize",)):
        answer = ask("test", script, "-p", "N=7", "--threads", "2", "--seed", "3", *options)
        assert answer.code == 1
        text = answer.out + answer.err
        assert "error[AZ810]: the scheduled C with 2 threads: the code of `p` died" in text
        assert "error[AZ810]: the interpreter: an external function of `p` crashed" in text
        assert "N=7, seed 3" in text
        assert "Traceback" not in text


@pytest.mark.parametrize("read", ["S[N - 1]", "L[N - 1]"])
@pytest.mark.parametrize("where", thinned([Where.APART, Where.SANITIZED], 3))
def test_what_is_read_before_it_is_written_is_seen(read: str, where: Where) -> None:
    """Memory holds no zeros, in which a value that is missing would be taken for 0."""
    agreement = _agreement(f"if ({read} == 0) {{ return; }}", where)
    assert agreement.agrees
    unset = _agreement(f"if ({read} != 0) {{ return; }}", where)
    assert not unset.agrees
