"""The certificate of what `alphaz verify` found."""

import platform
from collections.abc import Sequence
from importlib import metadata

from alphaz.certificate.certificate import UNDECIDED, Certificate, File, Record
from alphaz.certificate.document import write
from alphaz.cli.ruling import Plan, Ruling
from alphaz.poly.versions import versions


def document(plans: Sequence[Plan], rulings: Sequence[Ruling]) -> str:
    """The text of the certificate. A mapping that was not judged to the end has no record: it is undecided."""
    own = {"alphaz": metadata.version("alphaz"), "python": platform.python_version(), **versions()}
    files = dict.fromkeys(File(*file) for plan in plans for file in plan.files)
    records = (
        each.record
        or Record(
            script=each.script, system=each.system, verdict=UNDECIDED, inventory=None, separations=(), obligations=()
        )
        for each in rulings
    )
    return write(Certificate(own, tuple(files), tuple(records)))
