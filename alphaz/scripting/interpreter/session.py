"""What came of a script."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Diagnostic, Source
from alphaz.mapping.design import Design
from alphaz.scripting.commands.outcome import Request
from alphaz.scripting.interpreter.judge import CachedVerdict


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """`designs` are the programs that were read, as they stand at the end; `values` are the script's variables.

    `findings` are those of the script and its programs, in the order in which they came; those of verdicts stand in
    `judgements`. `files` is what is to be written, by folder; it is empty when something went wrong. `looked` is what
    was looked for, by name: its text, or None where there was none.
    """

    source: Source
    designs: tuple[Design, ...]
    values: Mapping[str, object]
    findings: tuple[Diagnostic, ...]
    requests: tuple[Request, ...]
    judgements: tuple[CachedVerdict, ...]
    files: Mapping[Path, Sources]
    looked: Mapping[str, str | None]

    @property
    def has_errors(self) -> bool:
        """Whether the script itself is wrong, or was refused; a refuted mapping alone is no error of the script."""
        return any(finding.is_error for finding in self.findings)

    @property
    def is_clean(self) -> bool:
        """No errors, and every mapping that was judged is proved."""
        return not self.has_errors and all(judgement.report.is_proved for judgement in self.judgements)
