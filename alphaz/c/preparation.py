"""Text of C as pycparser takes it: without comments, includes, line marks, words of CUDA and attributes of compilers.

Every other character keeps its line, and its column unless a pragma in front of it goes over several lines.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.c.copy_assembly import without_copy_assembly
from alphaz.c.cuda_preparation import DEDUCED_TYPE, CudaWords, vector_types, without_cuda
from alphaz.c.tree import SourcePlace

_COMMENT = re.compile(r"/\*.*?\*(?:\\\n)*/|//(?:\\\n|[^\n])*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma(?:\\\n|[^\n])*", re.MULTILINE)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(?P<header>[<\"](?P<name>[^<>\"\n]+)[>\"])[ \t]*$", re.MULTILINE)
CONSTANT = re.compile(
    r"^(?P<head>[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)[ \t]+)\(?(?P<value>\d+)\)?(?P<rest>[ \t]*)$", re.MULTILINE
)
# Some compilers join the line behind it, others do not.
_SPLICE = re.compile(r"\\[ \t\r\f\v]+$|\?\?/", re.MULTILINE)
_MARK = re.compile(r'^[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)(?:[ \t]+"([^"\n]*)")?[^\n]*$')
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?!pragma\b)\w", re.MULTILINE)
_ENDED = re.compile(r"(?:[;{}):]|\b(?:else|do))$")
_VECTOR = re.compile(
    r"typedef[ ]+(?P<of>\w+)[ ]+(?P<name>\w+)(?P<rest>[ ]+__attribute__[ ]*\(\((?P<words>[^;\n]*)\)\))"
)
_VECTOR_SIZE = re.compile(r"vector_size\((\d+)\)")
# Attributes of code generation and alternative spellings, without effect on the meaning.
_HARMLESS = r"(?:always_inline|noinline|hot|cold|flatten|unused|target[ ]*\([ ]*\"[\w.,-]*\"[ ]*\))"
_HARMLESS_ATTRIBUTES = (
    re.compile(rf"\b__attribute__[ ]*\(\([ ]*{_HARMLESS}(?:[ ]*,[ ]*{_HARMLESS})*[ ]*\)\)"),
    re.compile(r"(?<=\])[ ]*__attribute__[ ]*\(\([ ]*aligned[ ]*\([ ]*\d+[ ]*\)[ ]*\)\)(?=[ ]*[;=,])"),
)
_SPELLED = re.compile(r"\b__(restrict|inline|volatile|const|signed)(?:__)?\b")
_TYPES = frozenset({
    "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "intptr_t", "uintptr_t",
    "intmax_t", "uintmax_t", "size_t", "ssize_t", "ptrdiff_t", "wchar_t", "time_t", "clock_t", "off_t", "va_list",
    "FILE", "bool", "dim3", "cudaStream_t", "cudaError_t", "cudaEvent_t",
})  # fmt: skip
_VECTORS_OF_HEADERS = re.compile(r"__m(?:64|128|256|512)[di]?|__mmask\d+|u?(?:int|float)\d+x\d+(?:x\d)?_t")


@dataclass(frozen=True, slots=True)
class PreparedText:
    """A text to parse. `plain` is the same without strings; `types` are the types of headers in it.

    `vectors`: the bytes of the vector types that it defines; `directive`: the first line for a preprocessor; `marks`:
    the first line behind each line mark, with its file and number there; `stray`: the first directive inside of a
    statement; `splice`: the first line whose end is no end of the line for some compilers.
    """

    text: str
    plain: str
    types: tuple[str, ...]
    includes: tuple[str, ...]
    constants: tuple[tuple[str, str], ...]
    vectors: Mapping[str, int]
    words: CudaWords
    starts: tuple[int, ...]
    marks: tuple[tuple[int, str, int], ...]
    directive: SourcePlace | None
    stray: SourcePlace | None
    splice: SourcePlace | None

    def offset(self, line: int, column: int) -> int:
        return self.starts[min(line, len(self.starts)) - 1] + column - 1

    def place(self, line: int, column: int) -> SourcePlace:
        return _place(self.marks, line, column)

    def place_at(self, offset: int) -> SourcePlace:
        line = bisect_right(self.starts, offset)
        return self.place(line, offset - self.starts[line - 1] + 1)


def prepare(text: str) -> PreparedText:
    """Returns a text of C, preprocessed or without macros, as pycparser takes it."""
    splice = _SPLICE.search(text)
    spliced = text.count("\n", 0, splice.start()) + 1 if splice else 0
    text = _PRAGMA.sub(_joined, without_comments(text))
    includes = tuple(match["header"] for match in INCLUDE.finditer(text))
    constants = tuple((match["name"], match["value"]) for match in CONSTANT.finditer(text))
    for pattern in (INCLUDE, CONSTANT):
        text = pattern.sub(_blanks, text)
    text, marks = _without_marks(text)
    match = _DIRECTIVE.search(text)
    line = text.count("\n", 0, match.end()) + 1 if match else 0
    vectors: dict[str, int] = {}
    text = _VECTOR.sub(lambda one: _without_vector(one, vectors), text)
    for pattern in _HARMLESS_ATTRIBUTES:
        text = pattern.sub(_blanks, text)
    text = _SPELLED.sub(lambda one: one[1].ljust(len(one[0])), text)
    text = without_copy_assembly(text)
    text, words = without_cuda(text, without_strings(text))
    plain = without_strings(text)
    used = {*re.findall(r"\w+", plain)}
    stray = _stray_line(plain)
    return PreparedText(
        text=text, plain=plain, includes=includes, constants=constants, vectors=vectors, words=words, marks=marks,
        types=tuple(sorted({
            *(name for name in used if name in _TYPES or _VECTORS_OF_HEADERS.fullmatch(name)),
            *(name for name in vector_types(plain, words) if name in used),
            *((DEDUCED_TYPE,) if DEDUCED_TYPE in plain else ()),
        })),
        starts=(0, *(position + 1 for position, char in enumerate(text) if char == "\n")),
        directive=_place(marks, line, 1) if match else None,
        stray=None if stray is None else _place(marks, stray, 1),
        splice=_place(marks, spliced, 1) if splice else None,
    )  # fmt: skip


def _stray_line(plain: str) -> int | None:
    """Returns the number of the first line with a directive inside of the line, or inside of a statement."""
    before = ";"
    for number, line in enumerate(map(str.strip, plain.split("\n")), 1):
        if _PRAGMA.match(line):
            if not _ENDED.search(before):
                return number
        elif "#" in line:
            return number
        else:
            before = line or before
    return None


def without_comments(text: str) -> str:
    """Returns the text with comments replaced by blanks; every other character keeps its position."""
    return _COMMENT.sub(lambda comment: _blanks(comment) if comment[0].startswith("/") else comment[0], text)


def without_includes(text: str) -> str:
    """Returns the text without comments and `#include` lines; every other character keeps its position."""
    return INCLUDE.sub(_blanks, without_comments(text))


def without_strings(text: str) -> str:
    """Returns a text without comments with strings and characters replaced by blanks."""
    return _COMMENT.sub(_blanks, text)


def _blanks(match_: re.Match[str]) -> str:
    return "".join("\n" if char == "\n" else " " for char in match_[0])


def _joined(match_: re.Match[str]) -> str:
    return match_[0].replace("\\\n", "") + "\n" * match_[0].count("\\\n")


def _without_marks(text: str) -> tuple[str, tuple[tuple[int, str, int], ...]]:
    """Returns the text without line marks, and what these say of the lines behind them."""
    lines, marks = text.split("\n"), list[tuple[int, str, int]]()
    for position, line in enumerate(lines):
        mark = _MARK.match(line)
        if mark is not None:
            file = mark[2] if mark[2] is not None else (marks[-1][1] if marks else "")
            marks.append((position + 2, file, int(mark[1])))
            lines[position] = ""
    return "\n".join(lines), tuple(marks)


def _place(marks: tuple[tuple[int, str, int], ...], line: int, column: int) -> SourcePlace:
    position = bisect_right(marks, line, key=lambda mark: mark[0]) - 1
    if position < 0:
        return SourcePlace("", line, column)
    first, file, number = marks[position]
    return SourcePlace(file, number + line - first, column)


def _without_vector(match_: re.Match[str], vectors: dict[str, int]) -> str:
    """Notes a vector that may stand wherever its elements may, and returns its definition as that of an element. Others
    stay, and are not parsed."""
    size, words = _VECTOR_SIZE.search(match_["words"]), {word.strip() for word in match_["words"].split(",")}
    if size is None or not {"may_alias", f"aligned(sizeof({match_['of']}))"} <= words:
        return match_[0]
    vectors[match_["name"]] = int(size[1])
    return match_[0].removesuffix(match_["rest"]) + " " * len(match_["rest"])
