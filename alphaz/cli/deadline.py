"""`--timeout` of the verbs that answer one question.

The verb is done in a process of its own. There an alarm interrupts it, which knows the place it had come to. isl and
compiled code hold the interpreter while they work: where the alarm is not heard, the process is ended from outside.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from alphaz.cli.output import FINDINGS, INTERRUPTED, progress, show_error_findings
from alphaz.diagnostics.deadline import OutOfTime

GRACE = 5.0
"""Seconds that are left to whoever is interrupted, to say so."""

# Seconds to the next ring of an alarm that was not heard.
_AGAIN = 1.0
# Set for the process that does the work.
_INSIDE = "ALPHAZ_INSIDE_DEADLINE"

F = TypeVar("F", bound=Callable[..., Any])


def limited(function: F) -> F:
    """--timeout: the verb ends by then, undecided."""
    option = click.option(
        "--timeout",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        expose_value=False,
        callback=_limit,
        help="How long it may take; then it is undecided.",
    )
    return option(function)


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

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    except Exception as error:
        if is_over:
            raise OutOfTime(seconds) from error
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _limit(ctx: click.Context, _: click.Parameter, seconds: float | None) -> None:
    if seconds is None or ctx.resilient_parsing:
        return
    if _INSIDE in os.environ:
        ctx.with_resource(alarm(seconds))
    else:
        ctx.exit(_supervised(ctx.find_root().obj, seconds))


def _supervised(arguments: Sequence[str], seconds: float) -> int:
    """The exit code of a process that does what was asked."""
    command = [sys.executable, "-P", "-m", "alphaz.cli.main", *arguments]
    process = subprocess.Popen(command, env={**os.environ, _INSIDE: "1"})
    try:
        code = process.wait(seconds + GRACE)
    except subprocess.TimeoutExpired:
        _end(process)
        progress("")
        show_error_findings([OutOfTime(seconds).finding])
        return FINDINGS
    except KeyboardInterrupt:
        _end(process, GRACE)
        return INTERRUPTED
    return code if code >= 0 else 128 - code


def _end(process: "subprocess.Popen[bytes]", grace: float = 0.0) -> None:
    try:
        process.wait(grace)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
