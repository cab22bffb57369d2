"""The way from the files of a target to a binary and its execution, as data: `alphaz.run` starts the processes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Language:
    """A language with the syntax of C, and the suffix of its files."""

    name: str
    suffix: str


C = Language("C", ".c")
CUDA = Language("CUDA", ".cu")


@dataclass(frozen=True, slots=True)
class Build:
    """A request for a binary: the command of the compiler, its flags, folders of headers as flags, the files to compile
    in the current folder, the name of the `output`, a program or else a library.
    """

    compiler: Words
    flags: Words
    folders: Words
    units: Words
    output: str
    libraries: Words
    is_program: bool = False


def one_step(build: Build) -> tuple[Words, ...]:
    """Returns the command that compiles and links at once."""
    kind = () if build.is_program else ("-fPIC", "-shared")
    linked = (*kind, *build.units, "-o", build.output, *build.libraries)
    return ((*build.compiler, *build.flags, *build.folders, *linked),)


@dataclass(frozen=True, slots=True)
class ThreadFlags:
    """The needs of a compiler for threads: its name for users, flags, a program that ends with 0 if they work, remedy
    if they do not.
    """

    name: str
    flags: Words
    probe: str
    remedy: str


_PROBE = "#include <stdint.h>\n#include <math.h>\nint main(void) { int64_t x = 42; return x == 42 ? 0 : 1; }\n"


def _no_builds(_: "Toolchain", __: str, ___: Words) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class Toolchain:
    """The compiler of a target. `commands`: the first that makes a program that runs is used, unless the environment
    has the `variable`. Flags: `meaning` for all binaries, so that values are those of the interpreter; `exact` or
    `fast` (rounding may differ) or `sanitized`; `warnings` in Makefiles; `threads`: None without threads. `probe`: a
    program that ends with 0. `files`: names and texts of more files, compiled where they have the suffix of the
    language. `launcher`: the words before a program that is run alone. `steps`: the commands of a build, at least one.
    `builds`: more files next to the Makefile, for the name of a program and those of its arguments.
    """

    language: Language = C
    commands: Words = ("cc", "gcc", "clang")
    variable: str = "CC"
    meaning: Words = ("-std=c11", "-ffp-contract=off")
    exact: Words = ("-O3",)
    fast: Words = ("-O3", "-march=native", "-ffp-contract=fast")
    sanitized: Words = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    warnings: Words = ("-Wall", "-Wextra")
    libraries: Words = ("-lm",)
    threads: ThreadFlags | None = None
    probe: str = _PROBE
    remedy: str = "install one (Debian and Ubuntu: apt install gcc libc6-dev)"
    files: tuple[tuple[str, str], ...] = ()
    launcher: Words = ()
    steps: Callable[[Build], tuple[Words, ...]] = one_step
    builds: Callable[["Toolchain", str, Words], Mapping[str, str]] = _no_builds


def _as_it_is(_: int) -> Words:
    return ()


def _never(_: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Harness:
    """The execution of compiled code with several members (threads, or processes). Texts of C for a main program, which
    calls the generated function with the same arguments in each of its processes: `includes`; `start`, its first
    statements, and `end`, its last ones; `set_members`, statements where `members` is the positive number of members;
    `is_first`, the condition for the process whose outputs count. `command(members)`: the words before the program (0:
    the default number).

    `is_loadable`: a library with the function can be called in the process that loads it; then `setter` is the name of
    the library's function that sets the number of members. `depends_on_members(text)`: whether the number may
    matter. `member`: the word for one. `checks`: the text of a file in programs for tests, which watches the members.
    """

    includes: str = ""
    start: str = ""
    end: str = ""
    set_members: str = ""
    is_first: str = ""
    command: Callable[[int], Words] = _as_it_is
    is_loadable: bool = True
    setter: str = ""
    depends_on_members: Callable[[str], bool] = _never
    member: str = "thread"
    checks: str = ""
