"""Work for the tests of processes: it must be importable where it is done."""

import faulthandler
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from alphaz.diagnostics import Source, Span
from alphaz.diagnostics.work_limits import working_at


@dataclass(frozen=True)
class Job:
    name: str
    number: int = 0


def prepared(more: int | None = None) -> list[str]:
    """The processes that have prepared. Whoever is the first one waits for another."""
    book = Path(os.environ["ALPHAZ_TEST_BOOK"])
    if more is None:
        return book.read_text().split()
    with book.open("a") as lines:
        lines.write(f"{more}\n")
    end = time.monotonic() + 60
    while len(book.read_text().split()) < 2 and time.monotonic() < end:
        time.sleep(0.02)
    return book.read_text().split()


def endless(name: str) -> None:
    """Uses time, or memory too; `hang` hears that it is over."""
    if name != "hang":
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
    much = []
    while True:
        if name == "grow":
            much.append(bytearray(10_000_000))


def job(task: Job) -> int:
    match task.name:
        case "fail":
            raise ValueError("no such luck")
        case "die":
            os._exit(7)
        case "crash":
            source = Source("heavy.ab", "let\n  x = y;\n")
            with working_at(Span(source, 6, 12), "whether this equation is right"):
                faulthandler.disable()
                os.kill(os.getpid(), signal.SIGSEGV)
        case "hang" | "deaf" | "grow":
            endless(task.name)
        case "more":
            return -task.number
        case "prepare":
            return len(prepared(os.getpid()))
        case "prepared":
            return int(str(os.getpid()) in prepared())
    return task.number**2
