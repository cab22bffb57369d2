"""The option `--script` of `alphaz prove`: a text of ranks that was edited after a script had generated it."""

import operator
from collections.abc import Mapping
from functools import reduce
from pathlib import Path

from alphaz.analysis.checks.checked_program import Checked
from alphaz.c.alphaz_header import RUNTIME
from alphaz.cli.files import read_file, read_source
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.driver.preprocessing import with_plain_lines
from alphaz.equivalence.driver.prove_c import CVerdict
from alphaz.equivalence.driver.rank_proof import prove_edited_ranks
from alphaz.equivalence.driver.task import ProofTask
from alphaz.scripting.commands.generators import generate
from alphaz.scripting.interpreter.run import Settings, run_script


def prove(script: str, source: Source, checked: Checked, task: ProofTask) -> CVerdict:
    """Returns the verdict on the text; no file is written. Raises Rejected for a script with errors or no ranks."""
    return prove_edited_ranks(source, lambda: _headers(source.name), _generated(script), checked, task)


def _generated(script: str) -> Sources:
    """Returns the files that a script generates."""
    source = read_source(script, ".cs")
    session = run_script(source, Path(script).parent, Settings(generate=generate))
    if session.has_errors:
        raise Rejected(*(finding for finding in session.findings if finding.is_error))
    return reduce(operator.or_, session.files.values(), Sources({}))


def _headers(kernel: str) -> Mapping[str, str]:
    """Returns the texts of the headers of a generated file, which lie next to it."""
    paths = (Path(kernel).with_suffix(".h"), Path(kernel).with_name(RUNTIME))
    return {path.name: with_plain_lines(read_file(str(path))).text for path in paths}
