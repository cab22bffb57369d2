"""Numbers that would make the index arithmetic of generated code overflow are refused, those just below are not."""

from pathlib import Path

import pytest

from alphaz.diagnostics import Rejected
from alphaz.mapping.resolution import resolve
from tests.scripting.commands.scripts import design_of

DATES = 'setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");'
FITTING = [
    'setSpaceTimeMap(prog, "sums", "B, C", "(i->1048576i+1099511627776)");',
    DATES + 'setTiling(prog, "sums", 0, 1099511627776);',
    DATES + 'setMemoryMap(prog, "sums", "B", "(i->i-1099511627776)");',
    DATES + 'setRegisterTile(prog, "sums", 0, 4096);',
]
TOO_LARGE = [
    ('setSpaceTimeMap(prog, "sums", "B, C", "(i->1048577i)");', "the numbers of 1048577i are too large"),
    ('setSpaceTimeMap(prog, "sums", "B, C", "(i->-i-1099511627777)");', "are too large for the index arithmetic"),
    ('setSpaceTimeMap(prog, "sums", "C", "(i,k->i,k)", "(i->1048577i,0)");', "the numbers of 1048577i"),
    (DATES + 'setTiling(prog, "sums", 0, 1099511627777);', "tiles of 1099511627777 points are too large"),
    (DATES + 'setMemoryMap(prog, "sums", "B", "(i->i+9223372036854775807)");', "are too large"),
    (DATES + 'setRegisterTile(prog, "sums", 0, 4097);', "a register tile of 4097 points is too large"),
    (
        'setSpaceTimeMap(prog, "sums", "C", "(i,k->i,k)"); setRegisterTile(prog, "sums", 0, 65);'
        'setRegisterTile(prog, "sums", 1, 64);',
        "a register tile of 4160 points",
    ),
]


@pytest.mark.parametrize("script", FITTING)
def test_numbers_that_fit_into_index_arithmetic_are_accepted(script: str, tmp_path: Path) -> None:
    resolve(design_of(script, tmp_path), "sums")


@pytest.mark.parametrize(("script", "said"), TOO_LARGE)
def test_numbers_that_overflow_index_arithmetic_are_refused(script: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(Rejected, match="AZ411") as caught:
        resolve(design_of(script, tmp_path), "sums")
    (finding,) = caught.value.diagnostics
    assert finding.rule.code == "AZ411"
    assert said in finding.message
    assert finding.help is not None
    assert finding.primary.span.text
