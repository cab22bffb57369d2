"""Cached results between runs, private to the user: `$XDG_CACHE_HOME/alphaz` or `~/.cache/alphaz`.

The name of a result contains all its dependencies, so that no entry becomes stale; an entry is written to a temporary
file and renamed, so that any number of processes may read and write at once. Each entry begins with a digest of the
rest. A folder that others may write to is not trusted, and without a folder nothing is cached: the cache only saves
time. Where there is a limit, the least recently used entries are removed first.
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

_DIGEST = hashlib.sha256().digest_size


def cache_name(title: str, dependencies: Iterable[str]) -> str:
    """Returns the name of a result that depends on these texts."""
    digest = hashlib.sha256()
    for text in dependencies:
        content = text.encode()
        digest.update(len(content).to_bytes(8, "big") + content)
    return f"{title}-{digest.hexdigest()[:32]}"


def recall(name: str) -> bytes | None:
    """Returns the cached content under the name, if there is any, and if it is whole."""
    folder = _folder()
    if folder is None:
        return None
    place = folder / name
    try:
        content = place.read_bytes()
        os.utime(place)
    except OSError:
        return None
    digest, stored = content[:_DIGEST], content[_DIGEST:]
    return stored if hashlib.sha256(stored).digest() == digest else None


def keep(name: str, content: bytes, most: int | None = None) -> None:
    """Caches the content where that is possible. `most`: the number of bytes for all results of the same title."""
    folder = _folder()
    if folder is None:
        return
    unfinished = folder / f"{name}.{os.getpid()}-{os.urandom(8).hex()}"
    try:
        unfinished.write_bytes(hashlib.sha256(content).digest() + content)
        os.replace(unfinished, folder / name)
        if most is not None:
            _forget(folder, name.rpartition("-")[0], most)
    except OSError:
        unfinished.unlink(missing_ok=True)


def _forget(folder: Path, title: str, most: int) -> None:
    """Removes the least recently used entries, until the rest fits. Other processes may do the same at the
    same time.
    """
    files = []
    for place in folder.glob(f"{title}-*"):
        with contextlib.suppress(OSError):
            status = place.stat()
            files.append((status.st_mtime_ns, status.st_size, place))
    total = 0
    for _, size, place in sorted(files, reverse=True):
        total += size
        if total > most:
            place.unlink(missing_ok=True)


def _folder() -> Path | None:
    """Returns the folder, made if need be; None where there is no home, no space, or no privacy."""
    try:
        base = os.environ.get("XDG_CACHE_HOME")
        folder = (Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache") / "alphaz"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _is_private(folder) else None
    except (OSError, RuntimeError):
        return None


def _is_private(folder: Path) -> bool:
    if os.name != "posix":
        return True
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o022
