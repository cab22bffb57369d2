"""Compiles a text of CUDA to a program that executes it without a GPU. Programs are cached by content."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from alphaz.cache import cache_name, keep, recall
from alphaz.codegen.toolchain import Language, Toolchain
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import COMPILATION
from alphaz.processes.external import ProcessOutcome, run
from alphaz.run.compiler import Compiler, find_compiler
from alphaz.run.cuda.rewriting import NotCuda, cpp_text
from alphaz.run.library import NotCompiled
from alphaz.run.packaged_programs import located

_RUNTIME = Path(__file__).parent / "runtime"
THE_CALL = "the call"
"""The name of the text behind that of the user."""
_SECONDS = 120
_MOST_KEPT = 128 << 20
_TEXT, _UNIT, _PROGRAM = "text.cu", "text.ii", "program"
_MACROS = ("__CUDACC__=1", "__NVCC__=1", "__CUDA_ARCH__=900", "CUDART_VERSION=13000")
# Without optimisation each access of the text is one of the program.
_SEEN = (
    "-O0", "-g1", "-w", "-fwrapv", "-ffp-contract=off", "-fno-strict-aliasing", "-fsanitize=thread",
    "-fsanitize=alignment,bounds",
)  # fmt: skip
# Constants of the program lie before its variables; addresses in findings are those of its debugging information.
_LINKED = ("-no-pie",)
_C = ("-x", "c", "-std=gnu11", "-O1", "-w")
_PROBE = "int main() { return 0; }\n"

TOOLCHAIN = Toolchain(
    language=Language("C++", ".cpp"),
    commands=("g++",),
    variable="CXX",
    meaning=("-std=c++17",),
    probe=_PROBE,
    remedy="install one (Debian and Ubuntu: apt install g++)",
)


@dataclass(frozen=True, slots=True, eq=False)
class CudaProgram:
    """A compiled text. `content` is the program, `source` the text that its places name."""

    source: Source
    content: bytes

    def written(self, folder: Path) -> Path:
        """Writes the program into a folder, and returns its path."""
        path = folder / _PROGRAM
        path.write_bytes(self.content)
        path.chmod(0o700)
        return path


def compile_cuda(source: Source, behind: str = "", main: str = "", include: Sequence[Path] = ()) -> CudaProgram:
    """Compiles a text of CUDA, with its host part, and `behind` it more CUDA. `main`: C with the main function instead
    of that of the text. Headers are searched in the folder of the text, and in `include`.

    Raises Rejected(NO_COMPILER), and NotCompiled with the messages of the compiler.
    """
    compiler = find_compiler(TOOLCHAIN)
    with tempfile.TemporaryDirectory(prefix="alphaz-cuda-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        try:
            unit = cpp_text(_preprocessed(compiler, source, behind, bool(main), include, folder))
        except NotCuda as problem:
            raise NotCompiled(f"error: {problem}") from None
        title = cache_name("cuda-program", (compiler.version, *_SEEN, *_LINKED, _runtime_text(), unit, main))
        content = recall(title)
        if content is None:
            content = _linked(compiler, unit, main, folder)
            keep(title, content, _MOST_KEPT)
    return CudaProgram(source, content)


@cache
def has_gpu() -> bool:
    """Returns True if this machine has a GPU that executes CUDA, and `nvcc`."""
    with tempfile.TemporaryDirectory(prefix="alphaz-cuda-", ignore_cleanup_errors=True) as name:
        return all(
            run(command, Path(name), _SECONDS).succeeded for command in (("nvidia-smi", "-L"), (located("nvcc"), "-V"))
        )


def refused(source: Source, problem: NotCompiled) -> Rejected:
    """Returns the rejection of a text that the compiler refused."""
    message = f"the C++ compiler refused the CUDA text `{Path(source.name).name}`"
    remedy = "correct it; textures, cooperative launches and PTX except copies and products are not executed"
    label = Label(Span(source, 0, 0))
    return Rejected(Diagnostic(COMPILATION, message, label, notes=problem.first_lines(), help=remedy))


def _preprocessed(
    compiler: Compiler, source: Source, behind: str, has_main: bool, include: Sequence[Path], folder: Path
) -> str:
    before, after = ("#define main main__\n", "#undef main\n") if has_main else ("", "")
    text = f'{before}#line 1 "{source.name}"\n{source.text}\n#line 1 "{THE_CALL}"\n{after}{behind}'
    (folder / _TEXT).write_text(text, encoding="utf-8")
    folders = (_RUNTIME / "include", Path(source.name).parent.resolve(), *include)
    command = (
        *compiler.command, *compiler.toolchain.meaning, "-E", "-w", "-x", "c++", *(f"-D{macro}" for macro in _MACROS),
        *(part for path in folders for part in ("-I", str(path))), "-include", "cuda_runtime.h", _TEXT,
    )  # fmt: skip
    return _done(run(command, folder, _SECONDS)).output


def _linked(compiler: Compiler, unit: str, main: str, folder: Path) -> bytes:
    (folder / _UNIT).write_text(unit, encoding="utf-8")
    (folder / "runtime.o").write_bytes(_runtime(compiler))
    standard = compiler.toolchain.meaning
    flags = (*compiler.command, *standard, *_SEEN, *_quiet(compiler))
    _done(run((*flags, "-x", "c++-cpp-output", "-c", _UNIT, "-o", "text.o"), folder, _SECONDS))
    objects = ["runtime.o", "text.o"]
    if main:
        (folder / "main.c").write_text(main, encoding="utf-8")
        _done(
            run(
                (*compiler.command, "-x", "c", "-std=gnu11", "-O1", "-w", "-c", "main.c", "-o", "main.o"),
                folder,
                _SECONDS,
            )
        )
        objects.append("main.o")
    _done(run((*compiler.command, *_LINKED, *objects, "-o", _PROGRAM, "-lm"), folder, _SECONDS))
    return (folder / _PROGRAM).read_bytes()


def _runtime(compiler: Compiler) -> bytes:
    """Returns the object of the runtime, which sees the accesses."""
    flags = (*compiler.toolchain.meaning, "-O1", "-fno-exceptions", "-Wall", "-Wextra")
    title = cache_name("cuda-runtime", (compiler.version, *flags, _runtime_text()))
    content = recall(title)
    if content is None:
        with tempfile.TemporaryDirectory(prefix="alphaz-cuda-", ignore_cleanup_errors=True) as name:
            command = (*compiler.command, *flags, "-c", str(_RUNTIME / "runtime.cpp"), "-o", "runtime.o")
            _done(run(command, Path(name), _SECONDS))
            content = Path(name, "runtime.o").read_bytes()
        keep(title, content)
    return content


@cache
def _runtime_text() -> str:
    files = sorted(path for path in _RUNTIME.rglob("*") if path.is_file())
    return "\0".join(path.read_text(encoding="utf-8") for path in files)


@lru_cache(maxsize=8)
def _quiet(compiler: Compiler) -> tuple[str, ...]:
    """Returns the flags with which entries and ends of functions call nothing, where the compiler has them."""
    flags = ("--param=tsan-instrument-func-entry-exit=0",)
    with tempfile.TemporaryDirectory(prefix="alphaz-cuda-", ignore_cleanup_errors=True) as name:
        command = (*compiler.command, *flags, "-x", "c++", "-fsyntax-only", "/dev/null")
        return flags if run(command, Path(name), _SECONDS).succeeded else ()


def _done(outcome: ProcessOutcome) -> ProcessOutcome:
    if not outcome.succeeded:
        raise NotCompiled(outcome.errors)
    return outcome
