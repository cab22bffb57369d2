"""Stops work at a limit, and records the place in the user's texts that it had reached."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from alphaz.diagnostics.diagnostic import Diagnostic, Label
from alphaz.diagnostics.rules import UNDECIDED
from alphaz.diagnostics.source import NOWHERE, Span
from alphaz.usage import Limits, time_limit_reason, usage

# Seconds between two checks of the usage, and to the repetition of an alarm without effect.
_LOOK, _AGAIN = 0.1, 1.0
# A look may take one part in so many of the time: it reads the memory of all processes below this one.
_SHARE = 20
NO_MEMORY = "the system gives no more memory"


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A place, and the question that was open there: `whether this equation is right`; with a remedy next to a higher
    limit."""

    span: Span
    question: str
    remedy: str = "make it simpler"

    def finding(self, reason: str) -> Diagnostic:
        return Diagnostic(
            UNDECIDED,
            f"it is not decided {self.question}",
            Label(self.span, "" if self.span is NOWHERE else "a limit was reached here"),
            notes=(reason,),
            help=f"raise the limit with --timeout or --memory, or {self.remedy}",
        )


class OutOfTime(BaseException):
    """A limit of the whole work is reached. No `Exception`: code that continues after failures must not continue after
    this.

    `seconds` is the time limit, `reason` the limit as text; `at` the innermost of the enclosing places.
    """

    def __init__(self, seconds: float, reason: str | None = None, at: Unfinished | None = None) -> None:
        self.reason = reason or time_limit_reason(seconds)
        super().__init__(self.reason)
        self.seconds = seconds
        self.at = at

    @property
    def finding(self) -> Diagnostic:
        return (self.at or Unfinished(NOWHERE, "what the answer is")).finding(self.reason)


@contextmanager
def alarm(seconds: float | None, memory: int | None = None) -> Iterator[None]:
    """Raises OutOfTime inside when this much processor time or memory is used, by this process and its children, as
    soon as Python code runs; None: no limit.

    Only for the main thread, and where there are such signals. Where the exception passes through calls from C, or
    ends a finaliser, it is replaced or lost: a replacement counts as OutOfTime, and the alarm rings again.
    """
    limits = Limits(seconds, memory)
    if limits.are_none or not hasattr(signal, "setitimer"):
        yield
        return
    over: str | None = None
    is_active = True
    start_time, before = monotonic(), usage()
    seconds_before = before.seconds if before is not None else 0.0
    if before is not None:
        # Loads what the handler of the signal needs: an import fails where it interrupts another one.
        limits.exceeded(before, seconds_before)

    def ring(*_: object) -> None:
        # The timer is started anew after each look, so that a look that takes long is not interrupted by the next one.
        nonlocal over
        if not is_active:
            return
        start = monotonic()
        current_usage = usage()
        over = (
            over
            or (current_usage and limits.exceeded(current_usage, seconds_before))
            or limits.exceeded_by_the_clock(start - start_time)
        )
        pause = _AGAIN if over is not None else max(_LOOK, _SHARE * (monotonic() - start))
        signal.setitimer(signal.ITIMER_REAL, pause)
        if over is not None:
            raise OutOfTime(seconds or 0.0, over)

    previous_handler = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, min(seconds or _LOOK, _LOOK))
        yield
    except Exception as error:
        if over is not None:
            raise OutOfTime(seconds or 0.0, over) from error
        raise
    finally:
        is_active = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous_handler)


@dataclass(slots=True)
class _Following:
    """The listener for each place that the work reaches; None in most processes."""

    tell: Callable[[Unfinished | None], None] | None = None
    at: Unfinished | None = None


_FOLLOWING = _Following()


def follow(tell: Callable[[Unfinished | None], None]) -> None:
    """Sets the listener for the places of this process's work, so that a surviving process can report them."""
    _FOLLOWING.tell = tell


@contextmanager
def working_at(span: Span, question: str, *remedy: str) -> Iterator[None]:
    """Records the question and its place, for a limit or a crash inside; `remedy` is another one than the default."""
    before, place = _FOLLOWING.at, Unfinished(span, question, *remedy)
    _set_place(place)
    try:
        yield
    except OutOfTime as over:
        over.at = over.at or place
        raise
    finally:
        _set_place(before)


def _set_place(place: Unfinished | None) -> None:
    if _FOLLOWING.tell is not None:
        _FOLLOWING.at = place
        _FOLLOWING.tell(place)
