"""The result of a script."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Diagnostic, Source
from alphaz.legality.verified import DesignVerdict
from alphaz.mapping.design import Design
from alphaz.scripting.commands.outcome import Request


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """`designs` are the programs that were read, in their final state; `values` are the script's variables.

    `findings` are those of the script and its programs, in the order in which they came; those of verdicts are in
    `design_verdicts`. `files` has the files to write, by folder; it is empty after an error. `lookups` has the files
    that were searched, by name: the text, or None if there was none."""

    source: Source
    designs: tuple[Design, ...]
    values: Mapping[str, object]
    findings: tuple[Diagnostic, ...]
    requests: tuple[Request, ...]
    design_verdicts: tuple[DesignVerdict, ...]
    files: Mapping[Path, Sources]
    lookups: Mapping[str, str | None]

    @property
    def has_errors(self) -> bool:
        """Returns True if the script itself has an error, or was refused; a refuted mapping alone is not an error of
        the script."""
        return any(finding.is_error for finding in self.findings)

    @property
    def is_clean(self) -> bool:
        """Returns True if there are no errors, and every verified mapping is proved."""
        return not self.has_errors and all(design_verdict.first.is_proved for design_verdict in self.design_verdicts)
