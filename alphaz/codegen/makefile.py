"""A Makefile for the generated code and its main program, with the targets of the original AlphaZ."""

from alphaz.analysis.checks.checked import Checked
from alphaz.codegen.c.frame import file_stem
from alphaz.codegen.sources import Sources
from alphaz.mapping.footprint import called_systems

_HEAD = """\
# make plain: the program {stem}; make check: reads its inputs and prints its outputs.{verify_help}
# EXTERNAL names further C or object files (those that define external functions).

CC ?= cc
OPTIMISE ?= -O3
OPENMP ?= -fopenmp
EXTERNAL ?=
# Floats are computed as written: the same values as the interpreter.
CFLAGS ?= $(OPTIMISE) $(OPENMP)
REQUIRED = -std=c11 -ffp-contract=off -Wall -Wextra
LINK = $(CC) $(CFLAGS) $(REQUIRED)

SOURCES = {stem}.c {stem}-wrapper.c{called_sources} $(EXTERNAL)
HEADERS = {stem}.h{called_headers} $(wildcard external_functions.h)

.PHONY: {targets}

plain: {stem}

check: {stem}.check

{stem}: $(SOURCES) $(HEADERS)
	$(LINK) -o $@ $(SOURCES) -lm

{stem}.check: $(SOURCES) $(HEADERS)
	$(LINK) -DCHECKING -o $@ $(SOURCES) -lm
"""

_VERIFY = """
verify: {stem}.verify

verify-rand: {stem}.verify-rand

{stem}.verify: $(SOURCES) {stem}_verify.c $(HEADERS) {stem}_verify.h
	$(LINK) -DVERIFY -o $@ $(SOURCES) {stem}_verify.c -lm

{stem}.verify-rand: $(SOURCES) {stem}_verify.c $(HEADERS) {stem}_verify.h
	$(LINK) -DVERIFY -DRANDOM -o $@ $(SOURCES) {stem}_verify.c -lm
"""

_CLEAN = """
clean:
	rm -f {programs}
"""

_VERIFY_HELP = "\n# make verify, verify-rand: compare with the demand-driven program, on constant or random data."


def makefile(checked: Checked, system: str, with_verify: bool = False) -> Sources:
    """Returns `Makefile`. `with_verify`: targets that compare with `<system>_verify` (of generateVerificationCode).

    The systems that the system calls are compiled too, where they have files (demand-driven code includes them).
    """
    chosen = checked.program.system(system)
    stem = file_stem(chosen.name)
    others = [file_stem(each.name) for each in called_systems(checked.program, chosen) if each is not chosen]
    targets = ["plain", "check", *(["verify", "verify-rand"] if with_verify else []), "clean"]
    programs = [stem, f"{stem}.check", *([f"{stem}.verify", f"{stem}.verify-rand"] if with_verify else [])]
    template = _HEAD + (_VERIFY if with_verify else "") + _CLEAN
    text = template.format(
        stem=stem,
        targets=" ".join(targets),
        programs=" ".join(programs),
        verify_help=_VERIFY_HELP if with_verify else "",
        called_sources="".join(f" $(wildcard {other}.c)" for other in others),
        called_headers="".join(f" $(wildcard {other}.h)" for other in others),
    )
    return Sources({"Makefile": text})
