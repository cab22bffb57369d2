"""The limits of a process that works on texts of the page: it writes in one folder only, reads its own installation and
the system's libraries, starts compilers only, and has no network.

Audit hooks of Python (PEP 578) enforce this for Python code. Programs that it starts have the rights of the user, so
that a text is never executed unless the user allows it."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os.path import isfile

from alphaz.lazy import lazy_import
from alphaz.resources import resource_folder

# Most bytes of a file that the process, or a program that it starts, writes.
_MOST_BYTES = 200_000_000
_SYSTEM = ("/usr", "/lib", "/lib64", "/opt", "/proc", "/sys", "/dev")
_WRITING = frozenset(
    {"os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.link", "os.truncate", "os.chmod", "os.chown"}
    | {"os.utime", "os.mkfifo", "os.setxattr"}
)
_LISTING = frozenset({"os.listdir", "os.scandir"})
_FORBIDDEN = frozenset(
    {"socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "webbrowser.open", "os.system"}
    | {"os.startfile"}
)
_STARTING = frozenset({"subprocess.Popen", "os.posix_spawn", "os.exec"})
_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


@dataclass(slots=True)
class Confinement:
    """The limits of this process. `executes`: programs of its folder may be started, for the current request."""

    folder: str
    readable: tuple[str, ...]
    executes: bool = False

    def check(self, event: str, arguments: tuple[object, ...]) -> None:
        """Raises PermissionError for an event that is not allowed."""
        if event == "open":
            self._check_file(*arguments)
        elif event in _WRITING:
            # A link may lead out of the folder: both ends are checked.
            for path in arguments[: 1 + (event in ("os.rename", "os.link", "os.symlink"))]:
                self._check_path(path, (self.folder,))
        elif event in _LISTING:
            self._check_path(arguments[0], self.readable)
        elif event in _STARTING:
            self._check_program(*arguments)
        elif event == "ctypes.dlopen":
            self._check_program(arguments[0])
        elif event in _FORBIDDEN:
            raise PermissionError(f"{event} is not allowed in the studio")

    def _check_file(self, path: object, mode: object = None, flags: object = 0, *_: object) -> None:
        is_written = isinstance(flags, int) and bool(flags & _FLAGS) and path not in ("/dev/null", os.devnull)
        self._check_path(path, (self.folder,) if is_written else self.readable)

    def _check_path(self, path: object, places: tuple[str, ...]) -> None:
        if isinstance(path, str | bytes | os.PathLike) and not _lies_in(os.fsdecode(path), places):
            raise PermissionError(f"{os.fsdecode(path)} lies outside of the folder of the studio")

    def _check_program(self, program: object, arguments: object = (), *_: object) -> None:
        if self.executes:
            return
        words = [program, *(arguments if isinstance(arguments, list | tuple) else ())]
        for word in words:
            if isinstance(word, str) and _lies_in(word, (self.folder,)) and isfile(word) and _is_program(word):
                raise PermissionError("the studio executes no text unless it is asked to")


def _is_program(path: str) -> bool:
    return path.endswith((".so", ".dylib", ".dll")) or os.access(path, os.X_OK)


def _lies_in(path: str, places: tuple[str, ...]) -> bool:
    whole = os.path.realpath(path)
    # An installation may consist of links to the files of another one.
    names = (whole, os.path.abspath(path)) if len(places) > 1 else (whole,)
    return any(name == place or name.startswith(f"{place}{os.sep}") for place in places for name in names)


def confine(folder: str, prepare: Callable[[], object] = lambda: None) -> Confinement:
    """Confines this process to a folder for as long as it lives; first it prepares itself, in the same folder."""
    whole = os.path.realpath(folder)
    os.environ |= {"TMPDIR": whole, "XDG_CACHE_HOME": os.path.join(whole, "cache"), "HOME": whole}
    tempfile.tempdir = None
    sys.dont_write_bytecode = True
    if os.name == "posix":
        resource = lazy_import("resource")
        most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        limit = _MOST_BYTES if most == resource.RLIM_INFINITY else min(most, _MOST_BYTES)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    installed = (sys.prefix, sys.base_prefix, str(resource_folder("pages").parent), str(resource_folder("grammar")))
    folders = [*installed, *filter(None, sys.path)]
    readable = (whole, *_SYSTEM, *dict.fromkeys([*map(os.path.realpath, folders), *map(os.path.abspath, folders)]))
    prepare()
    confinement = Confinement(whole, readable)
    sys.addaudithook(confinement.check)
    return confinement


@contextmanager
def executing(confinement: Confinement, is_allowed: bool) -> Iterator[None]:
    """Allows that programs of the folder are started, inside."""
    confinement.executes = is_allowed
    try:
        yield
    finally:
        confinement.executes = False
