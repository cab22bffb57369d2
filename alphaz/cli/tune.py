"""`alphaz tune`: finds the fastest of the mappings that a script, or a kernel, leaves open."""

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import TextIO

import click

from alphaz.cli.files import InputError, check_script, file_names, write_file
from alphaz.cli.inputs import HELP, parameter_sets, plot_file
from alphaz.cli.measured_mappings import check_parameters, values_text
from alphaz.cli.output import progress
from alphaz.cli.resource_limits import MEASURING, limited_to
from alphaz.cli.text_output import STDOUT, check_one_target, stdout_option
from alphaz.cli.tuning_problem import TuningProblem, opening
from alphaz.diagnostics import Source
from alphaz.diagnostics.message_words import count_text
from alphaz.figures.drawing.charts import progress_figure
from alphaz.model.input_values import checked_parameters
from alphaz.run.bench.contestants import Candidates, files_beside
from alphaz.run.bench.fork_server import keep_memory
from alphaz.scripting.commands.kinds.argument_values import literal
from alphaz.syntax.parser import parse_script
from alphaz.syntax.script_tree import CommandCall, TextLiteral
from alphaz.tuning.evaluator import Evaluator, Results, TrialState, TuningTrial, proved_mapping
from alphaz.tuning.searches import SEARCHES
from alphaz.tuning.space import SearchSpace, Unproved
from alphaz.tuning.tune import Tuned, TuneRequest, tune

EPILOG = """\b
Examples:
  alphaz tune gemm-tuned.cs -p NI=1000,NJ=1000,NK=1000 -o gemm-fast.cs
  alphaz tune gemm-tuned.cs -p NI=500,NJ=500,NK=500 --budget 300s --search genetic --seed 7
  alphaz tune atax.cs -p M=4000,N=4000 --log run.jsonl --plot run.svg
  alphaz tune gemver.m -p m=4000,n=4000 -o gemver.cs

\b
A script marks its open choices:
  setTiling(prog, "S", 0, choose("rows", 16, 32, 64));
The same name at several places is one choice. For a script without `choose` the
sizes in its tiling commands vary: half, twice, and sizes between. For a kernel
of linear algebra (.m) the choices are which operations share loops, their order, which
are cut into blocks, and in which order products are done
(`alphaz matrix explain` lists the loops that may be shared).
\b
Every mapping that runs has been proved before. It runs in a process of its own,
alternately with the script as it stands; the best run against each other at the
end. Times on this machine are stored, so that an interrupted search goes
on where it ended (--afresh ignores them)."""

_READ = "ReadAlphabets"
_SEARCH, _RANK = "orthogonal", 12
# A printed script is read from the working folder.
_PRINTED = "<stdout>"


def _seconds(_: click.Context, __: click.Parameter, value: str) -> float:
    number, unit = (value[:-1], value[-1]) if value[-1:] in ("s", "m", "h") else (value, "s")
    try:
        seconds = float(number) * {"s": 1, "m": 60, "h": 3600}[unit]
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise click.BadParameter(f"`{value}` is no time: write 60s, 5m or 1h")
    return seconds


def _figure(_: click.Context, __: click.Parameter, value: str | None) -> Path | None:
    return None if value is None else plot_file(value)


@click.command("tune", epilog=EPILOG)
@click.argument("script", metavar="SCRIPT.cs|KERNEL.m", shell_complete=file_names)
@click.option("-p", "--parameters", "assignments", metavar="N=1000[,M=3]", multiple=True, help=HELP)
@click.option("-o", "--output", metavar="FILE.cs", shell_complete=file_names, help="The file of the best script.")
@stdout_option("Print the best script, and the results on standard error (-o -).")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option("--system", metavar="NAME", help="The system to time, where the script maps several.")
@click.option(
    "--budget", callback=_seconds, default="60s", show_default=True, metavar="TIME", help="The time to search: 60s, 5m."
)
@click.option("--search", type=click.Choice(list(SEARCHES)), help="The search method (orthogonal).")
@click.option(
    "--rank",
    type=click.IntRange(0, 10_000),
    metavar="K",
    help="Time the K mappings of the lowest modelled cost, instead of a search (kernels: 12).",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The seed of the search and of the random inputs.")
@click.option(
    "--top",
    type=click.IntRange(1, 100),
    default=5,
    show_default=True,
    help="The number of mappings in the final comparison.",
)
@click.option("--threads", type=click.IntRange(1), help="The number of threads (all processors).")
@click.option("--log", metavar="FILE.jsonl", help="Write a line of JSON for every mapping that was tried.")
@click.option("--plot", metavar="FILE", callback=_figure, help="Draw the search: .png, .svg or .pdf.")
@click.option("--afresh", is_flag=True, help="Ignore the times of earlier runs.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@limited_to(MEASURING)
def command(
    script: str,
    assignments: tuple[str, ...],
    output: str | None,
    prints: bool,
    force: bool,
    system: str | None,
    budget: float,
    search: str | None,
    rank: int | None,
    seed: int,
    top: int,
    threads: int | None,
    log: str | None,
    plot: Path | None,
    afresh: bool,
    form: str,
) -> None:
    """Time the mappings that a script leaves open, and write the fastest as a plain script."""
    started = time.monotonic()
    check_one_target(output, prints)
    is_printed, output = prints or output == STDOUT, None if output == STDOUT else output
    if is_printed and (form == "json" or Path(script).suffix == ".m"):
        raise click.UsageError("--stdout prints one script: take -o for a kernel, whose equations are a file, and JSON")
    _check_output(output, script, force)
    _check_log(log, script, output)
    parameters = parameter_sets(assignments)[-1]
    with opening(script, system) as problem:
        check_parameters([problem.subject], [parameters])
        target = problem.checked.program.system(problem.system)
        own = checked_parameters(target, {parameter: parameters[parameter] for parameter in target.parameters})
        count = threads or len(os.sched_getaffinity(0))
        at = f"{values_text(own)}, {count_text(count, 'thread')}"
        results = Results.of(problem.space, problem.checked.program.source.text, own, count)
        keep_memory()
        candidates = Candidates.of(target, own, count, files_beside(problem.beside, problem.system), seed)
        evaluator = Evaluator(problem.space, problem.folder, candidates)
        earlier_trial = (lambda _: None) if afresh else results.earlier_trial
        with _logging(log) as log_file:
            watch = _Watch(problem.space, results, log_file)
            usual = 0 if problem.program is None or search is not None else _RANK
            schedule_request = TuneRequest(
                search=SEARCHES[search or _SEARCH],
                budget=max(budget + started - time.monotonic(), budget / 2),
                seed=seed,
                top=top,
                rank=usual if rank is None else rank,
            )
            tuned = tune(evaluator, schedule_request, earlier_trial, watch, watch.show_count)
        progress("")
        if plot is not None:
            _draw(plot, f"{problem.system}, {at}", tuned)
        if tuned.best is None:
            reason = next((trial.reason for trial in tuned.trials), "there was no time for any")
            raise InputError(f"no mapping of {script} could be timed: {reason}")
        lines = list(_result_lines(problem, tuned, at))
        if form == "json":
            click.echo(_document(problem.space, tuned, own, count))
        else:
            click.echo("\n".join(lines), err=is_printed)
        if is_printed:
            click.echo(_proved_script(problem, tuned.best, lines, Path(_PRINTED), force), nl=False)
        if output is not None:
            write_file(output, _proved_script(problem, tuned.best, lines, Path(output), force))
            click.echo(f"wrote {output}", err=form == "json")


class _Watch:
    """Shows, logs and stores each trial."""

    def __init__(self, space: SearchSpace, results: Results, log_file: TextIO | None) -> None:
        self._space, self._results, self._written = space, results, log_file
        self._count, self._least = 0, 1.0

    def show_count(self, count: int) -> None:
        progress(f"{count} of {self._space.size} looked at")

    def __call__(self, trial: TuningTrial) -> None:
        self._count += 1
        self._least = min(self._least, trial.ratio)
        progress(f"{self._count} of {self._space.size} tried, the best {1 / self._least:.2f} times as fast")
        self._results.keep(trial)
        if self._written is not None:
            document = trial.document(self._space.chosen(trial.point))
            self._written.write(json.dumps(document, ensure_ascii=False) + "\n")
            self._written.flush()


@contextmanager
def _logging(name: str | None) -> Iterator[TextIO | None]:
    if name is None:
        yield None
        return
    try:
        with Path(name).open("w", encoding="utf-8") as log_file:
            yield log_file
    except OSError as problem:
        raise InputError(f"{name} cannot be written: {problem.strerror or problem}") from None


def _check_output(output: str | None, script: str, force: bool) -> None:
    if output is not None:
        is_script = Path(output).resolve() == Path(script).resolve()
        check_script(output, force and not is_script)


def _check_log(log: str | None, *others: str | None) -> None:
    if log is not None and Path(log).resolve() in {Path(other).resolve() for other in others if other is not None}:
        raise InputError(f"the log would be written over {log}: give it another name")


def _draw(path: Path, title: str, tuned: Tuned) -> None:
    ratios = [trial.ratio if trial.state is TrialState.TIMED else None for trial in tuned.trials]
    if all(ratio is None for ratio in ratios):
        return
    try:
        path.write_bytes(progress_figure(title, ratios, path.suffix.removeprefix(".")))
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror or problem}") from None


# --- the script that was found ----------------------------------------------------------------------------------------


def _proved_script(problem: TuningProblem, best: TuningTrial, lines: Sequence[str], output: Path, force: bool) -> str:
    """Returns the script, proved as it will be read from the output; writes the equations of a kernel next to it."""
    comment = "".join(
        f"# {line}\n" for line in (f"Found by `alphaz tune {Path(problem.name).name}`, and proved.", *lines)
    )
    text = problem.space.script_of(best.point)
    for name, program in problem.programs.items():
        if f"ReadAlphabets({literal(name)})" in text:
            _write_program(output.parent / name, program, force)
    if not problem.programs:
        text = _with_moved_paths(text, Path(problem.name), output)
    try:
        proved_mapping(comment + text, str(output), output.parent, problem.system)
    except Unproved as reason:
        raise InputError(
            f"{output} would not be proved in that folder ({reason}): write it next to {problem.name}"
        ) from None
    return comment + text


def _write_program(path: Path, text: str, force: bool) -> None:
    """Writes the equations of a kernel; an identical existing file may stay."""
    if path.exists() and not force and path.read_text(encoding="utf-8", errors="replace") != text:
        raise InputError(f"{path} exists already: --force replaces it")
    write_file(str(path), text)


def _with_moved_paths(text: str, script: Path, output: Path) -> str:
    """Returns the script with the paths of programs relative to the folder of the output."""
    if script.parent.resolve() == output.parent.resolve():
        return text
    places = []
    for statement in parse_script(Source(str(script), text)).statements:
        call = statement.value
        if isinstance(call, CommandCall) and call.name.text == _READ and isinstance(call.arguments[0], TextLiteral):
            places.append(call.arguments[0])
    for place in reversed(places):
        name = Path(os.path.relpath(script.parent / place.value, output.parent)).as_posix()
        text = text[: place.span.start] + literal(name) + text[place.span.end :]
    return text


# --- showing ----------------------------------------------------------------------------------------------------------


def _result_lines(problem: TuningProblem, tuned: Tuned, at: str) -> Iterator[str]:
    states = [trial.state for trial in tuned.trials]
    timed, refused = states.count(TrialState.TIMED), states.count(TrialState.NOT_PROVED)
    ended = "the search came to its end" if tuned.is_complete else "then the time was up"
    if tuned.ranked:
        proved = sum(cost < inf for cost, _ in tuned.ranked)
        yield f"Of {len(tuned.ranked)} mappings that were looked at, {proved} proved, those that cost least were timed."
    yield f"{at}: {len(states)} of {problem.space.size} mappings tried, {timed} timed, {refused} not proved; {ended}."
    yield f"Times are those of {problem.reference}, by these:"
    for trial in tuned.finals:
        yield f"  {1 / trial.ratio:5.2f}  {trial.seconds:9.4f} s  {_different(problem.space, trial)}"


def _different(space: SearchSpace, trial: TuningTrial) -> str:
    """Returns the choices that differ from those of the reference."""
    usual = {axis.name: axis.alternatives[axis.usual] for axis in space.axes}
    choices = [f"{name} = {text}" for name, text in space.chosen(trial.point).items() if text != usual[name]]
    return ", ".join(choices) or "nothing else"


def _document(space: SearchSpace, tuned: Tuned, parameters: Mapping[str, int], threads: int) -> str:
    value = {
        "parameters": dict(parameters),
        "threads": threads,
        "mappings": space.size,
        "whole": tuned.is_complete,
        "ranked": len(tuned.ranked),
        "finals": [trial.document(space.chosen(trial.point)) for trial in tuned.finals],
        "trials": [trial.document(space.chosen(trial.point)) for trial in tuned.trials],
    }
    return json.dumps(value, indent=2, ensure_ascii=False)
