"""Variables with branches of different lifetimes: cut in two, each part with a map of its own."""

from pathlib import Path

import pytest

import alphaz
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.legality.verdicts import DesignVerdict
from alphaz.legality.verify import certify
from alphaz.run.kernel import compile_kernel
from alphaz.search.memory.map_reports import ProposalReport
from alphaz.search.memory.text import cut_commands
from alphaz.search.memory.variable_cuts import cuts
from tests.legality.mapped import Mapped
from tests.search.memory.programs import blur, kernel, pingpong, proposed

pytestmark = pytest.mark.slow

# Of X the columns at both ends are read in the end, those between by the next step alone.
KEEP = """affine keep {N,T | N>=4 && T>=2}
input
	double a {i | 0<=i<N};
output
	double left, right {t | 0<=t<=T};
local
	double X {t,i | 0<=t<=T && 0<=i<N};
let
	X[t,i] = case
			{| t==0} : a[i];
			{| t>0 && i==0} : X[t-1,i] + X[t-1,i+1];
			{| t>0 && i==N-1} : X[t-1,i] + X[t-1,i-1];
			{| t>0 && 0<i<N-1} : X[t-1,i-1] + X[t-1,i] + X[t-1,i+1];
		esac;
	left[t] = X[T-t,0];
	right[t] = X[T-t,N-1] + X[T,1];
.
"""
DATES = {"X": "(t,i -> t,i)", "left": "(t -> T+1,t)", "right": "(t -> T+2,t)"}


def keep() -> Mapped:
    design = Mapped(KEEP)
    for variable, date in DATES.items():
        design = design.time(variable, date)
    return design


def test_a_border_that_lives_long_is_cut_off() -> None:
    account = ProposalReport.of(proposed(keep()))
    assert (str(account.cells), account.maps) == ("N*(T+1)", ())
    assert [space.bound for space in account.kept_spaces] == ["degree 2 is least"]
    (cut,) = account.cuts
    assert cut.proposal.report.is_proved
    assert str(ProposalReport.of(cut.proposal).cells) == "N+T-1"
    assert cut_commands(cut, "prog") == (
        'Split(prog, "keep", "X", "X_1", "{t,i | i==0}");',
        'setMemoryMap(prog, "keep", "X", "(t,i -> i-t)");',
        'setMemoryMap(prog, "keep", "X_1", "left", "(t,i -> T-t)");',
    )


def test_the_commands_make_what_was_proved_and_it_computes_the_same(tmp_path: Path) -> None:
    (cut,) = cuts(proposed(keep()))
    (tmp_path / "keep.ab").write_text(KEEP)
    dates = "".join(f'setSpaceTimeMap(prog, "keep", "{name}", "{date}");\n' for name, date in DATES.items())
    script = 'prog = ReadAlphabets("keep.ab");\n' + dates + "\n".join(cut_commands(cut, "prog"))
    (tmp_path / "keep.cs").write_text(script + "\n")
    assert alphaz.verify(alphaz.run(tmp_path / "keep.cs")).is_proved
    proved, whole = cut.proposal, proposed(keep())
    both = []
    for item in (proved, whole):
        verified = certify(DesignVerdict(item.design, (item.report,)))
        made = compile_kernel(scheduled_c(verified, "keep"), item.design.checked, "keep", include=tmp_path)
        outputs = made.run({"N": 6, "T": 5}, {"a": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}).outputs
        both.append({name: array.tolist() for name, array in outputs.items()})
    assert both[0] == both[1]


def test_nothing_is_cut_where_that_saves_nothing() -> None:
    for subject in (blur(), pingpong(), kernel("jacobi-1d"), kernel("needleman-wunsch")):
        assert list(cuts(proposed(subject))) == []
