"""`--timeout` of the verbs that answer one question.

The verb is done in a process of its own. There an alarm interrupts it, which knows the place it had come to. isl and
compiled code hold the interpreter while they work: where the alarm is not heard, the process is ended from outside.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from alphaz.cli.output import FINDINGS, INTERRUPTED, progress, show_error_findings
from alphaz.diagnostics.deadline import OutOfTime, alarm

GRACE = 5.0
"""Seconds that are left to whoever is interrupted, to say so."""

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
