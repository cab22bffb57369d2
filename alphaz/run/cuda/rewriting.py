"""Rewrites preprocessed CUDA to C++ for the headers of `runtime/`. Lines stay where they are.

`K<<<g, b>>>(x)` becomes a call of `alphaz::launch`, a `__shared__` array a reference to memory of the block; variables
of the device are registered; known `asm` becomes calls. All other parts of CUDA are declarations of the headers.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alphaz.c.preparation import without_comments, without_strings
from alphaz.run.cuda.ptx_instructions import ptx_call

_LITERAL = re.compile(
    r'R"(\w*)\((?s:.*?)\)\1"|"(?:[^"\\\n]|\\.)*"|(?<![0-9A-Fa-f])\'(?:[^\'\\\n]|\\.)+\'|^#[^\n]*', re.MULTILINE
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_WORDS = re.compile(r"__shared__|__global__|__device__|__constant__|__managed__|(?<![\w(])__noinline__\b|<<<"
                    r"|\bcudaFuncSetAttribute\b|\b(?:asm|__asm__|__asm)\b")  # fmt: skip
_CUDA = re.compile(r"\b__global__\b|<<<|\bcuda[A-Z]\w*\s*\(")
_STORAGE = re.compile(r"\b(?:extern|static|__device__|__constant__|__managed__|__shared__)\b")
_DEVICE = re.compile(r"\b(?:__device__|__constant__|__managed__|__host__)\b")
_QUALIFIERS = re.compile(r"\s*(?:(?:__device__|__constant__|__managed__|__host__|static|inline|const|volatile)\b\s*)*")
_ATTRIBUTE = re.compile(r"\b(?:__attribute__|alignas)\s*(?=\()")
_RECORD = re.compile(r"\s*(?:typedef\b|using\b|(?:struct|class|union|enum|namespace)\b\s*\w*\s*[{:;])")
_CASTS = re.compile(r"\s+|&|\((?:const)?void(?:const)?\*\)|(?:reinterpret|static)_cast<(?:const)?void(?:const)?\*>")
# An argument of a template is no null pointer constant.
_NULL = re.compile(r"(?:^|,)\s*(__null)(?=\s*(?:,|$))")
_OPEN, _CLOSE = "([{", ")]}"


class NotCuda(Exception):
    """The text has a construct that cannot be rewritten; carries its position and the reason."""

    def __init__(self, position: int, reason: str) -> None:
        self.at, self.reason = position, reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class _Edit:
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Declarator:
    """A declared name, its declaration without storage, and the part behind the name."""

    name: str
    before: str
    behind: str


def is_cuda_text(text: str) -> bool:
    """Returns True for a text with kernels, launches or calls of the CUDA runtime."""
    return _CUDA.search(without_strings(without_comments(text))) is not None


def cpp_text(text: str) -> str:
    """Returns the C++ of a preprocessed text. Raises NotCuda."""
    plain = _LITERAL.sub(lambda match: _blank(match[0]), text)
    return _rewritten(text, plain, dict(_kernels(plain)))


def _rewritten(text: str, plain: str, kernels: Mapping[str, tuple[str, ...]]) -> str:
    edits: list[_Edit] = []
    end = 0
    for match in _WORDS.finditer(plain):
        if match.start() < end:
            continue
        edit = _edit_at(text, plain, match, kernels)
        # Words before an edit that begins earlier are inside of it: the name of a launched kernel.
        while edits and edits[-1].start >= edit.start:
            edits.pop()
        edits.append(edit)
        end = edit.end
    parts, at = [], 0
    for edit in edits:
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join((*parts, text[at:]))


def _blank(literal: str) -> str:
    """Returns a literal of the same length without its content."""
    if literal.startswith("#"):
        return " " * len(literal)
    return literal[0] + re.sub(r"[^\n]", " ", literal[1:-1]) + literal[-1]


def _edit_at(text: str, plain: str, match: re.Match[str], kernels: Mapping[str, tuple[str, ...]]) -> _Edit:
    word, at = match[0], match.start()
    if word == "<<<":
        return _launch(text, plain, at, kernels)
    if word == "__shared__":
        return _shared(text, plain, at)
    if word == "cudaFuncSetAttribute":
        return _attribute(text, plain, match)
    if word in ("asm", "__asm__", "__asm"):
        return _assembly(text, plain, match)
    if word in ("__device__", "__constant__", "__managed__"):
        return _variable(text, plain, match)
    return _Edit(at, match.end(), "")


def _closing_bracket(plain: str, position: int) -> int:
    """Returns the position of the bracket that closes the one at `position`."""
    depth = 0
    for place in range(position, len(plain)):
        depth += (plain[place] in _OPEN) - (plain[place] in _CLOSE)
        if depth == 0:
            return place
    raise NotCuda(position, f"`{plain[position]}` is never closed")


def _next_outside_brackets(plain: str, at: int, marks: str) -> int:
    """Returns the position of the first of these characters outside of brackets."""
    while at < len(plain) and plain[at] not in marks:
        at = _closing_bracket(plain, at) + 1 if plain[at] in _OPEN else at + 1
    if at >= len(plain):
        raise NotCuda(at - 1, f"one of `{marks}` is missing")
    return at


def _split_at_commas(
    text: str, plain: str, start: int, end: int, *, has_types: bool = False
) -> Iterator[tuple[str, str]]:
    """Yields the parts between commas outside of brackets, as in the text and without literals. `has_types`: angles
    are brackets too.
    """
    depth, begin = 0, start
    openers, closers = (_OPEN + "<", _CLOSE + ">") if has_types else (_OPEN, _CLOSE)
    for position in range(start, end):
        depth += (plain[position] in openers) - (plain[position] in closers)
        if plain[position] == "," and depth == 0:
            yield text[begin:position], plain[begin:position]
            begin = position + 1
    if plain[begin:end].strip():
        yield text[begin:end], plain[begin:end]


def _quoted(text: str) -> str:
    escaped = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _declarators(text: str, plain: str, start: int, end: int) -> list[_Declarator]:
    """Returns the declared names of a declaration `type a[2], b`, without storage and attributes."""
    declarators: list[_Declarator] = []
    type_ = ""
    pieces = list(_split_at_commas(text, plain, start, end, has_types=True))
    for piece, hidden in pieces:
        initialiser = re.search(r"[\[={]", _ATTRIBUTE.sub(lambda m: " " * len(m[0]), _hide_brackets(hidden)))
        name_end = initialiser.start() if initialiser else len(hidden)
        names = [name for name in _NAME.finditer(_hide_brackets(hidden), 0, name_end) if name[0] != "__attribute__"]
        if not names:
            raise NotCuda(start, "a declaration without a name")
        before = _without_attributes(piece[: names[-1].start()])
        if not declarators:
            type_ = before.rstrip("*& \n")
        declarators.append(
            _Declarator(names[-1][0], before if not declarators else type_ + before, piece[names[-1].end() :])
        )
    return declarators


def _hide_brackets(plain: str) -> str:
    """Returns the text without the content of parentheses."""
    depth, characters = 0, []
    for character in plain:
        depth -= character == ")"
        characters.append(" " if depth > 0 else character)
        depth += character == "("
    return "".join(characters)


def _without_attributes(text: str) -> str:
    while match := _ATTRIBUTE.search(text):
        text = text[: match.start()] + text[_closing_bracket(text, text.index("(", match.start())) + 1 :]
    return _STORAGE.sub("", text)


def _kept_lines(before: str, after: str) -> str:
    """Returns `after` with as many line ends as `before` has."""
    return after + "\n" * (before.count("\n") - after.count("\n"))


def _start_of_statement(plain: str, position: int) -> int:
    return max(plain.rfind(mark, 0, position) for mark in ";{}") + 1


def _shared(text: str, plain: str, position: int) -> _Edit:
    """The storage words before `__shared__` go, too."""
    words = re.search(
        r"(?:\b(?:extern|static|volatile|const|__device__)\b\s*)*$", plain[max(0, position - 200) : position]
    )
    start = position - len(words[0]) if words else position
    end = _next_outside_brackets(plain, position, ";")
    is_dynamic = "extern" in plain[start:end].split()
    volatile = "volatile " if "volatile" in plain[start:position].split() else ""
    rewrite_declarator = _shared_in_function if _is_in_function(plain, start) else _shared_in_file
    declarators = _declarators(text, plain, position, end)
    parts = [rewrite_declarator(d.name, f"{volatile}{d.before}", d.behind, is_dynamic) for d in declarators]
    return _Edit(start, end, _kept_lines(text[start:end], "; ".join(parts)))


def _shared_in_function(name: str, before: str, behind: str, is_dynamic: bool) -> str:
    type_, dynamic = f"alphaz_type_{name}", str(is_dynamic).lower()
    declaration = f'::alphaz::shared_array<{type_}>(__PRETTY_FUNCTION__, "{name}", {dynamic})'
    return f"typedef {before} {type_}{behind}; {type_} &{name} = {declaration}"


def _shared_in_file(name: str, before: str, behind: str, is_dynamic: bool) -> str:
    if is_dynamic:
        return f'extern {before} {name}{behind} __asm__("alphaz_dynamic_memory")'
    return f"static {before} {name}{behind}; {_registered(name, 'SHARED')}"


def _registered(name: str, place: str) -> str:
    return f'static ::alphaz::Variable alphaz_variable_{name}({name}, "{name}", ::alphaz::Place::{place})'


def _is_in_function(plain: str, position: int) -> bool:
    """Returns True where the nearest braces are not those of a namespace."""
    depth = 0
    for place in range(position - 1, -1, -1):
        depth += (plain[place] == "}") - (plain[place] == "{")
        if depth < 0:
            return not re.search(r"\b(?:namespace\s*\w*|extern\s*\"\s*\")\s*$", plain[max(0, place - 100) : place])
    return False


def _variable(text: str, plain: str, match: re.Match[str]) -> _Edit:
    """A variable of the device is registered behind its declaration; other declarations lose the word."""
    start = match.start()
    skipped = _QUALIFIERS.match(plain, match.end())
    begin = skipped.end() if skipped else match.end()
    first, at = begin, _end_of_specifiers(plain, begin)
    words = plain[_start_of_statement(plain, start) : at].split()
    is_type = _RECORD.match(plain[begin : at + 1]) is not None
    if is_type and plain[at] == "{":
        # Behind the members of a structure there may be variables.
        first = at = _closing_bracket(plain, at) + 1
        is_type = _NAME.match(plain[at:].lstrip()[:1]) is None
    if is_type or plain[at] == "(" or not {"extern", "template", "__shared__"}.isdisjoint(words):
        return _Edit(start, match.end(), "")
    end = _next_outside_brackets(plain, at, ";")
    place = "MANAGED" if "__managed__" in plain[start:begin] else "DEVICE"
    names = [declarator.name for declarator in _declarators(text, plain, first, end)]
    declaration = _DEVICE.sub("", text[start : end + 1])
    return _Edit(start, end + 1, declaration + "".join(f" {_registered(name, place)};" for name in names))


def _end_of_specifiers(plain: str, at: int) -> int:
    """Returns the position of the first bracket, `=` or `;` of a declaration, except those of attributes."""
    while at < len(plain) and plain[at] not in "(;={[":
        attribute = _ATTRIBUTE.match(plain, at)
        at = _closing_bracket(plain, attribute.end()) + 1 if attribute else at + 1
    if at >= len(plain):
        raise NotCuda(at - 1, "a declaration without an end")
    return at


def kernel_parameters(text: str) -> dict[str, tuple[str, ...]]:
    """Returns the names of the parameters of the kernels in a text, which need not be preprocessed. Raises NotCuda."""
    return dict(_kernels(without_strings(without_comments(text))))


def _kernels(plain: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the kernels with the names of their parameters."""
    for match in re.finditer(r"__global__(?:\s*__launch_bounds__\s*\((?:[^()]|\([^()]*\))*\))?", plain):
        at = _end_of_specifiers(plain, match.end())
        name = re.search(r"([A-Za-z_]\w*)\s*(?:<[^<>;]*>)?\s*$", plain[match.end() : at])
        if plain[at] != "(" or name is None:
            continue
        parameters = []
        for _, piece in _split_at_commas(plain, plain, at + 1, _closing_bracket(plain, at), has_types=True):
            names = _NAME.findall(re.split(r"[\[=]", piece, maxsplit=1)[0])
            parameters.append(names[-1] if names else "")
        yield name[1], tuple(parameters)


def _kernel_start(plain: str, position: int) -> int:
    """Returns where the expression of the kernel begins that ends before `position`."""
    place = position
    while True:
        place = len(plain[:place].rstrip())
        last = plain[place - 1]
        if last in ")]":
            place = _opening_bracket(plain, place - 1, "([", ")]")
        elif last == ">":
            place = _opening_bracket(plain, place - 1, "<", ">")
            continue
        name = re.search(r"[A-Za-z_]\w*$", plain[max(0, place - 200) : place])
        if name is not None:
            place -= len(name[0])
        elif last not in ")]":
            raise NotCuda(position, "no kernel stands before `<<<`")
        joint = re.search(r"(?:::|\.|->)\s*$", plain[max(0, place - 20) : place])
        if joint is None:
            return place
        place -= len(joint[0])
        if not re.search(r"[\w>)\]]\s*$", plain[:place][-20:]):
            return place


def _opening_bracket(plain: str, position: int, openers: str, closers: str) -> int:
    """Returns the position of the bracket that the one at `position` closes."""
    depth = 0
    for place in range(position, -1, -1):
        depth += (plain[place] in closers) - (plain[place] in openers)
        if depth == 0:
            return place
    raise NotCuda(position, f"`{plain[position]}` closes nothing")


def _launch(text: str, plain: str, position: int, kernels: Mapping[str, tuple[str, ...]]) -> _Edit:
    start = _kernel_start(plain, position)
    kernel = text[start:position].rstrip()
    close = position + 3
    while not plain.startswith(">>>", close):
        close = _closing_bracket(plain, close) + 1 if plain[close] in _OPEN else close + 1
        if close >= len(plain):
            raise NotCuda(position, "`<<<` is never closed")
    open_ = re.compile(r"\s*\(").match(plain, close + 3)
    if open_ is None:
        raise NotCuda(position, "no arguments follow `>>>`")
    end = _closing_bracket(plain, open_.end() - 1)
    shown, hidden = text[open_.end() : end], plain[open_.end() : end]
    for null in reversed([*_NULL.finditer(hidden)]):
        shown, hidden = (f"{part[: null.start(1)]}nullptr{part[null.end(1) :]}" for part in (shown, hidden))
    arguments = _rewritten(shown, hidden, kernels)
    name = re.search(r"([A-Za-z_]\w*)\s*(?:<.*>)?$", kernel, re.DOTALL)
    names = ", ".join(f'"{parameter}"' for parameter in kernels.get(name[1], ())) if name else ""
    called = '[=](auto... alphaz_arguments) __attribute__((no_sanitize("thread"))) '
    called += f"{{ {' '.join(kernel.split())}(alphaz_arguments...); }}"
    parts = [
        _quoted(_kernel_name(kernel)),
        f"{{{names}}}",
        f"::alphaz::Configuration({text[position + 3 : close]})",
        called,
    ]
    parts += [arguments] if arguments.strip() else []
    # Lines that are lost come back before the arguments, so that these keep theirs.
    lost = "\n" * (text[start:end].count("\n") - "".join(parts).count("\n"))
    return _Edit(start, end, f"::alphaz::launch({lost}{', '.join(parts)}")


def _kernel_name(kernel: str) -> str:
    """Returns the name of a kernel, however it is written."""
    plain = _CASTS.sub("", kernel)
    return plain[1:-1] if plain.startswith("(") and plain.endswith(")") else plain


def _attribute(text: str, plain: str, match: re.Match[str]) -> _Edit:
    open_ = plain.index("(", match.end())
    end = _closing_bracket(plain, open_)
    pieces = [piece for piece, _ in _split_at_commas(text, plain, open_ + 1, end)]
    kernel = ",".join(pieces[:-2])
    replaced = f"::alphaz::set_attribute({_quoted(_kernel_name(kernel))},{pieces[-2]},{pieces[-1]}"
    return _Edit(match.start(), end, _kept_lines(text[match.start() : end], replaced))


def _assembly(text: str, plain: str, match: re.Match[str]) -> _Edit:
    open_ = re.compile(r"\s*(?:volatile\b|__volatile__\b)?\s*\(").match(plain, match.end())
    if open_ is None:
        return _Edit(match.start(), match.end(), match[0])
    end = _closing_bracket(plain, open_.end() - 1)
    call = ptx_call(text[open_.end() : end])
    if call is None:
        # Assembly of the C library's headers is for the processor.
        return _Edit(match.start(), end + 1, text[match.start() : end + 1])
    return _Edit(match.start(), end + 1, _kept_lines(text[match.start() : end + 1], call))
