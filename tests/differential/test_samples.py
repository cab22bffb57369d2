"""Every sample, executed in every way: the interpreter, the demand-driven C and the scheduled C with one and two
threads give the same values, at the sizes that its script names.
"""

import re
from pathlib import Path

import pytest

from alphaz.equivalence.differential_run import DEMAND_DRIVEN, INTERPRETER, SCHEDULED, agree, executables
from alphaz.legality.verify import certify, verify
from alphaz.scripting.interpreter.python_api import run
from tests.thinning import thinned

SAMPLES = Path(__file__).parents[2] / "samples"
SCRIPTS = sorted(path for path in SAMPLES.glob("*/*.cs") if not path.name.startswith("wrong"))


def sizes(script: Path) -> list[dict[str, int]]:
    """The line `# sizes: N=2 N=9,M=3 ...` of a script."""
    match_ = re.search(r"^# sizes: (.+)$", script.read_text(encoding="utf-8"), re.MULTILINE)
    assert match_ is not None, f"{script} names no sizes"
    return [
        {name: int(value) for name, value in (part.split("=") for part in group.split(","))}
        for group in match_[1].split()
    ]


def test_every_sample_program_has_a_script() -> None:
    assert len(SCRIPTS) >= 10
    assert {path.parent for path in SAMPLES.glob("*/*.ab")} <= {path.parent for path in SCRIPTS}


@pytest.mark.slow
@pytest.mark.parametrize("script", thinned(SCRIPTS, 8), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_all_executions_agree(script: Path) -> None:
    design = run(script)
    verified = certify(verify(design))
    assert len(sizes(script)) >= 3
    for system in design.mapped_systems:
        these = executables(verified, system, include=script.parent)
        for seed, named in enumerate(sizes(script)):
            parameters = {name: named[name] for name in these.system.parameters}
            agreement = agree(these, parameters, threads=(1, 2), seed=seed)
            assert agreement.findings == ()
            assert [(e.name, e.threads) for e in agreement.executions] == [
                (INTERPRETER, None),
                (DEMAND_DRIVEN, None),
                (SCHEDULED, 1),
                (SCHEDULED, 2),
            ]
            assert agreement.compared == 3
