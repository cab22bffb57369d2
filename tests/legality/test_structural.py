"""Questions that the structure of a mapping decides never reach isl: the discharged questions are counted."""

from collections import Counter
from pathlib import Path

import pytest

from alphaz.certificate.required_obligations import missing
from alphaz.legality import mapping_obligations
from alphaz.legality.reporting.certificate_record import record
from alphaz.legality.verify import verify
from alphaz.proof import Obligation, Verdict, discharge
from alphaz.scripting.interpreter.python_api import run
from tests.strategies.chains import Chain

MEMORY = {"AZ601", "AZ602", "AZ603", "AZ701"}


def asked(chain: Chain, folder: Path, patch: pytest.MonkeyPatch) -> Counter[str]:
    """Returns the number of questions of each rule that reach isl, for a chain that is proved."""
    design = run(chain.write(folder))
    seen: Counter[str] = Counter()

    def counting(obligation: Obligation) -> Verdict:
        seen[obligation.rule.code] += 1
        return discharge(obligation)

    patch.setattr(mapping_obligations, "discharge", counting)
    assert verify(design).is_proved
    return seen


@pytest.mark.parametrize("memory", ["own", "turns"])
def test_memory_is_settled_by_distinct_spaces_and_leading_constants(
    memory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = asked(Chain(8, "nests", memory), tmp_path, monkeypatch)
    assert not MEMORY & set(seen)
    assert set(seen) == {"AZ501", "AZ502", "AZ702"}


@pytest.mark.parametrize(("shape", "memory"), [("nests", "own"), ("nests", "turns"), ("fused", "own")])
def test_the_questions_grow_with_the_chain_and_not_with_its_square(
    shape: str, memory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = [asked(Chain(k, shape, memory), tmp_path, monkeypatch).total() for k in (4, 8, 12)]
    assert counts[2] - counts[1] == counts[1] - counts[0] > 0


def test_constants_settle_one_direction_only(tmp_path: Path) -> None:
    """A nest that reads what a later one writes is refuted, though nobody has to solve anything."""
    script = Chain(2).write(tmp_path)
    script.write_text(script.read_text().replace("(t,i,j -> 1,t,i,j)", "(t,i,j -> 3,t,i,j)"))
    assert {finding.rule.code for finding in verify(run(script)).findings} == {"AZ502"}


@pytest.mark.slow
def test_a_certificate_is_complete_without_what_the_nests_keep_apart(tmp_path: Path) -> None:
    """Its completeness is counted from the inventory, by code of its own; the nests share two spaces."""
    counts = []
    for length in (4, 8, 12):
        result = record("chain", verify(run(Chain(length, "nests", "turns").write(tmp_path))).systems[0])
        assert missing(result) == ()
        counts.append(len(result.obligations))
    assert counts[2] - counts[1] == counts[1] - counts[0] > 0


def test_shared_cells_are_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the counts above would say little."""
    assert MEMORY & set(asked(Chain(6, "fused", "threes"), tmp_path, monkeypatch))
