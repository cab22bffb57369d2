"""A Makefile for the generated code and its main program, with the targets of the original AlphaZ."""

from collections.abc import Iterable

from alphaz.analysis.checks.checked_program import Checked
from alphaz.c.alphaz_header import RUNTIME
from alphaz.codegen.c.frame import file_stem
from alphaz.codegen.sources import Sources
from alphaz.codegen.toolchain import C, Toolchain
from alphaz.mapping.input_footprint import called_systems

_HEAD = """\
# make plain: the program {stem}; make check: reads its inputs and prints its outputs.{verify_help}
# EXTERNAL names further C or object files (those that define external functions).

{compiler} ?= {command}
OPTIMISE ?= {exact}
{threads}EXTERNAL ?=
# Floats are computed as written: the same values as the interpreter.
CFLAGS ?= $(OPTIMISE){thread_flags}
REQUIRED ={meaning}{warnings}
LINK = $({compiler}) $(CFLAGS) $(REQUIRED)

SOURCES = {stem}{suffix} {stem}-wrapper.c{called_sources}{more_sources} $(EXTERNAL)
HEADERS = {stem}.h{called_headers} $(wildcard {runtime} external_functions.h)

.PHONY: {targets}

plain: {stem}

check: {stem}.check

{stem}: $(SOURCES) $(HEADERS)
	$(LINK) -o $@ $(SOURCES){libraries}

{stem}.check: $(SOURCES) $(HEADERS)
	$(LINK) -DCHECKING -o $@ $(SOURCES){libraries}
"""

_VERIFY = """
verify: {stem}.verify

verify-rand: {stem}.verify-rand

{stem}.verify: $(SOURCES) {stem}_verify.c $(HEADERS) {stem}_verify.h
	$(LINK) -DVERIFY -o $@ $(SOURCES) {stem}_verify.c{libraries}

{stem}.verify-rand: $(SOURCES) {stem}_verify.c $(HEADERS) {stem}_verify.h
	$(LINK) -DVERIFY -DRANDOM -o $@ $(SOURCES) {stem}_verify.c{libraries}
"""

_CLEAN = """
clean:
	rm -f {programs}
"""

_VERIFY_HELP = "\n# make verify, verify-rand: compare with the demand-driven program, on constant or random data."


def makefile(checked: Checked, system: str, toolchain: Toolchain, with_verify: bool = False) -> Sources:
    """Returns `Makefile`, other builds, and the files of the toolchain. `with_verify`: targets that compare with
    `<system>_verify` (of generateVerificationCode).

    The systems that the system calls are compiled too, where they have files (demand-driven code includes them).
    """
    suffix, threads = toolchain.language.suffix, toolchain.threads
    more = [name for name, _ in toolchain.files if name.endswith((C.suffix, suffix))]
    chosen = checked.program.system(system)
    stem = file_stem(chosen.name)
    endings = dict.fromkeys((C.suffix, suffix))
    others = [
        file_stem(called_system.name)
        for called_system in called_systems(checked.program, chosen)
        if called_system is not chosen
    ]
    targets = ["plain", "check", *(["verify", "verify-rand"] if with_verify else []), "clean"]
    programs = [stem, f"{stem}.check", *([f"{stem}.verify", f"{stem}.verify-rand"] if with_verify else [])]
    template = _HEAD + (_VERIFY if with_verify else "") + _CLEAN
    text = template.format(
        stem=stem,
        runtime=RUNTIME,
        suffix=suffix,
        compiler=toolchain.variable,
        command=toolchain.commands[0],
        exact=" ".join(toolchain.exact),
        meaning=_after_blanks(toolchain.meaning),
        warnings=_after_blanks(toolchain.warnings),
        libraries=_after_blanks(toolchain.libraries),
        threads=f"{threads.name.upper()} ?= {' '.join(threads.flags)}\n" if threads else "",
        thread_flags=f" $({threads.name.upper()})" if threads else "",
        more_sources=_after_blanks(more),
        targets=" ".join(targets),
        programs=" ".join(programs),
        verify_help=_VERIFY_HELP if with_verify else "",
        called_sources=_after_blanks(f"$(wildcard {other}{end})" for other in others for end in endings),
        called_headers=_after_blanks(f"$(wildcard {other}.h)" for other in others),
    )
    builds = toolchain.builds(toolchain, stem, chosen.parameters)
    return Sources({"Makefile": text, **builds, **dict(toolchain.files)})


def _after_blanks(words: Iterable[str]) -> str:
    return "".join(f" {word}" for word in words)
