"""C texts through the preprocessor: macros and conditions as the compiler sees them, headers left out."""

import tempfile
from pathlib import Path

from alphaz.c_reading import needs_preprocessor, prepared
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import C_SYNTAX
from alphaz.execution.compiler import find_compiler
from alphaz.execution.process import run

_SECONDS = 60


def preprocessed(source: Source, folder: Path | None = None) -> str:
    """The text that `c_reading.parse` takes. A compiler is asked only where there are macros or conditions.

    Raises Rejected: AZ111 for what the preprocessor refuses, AZ802 where there is no compiler.
    """
    text = prepared(source.text)
    if not needs_preprocessor(text):
        return text
    compiler = find_compiler()
    with tempfile.TemporaryDirectory(prefix="alphaz-c-") as name:
        (Path(name) / "kernel.c").write_text(f'#line 1 "kernel"\n{text}', encoding="utf-8")
        command = (*compiler.command, *compiler.openmp_flags, "-E", "-nostdinc", "kernel.c")
        outcome = run(command, Path(name), _SECONDS)
    if not outcome.succeeded:
        lines = [line for line in outcome.errors.splitlines() if "error" in line]
        said = lines[0].partition("error:")[2].strip() if lines else "it failed"
        raise Rejected(Diagnostic(C_SYNTAX, f"the C preprocessor refuses it: {said}", Label(Span(source, 0, 0))))
    return outcome.output
