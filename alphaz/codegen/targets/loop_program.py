"""The C of a mapped system before files are made of it, and the two files that targets for C make."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alphaz.c import tree as c
from alphaz.codegen.c.annotations import unmarked, with_marks
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.frame import header_file, source_file
from alphaz.codegen.sources import Sources
from alphaz.codegen.toolchain import C, Language
from alphaz.diagnostics import Span
from alphaz.model.program import Program, System


@dataclass(frozen=True, slots=True)
class LoopProgram:
    """The C of a mapped system. `loops` computes; the functions `entries` check the arguments, allocate, call it and
    report errors. Their parameters are the `interface`. `comment` begins the source, `usage` the header; `types` are
    definitions for the loops, `headers` the files of called systems. For targets with entries of their own: the
    `checks` of the arguments, the arrays of the `callers`, those that are `allocated`, the names of `outputs`, and of
    those that have elements that are never written (`partial`). `commands`: the places of the commands that put arrays
    in the memory of blocks, by the names of the arrays.
    """

    name: str
    stem: str
    program: Program
    system: System
    comment: str
    usage: str
    interface: tuple[c.Parameter, ...]
    loops: c.Function
    entries: tuple[c.Function, ...]
    types: str = ""
    headers: tuple[str, ...] = ()
    checks: tuple[c.Statement, ...] = ()
    callers: tuple[FlatArray, ...] = ()
    allocated: tuple[FlatArray, ...] = ()
    outputs: frozenset[str] = frozenset()
    partial: frozenset[str] = frozenset()
    commands: Mapping[str, Span] = field(default_factory=dict)


def _nothing(_: Sequence[c.Statement]) -> Sequence[str]:
    return ()


def c_files(
    program: LoopProgram,
    more: Sequence[c.Function] = (),
    *,
    declared: Callable[[Sequence[c.Statement]], Sequence[str]] = _nothing,
    language: Language = C,
) -> Sources:
    """Returns the source, with functions before the loops, and the header. `declared` returns the texts in front of all
    functions, for their statements.
    """
    functions = [replace(function, body=with_marks(function.body or ())) for function in (*more, program.loops)]
    texts = declared([statement for function in (*more, program.loops) for statement in function.body or ()])
    text = source_file(
        program.stem,
        program.comment,
        program.program,
        (*functions, *program.entries),
        program.types,
        program.headers,
        texts,
        language.suffix,
    )
    text, claims = unmarked(text)
    header = header_file(program.name, program.usage, program.interface)
    source = f"{program.stem}{language.suffix}"
    return Sources({source: text, f"{program.stem}.h": header}, claims={source: claims})
