"""`alphaz`: the verbs, each loaded only on use, and error handling.

-o names a folder where a verb writes several files, and a file where it writes one;
there --stdout (or -o -) prints the text.
Exit codes: 0 clean; 1 findings; 2 usage, input or internal error; 3 proved under named assumptions only; 130
interrupted.
"""

import errno
import os
import sys
import traceback
from collections.abc import Sequence

import click

from alphaz.cli.output import FINDINGS, INTERNAL, INTERRUPTED, exit_code, progress, show_error_findings
from alphaz.cli.resource_limits import attend, leave
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.message_words import did_you_mean
from alphaz.diagnostics.rules import INTERNAL as INTERNAL_RULE
from alphaz.diagnostics.rules import SYNTAX
from alphaz.diagnostics.work_limits import NO_MEMORY, OutOfTime
from alphaz.lazy import lazy_import
from alphaz.version import VERSION

# The help line of each verb in `alphaz --help`, which is printed without loading the verbs.
VERBS = {
    "new": "Make a project folder: a program, its mapping, a wrong one, options, CI.",
    "fmt": "Lay out programs, command scripts and kernels in one way.",
    "check": "Check programs: names, types, domains, definitions.",
    "verify": "Prove or refute the mappings of command scripts; generates nothing.",
    "prove": "Prove that a C function computes a system of equations, for all parameters.",
    "from-c": "Write a C function as equations with its mapping, and prove them against it.",
    "recheck": "Decide the obligations of a certificate again, with isl, z3 or proofs.",
    "propose": "Find the missing parts of a script's mapping, prove them, and print them as commands.",
    "run": "Execute a command script, code generation included.",
    "repl": "Enter the statements of a script one by one; each runs immediately, and can be undone.",
    "schedule": "Find a mapping of a program, prove it, and write it as a script.",
    "test": "Compile the code of a script and compare it with the reference interpreter.",
    "bench": "Measure the scheduled code of scripts, side by side and against plain C, Polly and NumPy.",
    "tune": "Time the mappings that a script leaves open, and write the fastest as a plain script.",
    "eval": "Evaluate a system of a program and print its outputs.",
    "draw": "Draw a mapping, or the domains of a program, at small parameters.",
    "studio": "Open a page with an editor, verdicts while typing, figures and generated C.",
    "lsp": "Serve an editor: findings while typing, fixes, help, completion, definitions.",
    "matrix": "Kernels of linear algebra, from formulas to proved C.",
    "show": "Print a program in array or point-free form.",
    "complexity": "Count the operations of each equation, as a polynomial in the parameters.",
    "explain-cost": "Print data movement, operations and least possible time of the mappings of a script.",
    "explain": "Print the document of a rule, such as AZ502.",
    "machine": "Print the vectors, caches and threads of the machine, and its highest measured rates.",
    "commands": "List the commands that scripts can use.",
    "help": "Explain a command of scripts, such as setMemoryMap.",
}

# The modules of several verbs, and their names there; a module of one verb has its name, and the verb is `command`.
_PLACES = {
    "complexity": ("show", "complexity"),
    "explain": ("explain", "explain"),
    "help": ("explain", "help_"),
    "commands": ("explain", "commands"),
}

# These have no limit as a whole: the user is present and can end them.
_ATTENDED_BY_PERSONS = frozenset({"repl", "lsp", "studio"})

EPILOG = """\b
Examples:
  alphaz check samples/matrix-chain/mcm.ab
  alphaz verify samples/matrix-chain/*.cs
  alphaz run samples/matrix-chain/mcm.cs -o out
  alphaz test samples/matrix-chain/mcm.cs -p N=20 -p N=33 --threads 1,2

\b
-o names a folder where a verb writes several files, and a file where it writes one;
there --stdout (or -o -) prints the text.
Exit codes: 0 clean, 1 findings, 2 usage, input or internal error,
3 no findings, but proved under named assumptions only (verify), 130 interrupted.
Completion: eval "$(_ALPHAZ_COMPLETE=bash_source alphaz)" (or zsh_source, fish_source).
Colours follow the terminal, NO_COLOR and FORCE_COLOR."""


WELCOME = """\
alphaz proves mappings of programs that are systems of equations, and generates C for the proved ones.

  alphaz new sums           a folder with a program, its mapping, and a wrong one: begin here
  alphaz verify FILE.cs     prove a mapping, or see the smallest counterexample
  alphaz draw FILE.cs       look at it
  alphaz studio             a page with all of this, and lessons
  alphaz schedule FILE.ab   have a mapping found
  alphaz repl               enter commands one by one
  alphaz --help             all verbs
"""


class Verbs(click.Group):
    """Loads a verb on its first use; turns every exception into one report and an exit code."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and sys.stdout.isatty():
            click.echo(WELCOME, nl=False)
            ctx.exit()
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module, name = _PLACES.get(cmd_name, (cmd_name.replace("-", "_"), "command"))
        command = getattr(lazy_import(f"alphaz.cli.{module}"), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            remedy = did_you_mean(args[0], VERBS) or "`alphaz --help` lists the verbs"
            ctx.fail(f"there is no verb `{args[0]}`: {remedy}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            # The reader of our output has closed it; no further output is possible.
            _say_no_more()
            ctx.exit(0)
        except Rejected as rejected:
            show_error_findings(rejected.diagnostics)
            ctx.exit(exit_code(rejected.diagnostics))
        except (OutOfTime, MemoryError, RecursionError) as limit:
            progress("")
            show_error_findings([_of_limit(limit)])
            ctx.exit(FINDINGS)
        except KeyboardInterrupt:
            progress("")
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)
        except Exception as error:
            if _is_full_disk(error):
                raise
            if isinstance(error, OSError) and error.errno in (errno.ENAMETOOLONG, errno.ELOOP):
                # No file can have such a name.
                click.echo(f"alphaz: {error.filename} cannot be a file: {str(error.strerror).lower()}", err=True)
                ctx.exit(INTERNAL)
            _debug()
            show_error_findings([_internal(error)])
            ctx.exit(INTERNAL)


_TOO_DEEP = Diagnostic(
    SYNTAX,
    "an expression or a loop nests too deeply for this",
    Label(NOWHERE),
    help="give a part of it an equation of its own; with ALPHAZ_DEBUG=1 there is a traceback",
)


def _of_limit(error: OutOfTime | MemoryError | RecursionError) -> Diagnostic:
    """Returns the finding about a limit of time, of memory or of nesting that was reached."""
    if isinstance(error, RecursionError):
        _debug()
        return _TOO_DEEP
    return error.finding if isinstance(error, OutOfTime) else OutOfTime(0.0, NO_MEMORY).finding


def _debug() -> None:
    if os.environ.get("ALPHAZ_DEBUG") == "1":
        traceback.print_exc()


def _is_full_disk(error: Exception) -> bool:
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def _say_no_more() -> None:
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - it is closed with the process


def _internal(error: Exception) -> Diagnostic:
    return Diagnostic(
        INTERNAL_RULE,
        f"an internal error, not a verdict: {type(error).__name__}: {error}",
        Label(NOWHERE),
        help="please report this with the program and the script; with ALPHAZ_DEBUG=1 the report has a traceback",
    )


def _version(ctx: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    if is_wanted and not ctx.resilient_parsing:
        click.echo(f"alphaz {VERSION}")
        ctx.exit()


@click.group(cls=Verbs, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Print the version."
)
def cli() -> None:
    """Prove target mappings of polyhedral equational programs, and generate C with OpenMP for the proved ones."""


def main(arguments: Sequence[str] | None = None) -> None:
    """The entry point of the console script."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    if arguments is None and not {*sys.argv[1:2]} & _ATTENDED_BY_PERSONS:
        attend()
    try:
        try:
            cli.main(args=None if arguments is None else list(arguments), prog_name="alphaz")
        except SystemExit as end:
            leave(end.code)
            raise
    except OSError as error:
        if not _is_full_disk(error):
            raise
        _say_no_more()
        click.echo("alphaz: cannot write its output or a temporary file: the disk is full", err=True)
        sys.exit(INTERNAL)


if __name__ == "__main__":
    main()
