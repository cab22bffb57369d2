"""Preprocessing of C texts: macros and conditions as the compiler sees them, without headers.

Definitions of headers must not matter: this is tested with the compiler and the headers of the system. Headers next to
the file are read, and may contain only prototypes.
"""

import re
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from alphaz.c import tree as c
from alphaz.c.alphaz_header import RUNTIME, runtime_text
from alphaz.c.preparation import INCLUDE, without_comments, without_includes, without_strings
from alphaz.c.walk import nodes
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import C_SYNTAX
from alphaz.equivalence.driver.alphaz_header_check import includes_runtime
from alphaz.processes.external import run
from alphaz.run.compiler import find_compiler
from alphaz.scop import needs_preprocessor, parse
from alphaz.scop.intrinsics import TYPES
from alphaz.scop.macros import LINE_MARK, with_plain_extremes
from alphaz.scop.name_checks import GIVEN, check_characters
from alphaz.scop.unsupported import outside

_SECONDS = 60
_DEEPEST = 8
_ASKED = re.compile(r"^[ \t]*#[ \t]*(?:if|elif|ifdef|ifndef|elifdef|elifndef)\b((?:\\\n|[^\n])*)", re.MULTILINE)
_MARK = re.compile(r'^#(?:line)? +(?P<line>\d+) +"(?P<file>[^"]*)"')
_DEFINITION = re.compile(r"^#(?:define|undef) +(?P<name>\w+)")
# The headers of C, and of systems, with a known meaning: none of them changes the meaning of the rest of a file, except
# by the macros that it defines.
_STANDARD = """
    assert ctype errno fenv float inttypes limits locale math setjmp signal stdalign stdarg stdatomic
    stdbool stddef stdint stdio stdlib stdnoreturn string threads time uchar wchar wctype omp unistd sys/mman
    sys/time sys/types alloca malloc immintrin x86intrin emmintrin xmmintrin pmmintrin tmmintrin smmintrin nmmintrin
    arm_neon
"""
# Predefined macros that do not depend on compiler options.
_OF_COMPILERS = frozenset({"__linux__", "__cplusplus", "_OPENMP", "__GNUC__", "__clang__", "__STDC_VERSION__"})
_PRAGMA, _LINKAGE = re.compile("#pragma"), re.compile(r'(?:extern\s*"C"\s*\{?|\})$')
_KERNEL = re.compile(r"\b__global__\b")
_BODY = re.compile(r"^[ \t]*#[ \t]*define[ \t]+\w+((?:\\\n|[^\n])*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _CompilerOutput:
    """The result of preprocessing: the text, its non-empty lines, with those that define macros, the macros that other
    files define, and those without a definition: compilers predefine them."""

    text: str
    lines: frozenset[int]
    of_headers: frozenset[str]
    builtin: frozenset[str]


def with_plain_lines(source: Source) -> Source:
    r"""Returns the text without a byte order mark, with line ends `\n`."""
    return Source(source.name, source.text.removeprefix("\ufeff").replace("\r\n", "\n"))


def read_tree(
    source: Source, text: str, *, is_generated: bool = False, sizes: tuple[str, frozenset[str]] | None = None
) -> c.File:
    """Returns the normalised tree of the `text` of a file, with the functions of `alphaz.h` if it includes that.
    `is_generated`: that header will be next to the file; `sizes` as for `scop.normalisation.parse`.

    Raises Rejected as `preprocessed` and `scop.normalisation.parse`.
    """
    file = Source(source.name, text)
    check_characters(file)
    has_runtime = includes_runtime(file, is_generated=is_generated)
    return parse(source, preprocessed(file, has_runtime=has_runtime), has_runtime=has_runtime, sizes=sizes)


def preprocessed(source: Source, *, has_runtime: bool = False) -> str:
    """Returns the text in the form that `scop.normalisation.parse` takes, without headers. A compiler is called only if
    there are macros or conditions. `has_runtime`: it includes `alphaz.h`, which is known.

    Raises Rejected: AZ831 for preprocessor errors, AZ832 for unsupported constructs, AZ802 if there is no compiler.
    """
    check_characters(source)
    for directive in INCLUDE.finditer(without_comments(source.text)):
        if directive["name"] == "tgmath.h":
            message, remedy = "its functions depend on the types of their arguments", "include <math.h>"
            raise outside(
                Span(source, directive.start("name"), directive.end("name")), f"`tgmath.h`: {message}", remedy
            )
    whole = Source(source.name, f"{source.text}\n{runtime_text()}") if has_runtime else source
    _check_beside(source, whole, _DEEPEST, has_runtime=has_runtime)
    text = without_includes(source.text)
    if not needs_preprocessor(text):
        return text
    if (line := LINE_MARK.search(text)) is not None:
        message = "a partly preprocessed text (with `#line`) must not contain macros"
        raise outside(Span(source, line.start(), line.end()), message, "preprocess the text completely, or not at all")
    text = with_plain_extremes(text)
    output = _run_preprocessor(source, text, "-nostdinc")
    _check_conditions(source, text, output, has_runtime=has_runtime)
    return output.text


def unread_headers(source: Source, *, has_runtime: bool = False) -> Iterator[str]:
    """Yields the headers that are neither headers of the system nor next to the file, nor `alphaz.h` if it is known."""
    headers = (name for name, header in included(source) if header is None and not is_standard(name))
    yield from (name for name in dict.fromkeys(headers) if not (has_runtime and name == RUNTIME))


def undefined_names(source: Source) -> Iterator[str]:
    """Yields the names that conditions test, but no file defines."""
    plain = without_includes(source.text)
    if _ASKED.search(plain):
        defined_names = {*GIVEN.findall(plain)}
        yield from (
            name for name in _names_in_conditions(plain) if name not in defined_names and not name.startswith("_")
        )


def _names_in_conditions(plain: str, pattern: re.Pattern[str] = _ASKED) -> dict[str, int]:
    """Returns the names in conditions, or in other lines that match, with their positions."""
    return {
        name[0]: match_.start(1) + name.start()
        for match_ in pattern.finditer(plain)
        for name in re.finditer(r"\b[A-Za-z_]\w*", match_[1])
        if name[0] != "defined"
    }


# --- conditions -------------------------------------------------------------------------------------------------------


def _check_conditions(source: Source, text: str, output: _CompilerOutput, *, has_runtime: bool) -> None:
    """Raises Rejected if the compiler may see another text than the one read."""
    defined_names, tested_names = {*GIVEN.findall(text)}, _names_in_conditions(text)
    # A condition may test through another macro.
    for name, at in {**(_names_in_conditions(text, _BODY) if tested_names else {}), **tested_names}.items():
        if name.startswith("_") and name not in defined_names | _OF_COMPILERS:
            message = f"whether `{name}` is defined depends on compiler options"
            raise outside(Span(source, at, at + len(name)), message, "remove the condition")
    rest = _ASKED.sub(lambda question: " " * len(question.group()), without_strings(text))
    for word in re.finditer(r"\b[A-Za-z_]\w*", rest):
        if word[0] in output.builtin - defined_names:
            message = f"the value of `{word[0]}` depends on compiler options"
            raise outside(Span(source, word.start(), word.end()), message, "replace it by its value")
    unread = [*unread_headers(source, has_runtime=has_runtime)]
    for name in undefined_names(source) if unread else ():
        message, at = f"whether `{name}` is defined depends on `{unread[0]}`, which is not read", tested_names[name]
        raise outside(Span(source, at, at + len(name)), message, "remove the condition")
    if "_OPENMP" in tested_names:
        _compare(source, output, _run_preprocessor(source, text, "-nostdinc", openmp=False), "OpenMP")
    if "__STDC_VERSION__" in tested_names:
        _compare(source, output, _run_preprocessor(source, text, "-nostdinc", "-std=c99"), "the standard")
    if "__cplusplus" in tested_names and _KERNEL.search(text):
        # A kernel is C++, which is read as C.
        as_cpp = _run_preprocessor(source, text, "-nostdinc", "-D__cplusplus=201703L")
        _compare(source, output, as_cpp, "C++", ignored=_LINKAGE)
    headers = [name for name in dict.fromkeys(name for name, _ in included(source)) if is_standard(name)]
    if not headers or not (defined_names or tested_names):
        return
    # The text keeps its number of lines: headers are given on the command line.
    with_headers = _run_preprocessor(source, text, *(part for header in headers for part in ("-include", header)))
    _compare(source, output, with_headers, "definitions of a header")
    # Names that begin like this select parts of headers.
    for name in sorted(name_ for name_ in defined_names & with_headers.of_headers if not name_.startswith("_")):
        raise outside(_place(source, text, name), f"`{name}` is also a macro of a header", "give it another name")


def _compare(
    source: Source, output: _CompilerOutput, other: _CompilerOutput, reason: str, ignored: re.Pattern[str] = _PRAGMA
) -> None:
    differing = [at for at in output.lines ^ other.lines if not ignored.match(source.line(at).strip())]
    if differing:
        message = f"whether this line is compiled depends on {reason}"
        raise outside(source.word_at(min(differing), 1), message, "remove the condition")


def _place(source: Source, text: str, name: str) -> Span:
    at = next((directive.start(1) for directive in GIVEN.finditer(text) if directive[1] == name), 0)
    return Span(source, at, at + len(name))


def _run_preprocessor(source: Source, text: str, *options: str, openmp: bool = True) -> _CompilerOutput:
    compiler = find_compiler()
    output = _output(compiler.command, compiler.thread_flags if openmp else (), options, text)
    if isinstance(output, _CompilerOutput):
        return output
    raise Rejected(Diagnostic(C_SYNTAX, f"the C preprocessor fails: {output}", Label(Span(source, 0, 0))))


@lru_cache(maxsize=16)
def _output(command: Sequence[str], flags: Sequence[str], options: Sequence[str], text: str) -> _CompilerOutput | str:
    """Returns the preprocessed text, or an error message."""
    with tempfile.TemporaryDirectory(prefix="alphaz-c-") as name:
        (Path(name) / "kernel.c").write_text(f'#line 1 "kernel"\n{text}', encoding="utf-8")
        outcome = run((*command, *flags, "-E", "-dD", *options, "kernel.c"), Path(name), _SECONDS)
    if outcome.succeeded:
        return _of_text(outcome.output)
    lines = [line for line in outcome.errors.splitlines() if "error" in line]
    return lines[0].partition("error:")[2].strip() if lines else "it failed"


def _of_text(output: str) -> _CompilerOutput:
    """Returns the part of the output from the text itself, in its lines."""
    own_lines, lines = [], set()
    of_headers: set[str] = set()
    builtin: set[str] = set()
    file, at = "", 0
    for line in output.split("\n"):
        if (mark := _MARK.match(line)) is not None:
            file, at = mark["file"], int(mark["line"])
            own_lines.append(line if file == "kernel" else "")
            continue
        definition, is_own = _DEFINITION.match(line), file == "kernel"
        if is_own and line.strip():
            lines.add(at)
        elif definition is not None:
            (builtin if file in ("<built-in>", "<command-line>") else of_headers).add(definition["name"])
        own_lines.append(line if is_own and definition is None else "")
        at += 1
    return _CompilerOutput("\n".join(own_lines), frozenset(lines), frozenset(of_headers), frozenset(builtin))


# --- headers ----------------------------------------------------------------------------------------------------------


def is_standard(name: str) -> bool:
    return name.endswith(".h") and name.removesuffix(".h") in _STANDARD.split()


def _beside(source: Source, name: str) -> Source | None:
    """Returns the header next to a file."""
    path = Path(source.name).parent / name
    try:
        return Source(str(path), path.read_text(encoding="utf-8")) if path.is_file() else None
    except (OSError, ValueError):
        return None


def included(source: Source, depth: int = _DEEPEST) -> Iterator[tuple[str, Source | None]]:
    """Yields the headers of a file, and those of the headers next to it, with their sources."""
    for directive in INCLUDE.finditer(without_comments(source.text)):
        header = None if is_standard(directive["name"]) else _beside(source, directive["name"])
        yield directive["name"], header
        if header is not None and depth:
            yield from included(header, depth - 1)


def _check_beside(source: Source, whole: Source, depth: int, *, has_runtime: bool = False) -> None:
    """Raises Rejected for headers next to a file with more than prototypes, as far as the `whole` text uses them.
    `has_runtime`: the header `alphaz.h` next to the first file is known."""
    plain = without_comments(source.text)
    for directive in INCLUDE.finditer(plain):
        if has_runtime and directive["name"] == RUNTIME:
            continue
        header = _beside(source, directive["name"])
        if header is not None and is_standard(directive["name"]):
            at = Span(source, directive.start("name"), directive.end("name"))
            title = f"`{directive['name']}`, next to the file, has the name of a system header"
            raise outside(at, title, "give it another name")
        if header is None:
            continue
        problem = "it includes itself" if depth == 0 else _more_than_prototypes(header, whole)
        if problem is not None:
            at = Span(source, directive.start("name"), directive.end("name"))
            remedy = "move its contents into the file"
            raise outside(at, f"`{directive['name']}` cannot be used: {problem}", remedy)
        _check_beside(header, whole, depth - 1)


def _more_than_prototypes(header: Source, whole: Source) -> str | None:
    """Returns the part of a header on which the text may depend; None for prototypes and unused names."""
    words = {*re.findall(r"\w+", without_comments(whole.text))}
    text = without_includes(header.text)
    try:
        check_characters(header)
        tree = parse(header, _run_preprocessor(header, text, "-nostdinc").text)
    except Rejected as rejected:
        return f"it cannot be read: {rejected.diagnostics[0].message}"
    macros = sorted(words & {*GIVEN.findall(text)})
    if macros:
        return f"it defines the macro `{macros[0]}`"
    return None if all(_has_no_effect(item, words) for item in tree.items) else "it contains more than prototypes"


def _has_no_effect(item: c.Item, words: Collection[str]) -> bool:
    """Returns True for prototypes, and for types that are not among the words."""
    match item:
        case c.Function(body=None):
            return True
        case c.Typedef(type_, name):
            is_unused = name not in words and not any(node.constants for node in nodes(type_, c.Enumeration))
            return is_unused or name in TYPES
    return False
