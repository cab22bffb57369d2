"""C that the reader does not support: its functions without their bodies, and whether it may be executed at all."""

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from alphaz.c.alphaz_header import RUNTIME, runtime_functions, runtime_text
from alphaz.c.preparation import INCLUDE, without_comments, without_strings
from alphaz.diagnostics import Diagnostic, Label, Source, Span
from alphaz.diagnostics.rules import C_SYNTAX
from alphaz.equivalence.driver.preprocessing import included, is_standard

_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[{}();=]|^[ \t]*#(?:\\\n|.)*', re.MULTILINE)
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
# A definition, not a call in front of a block: a type stands before the name.
_DEFINITION = re.compile(r"[\w*]\s*[ \t\n*]([A-Za-z_]\w*)\s*\((?:[^(){};]|\([^(){};]*\))*\)\s*\{")
_PLACE = re.compile(r"^(?P<file>[^:]*):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<what>.*)$")
# Keywords, clauses of directives, and functions without effects outside of the memory that they are passed, apart from
# output.
_HARMLESS = re.compile(
    r"void|char|short|int|long|float|double|(?:un)?signed|_Bool|bool|\w+_t|const|restrict|__restrict(?:__)?|static|register"
    r"|(?:first|last|copy)?private|shared|default|reduction|schedule|collapse|num_threads|critical|depend|proc_bind"
    r"|simdlen|safelen|aligned|linear|ordered|final|priority|grainsize|num_tasks|unroll\w*|loop_count"
    r"|if|for|while|switch|return|sizeof|do|else|case|defined|typeof|__typeof__|__attribute__|_Pragma|_Generic|_Alignof"
    r"|_Alignas|_Static_assert|offsetof|assert|exit|abort|mem(?:cpy|move|set)|[mc]alloc|realloc|free|aligned_alloc"
    r"|posix_memalign|alloca|printf|puts|putchar|clock|time|s?rand|l?l?abs|omp_\w+|_mm\w+|v\w+_[fsu]\d+|__builtin_\w+"
    r"|(?:a?(?:sin|cos|tan)h?|atan2|sqrt|cbrt|pow|exp2?|expm1|log(?:2|10|1p)?|fabs|floor|ceil|l?l?round|l?l?rint|trunc"
    r"|nearbyint|fmod|remainder|f(?:min|max|ma|dim)|hypot|copysign|ldexp|scalbn|erfc?|[lt]gamma|nextafter)[fl]?"
    r"|isnan|isinf|isfinite|signbit"
    r"|cuda[A-Z]\w*|atomic[A-Z]\w*|__(?:sync|shfl|threadfence|ballot|reduce|all|any|ld)\w*|__launch_bounds__|dim3"
)
# These words give access to files, processes or machine code, called or not.
_EFFECTS = re.compile(
    r"\b(?:(?:__)?asm(?:__)?|system|popen|v?fork|exec[lv]p?e?|kill|raise|signal|socket|connect|open(?:at|dir)?|creat"
    r"|f(?:d|re)?open|remove|unlink|rename|rmdir|mkdir|chmod|chown|(?:sym)?link|f?truncate|mmap|mprotect|syscall"
    r"|dlopen|dlsym|ptrace|putenv|setenv|constructor|destructor|ifunc|gets|f?scanf|read|write)\b"
)


def without_bodies(source: Source) -> Source:
    """Returns the text in which the body of each function is empty, with all else in its place."""
    text = without_comments(source.text)
    parts, begin, depth, last = list[str](), 0, 0, ""
    is_body = False
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign == "{":
            if depth == 0:
                is_body = last == ")"
                parts.append(text[begin : token.end()])
                begin = token.end()
            depth += 1
        elif sign == "}" and depth > 0:
            depth -= 1
            if depth == 0:
                inside = text[begin : token.start()]
                parts.append(re.sub(r"[^\n]", " ", inside) if is_body else inside)
                begin = token.start()
        if not sign.lstrip().startswith("#"):
            last = sign
    return Source(source.name, "".join((*parts, text[begin:])))


def may_have_effects(sources: Iterable[Source], known: Collection[str] = ()) -> bool:
    """Returns True if the files, or headers next to them, may do more than compute: if they call a function that is
    neither defined there, nor one of the `known` ones or of a library without such effects."""
    files, known = [*sources], {*known}
    for name, header in [include for file in files for include in included(file)]:
        if header is not None and name == RUNTIME and header.text == runtime_text():
            known |= runtime_functions().keys()
            continue
        if header is None and not is_standard(name):
            return True
        files += [] if header is None else [header]
    texts = [INCLUDE.sub("", without_strings(file.text)) for file in files]
    defined = {name for text in texts for pattern in (_MACRO, _DEFINITION) for name in pattern.findall(text)} | {*known}
    called = {name for text in texts for name in _CALL.findall(text)} - defined
    return any(map(_EFFECTS.search, texts)) or not all(map(_HARMLESS.fullmatch, called))


def compiler_finding(source: Source, message: str) -> Diagnostic:
    """Returns the finding that the compiler rejects a text, at the place that the compiler names."""
    match = _PLACE.match(message)
    span = Span(source, 0, 0)
    if match is not None and match["file"] == Path(source.name).name:
        span, message = source.word_at(int(match["line"]), int(match["column"])), match["what"]
    return Diagnostic(C_SYNTAX, f"this is no C: {message}", Label(span), notes=("the compiler says so",))
