"""Work that is given up because its time is over, and the place in the user's texts that it had come to."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from alphaz.diagnostics.diagnostic import Diagnostic, Label
from alphaz.diagnostics.rules import UNDECIDED
from alphaz.diagnostics.source import NOWHERE, Span

# Seconds to the next ring of an alarm that was not heard.
_AGAIN = 1.0


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A place, and what was being found out there: `whether this equation is right`."""

    span: Span
    question: str

    def finding(self, seconds: float) -> Diagnostic:
        return Diagnostic(
            UNDECIDED,
            f"it is not decided {self.question}",
            Label(self.span, "" if self.span is NOWHERE else "the time was over here"),
            notes=(f"the time limit of {seconds:g} s is used up",),
            help="give it more time with --timeout, or make it simpler",
        )


class OutOfTime(BaseException):
    """The time for all the work is over. No `Exception`: nothing that goes on after a failure may go on after this.

    `seconds` is what there was of it; `at` the innermost of the places around.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the time limit of {seconds:g} s is used up")
        self.seconds = seconds
        self.at: Unfinished | None = None

    @property
    def finding(self) -> Diagnostic:
        return (self.at or Unfinished(NOWHERE, "what the answer is")).finding(self.seconds)


@contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Raises OutOfTime inside when so much time has passed, as soon as Python works; None: never.

    Only for the main thread, and where there are such signals. Where the exception goes through calls from C, or ends a
    finaliser, it is made another or is lost: that other is none but this, and the alarm rings again.
    """
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return
    is_over = False

    def ring(*_: object) -> None:
        nonlocal is_over
        is_over = True
        raise OutOfTime(seconds)

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        yield
    except Exception as error:
        if is_over:
            raise OutOfTime(seconds) from error
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@dataclass(slots=True)
class _Following:
    """Who is told of each place that the work comes to; None in most processes."""

    tell: Callable[[Unfinished | None], None] | None = None
    at: Unfinished | None = None


_FOLLOWING = _Following()


def follow(tell: Callable[[Unfinished | None], None]) -> None:
    """From now on `tell` is told where the work of this process is, so that whoever survives it may say so."""
    _FOLLOWING.tell = tell


@contextmanager
def working_at(span: Span, question: str) -> Iterator[None]:
    """What was asked, and of what place, where the time is over inside, or the process comes to its end."""
    before = _FOLLOWING.at
    _come_to(Unfinished(span, question))
    try:
        yield
    except OutOfTime as over:
        over.at = over.at or Unfinished(span, question)
        raise
    finally:
        _come_to(before)


def _come_to(place: Unfinished | None) -> None:
    if _FOLLOWING.tell is not None:
        _FOLLOWING.at = place
        _FOLLOWING.tell(place)
