"""The report of `alphaz verify --report html=FILE`."""

import platform
from collections.abc import Mapping, Sequence
from importlib import metadata

from alphaz.cli.ruling import Plan, Ruling
from alphaz.poly.versions import versions
from alphaz.report.document import Mapped
from alphaz.report.page import report_page


def document(scripts: Mapping[str, str], plans: Sequence[Plan], rulings: Sequence[Ruling]) -> str:
    """The page of what was judged, with what took part: versions, and the files that were read with their digests."""
    known = {"alphaz": metadata.version("alphaz"), "Python": platform.python_version(), **versions()}
    facts = list(known.items())
    facts += dict.fromkeys((name, f"SHA-256 {digest}") for plan in plans for name, digest in plan.files)
    what = f"{len(rulings)} mappings" if len(scripts) != 1 else next(iter(scripts))
    return report_page(f"alphaz verify: {what}", list(map(_mapped, rulings)), scripts, facts)


def _mapped(ruling: Ruling) -> Mapped:
    obligations = ruling.value["obligations"]
    assert isinstance(obligations, list)
    return Mapped(
        ruling.script,
        ruling.system,
        str(ruling.value["verdict"]),
        ruling.line,
        ruling.seconds,
        [(each["rule"], each["claim"], each["verdict"]) for each in obligations],
        ruling.findings,
        ruling.trace,
    )
