"""Certificates of scripts, made as the command line makes them."""

from functools import cache
from pathlib import Path

from alphaz.certificate.certificate import Certificate, Record
from alphaz.cli.ruling import Plan, Ruling, Task, follow, rule

SAMPLES = Path(__file__).parents[2] / "samples"
SCRIPTS = sorted(SAMPLES.glob("*/*.cs"))


@cache
def records(script: Path) -> tuple[Record, ...]:
    """The record of each mapping that the script is judged by."""
    task = Task(str(script), script.read_text(encoding="utf-8"), record=True)
    plan = rule(task)
    assert isinstance(plan, Plan)
    rulings = [rule(each) for each in follow(task, plan)]
    found = [ruling.record for ruling in rulings if isinstance(ruling, Ruling)]
    return tuple(record for record in found if record is not None)


def certificate(script: Path) -> Certificate:
    return Certificate({"alphaz": "test"}, (), records(script))
