"""Mappings of systems with use equations: the verifier and brute force agree, rule by rule and in the smallest size."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from alphaz.diagnostics import Source
from alphaz.mapping.design import Design
from alphaz.proof import Refuted, Undecided
from alphaz.script.run import run_script
from alphaz.verify.verify import verify
from tests.strategies.mapped_calls import script
from tests.verify.calls_by_force import World

LARGEST = 4
SEEN: Counter[str] = Counter()


def design_of(text: str, program: str, folder: Path) -> Design:
    (folder / "program.ab").write_text(program, encoding="utf-8")
    session = run_script(Source("script.cs", text), folder)
    assert [each.message for each in session.findings if each.is_error] == []
    found = session.values["prog"]
    assert isinstance(found, Design)
    return found


def compared(seed: str, folder: Path) -> str:
    """What the verifier says; fails where brute force says something else."""
    program, text = script(Random(seed))
    design = design_of(text, program, folder)
    report = verify(design, ["main"]).systems[0]
    if report.mapping is None:
        return "invalid"
    assert not report.mapping.aliases
    told: dict[str, int] = {}
    for result in report.results:
        assert not isinstance(result.verdict, Undecided)
        if isinstance(result.verdict, Refuted):
            code, size = result.rule.code, result.verdict.point["N"]
            told[code] = min(size, told.get(code, size))
    true: dict[str, int] = {}
    words: dict[str, str] = {}
    for size in range(1, LARGEST + 1):
        for code, found in World(design, "main", {"N": size}).violations().items():
            true.setdefault(code, size)
            words.setdefault(code, found[0])
    assert {code: size for code, size in told.items() if size <= LARGEST} == true, f"{seed}\n{program}\n{text}\n{words}"
    SEEN.update(told or ["proved"])
    return "refuted" if told else "proved"


@pytest.mark.parametrize("seed", range(8))
def test_both_agree(seed: int, tmp_path: Path) -> None:
    kinds = Counter(compared(f"{seed}/{case}", tmp_path) for case in range(20))
    assert kinds["proved"] + kinds["refuted"] >= 15


def test_every_rule_is_met(tmp_path: Path) -> None:
    if sum(SEEN.values()) < 50:
        for case in range(120):
            compared(f"all/{case}", tmp_path)
    assert {"proved", "AZ501", "AZ502", "AZ601", "AZ602", "AZ603", "AZ604", "AZ701"} <= set(SEEN)
