"""`scripts/fuzz-verifier --executed N [--sanitized] [--jobs J] [--seconds T]`: batches of samples, several at a time,
each in a process of its own with limits of time and memory.
"""

import json
import os
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from alphaz.codegen.scheduled.pipeline import PLAIN
from tests.strategies.mapped_programs import Sample
from tests.strategies.mapping_variants import HEADER
from tools.differential.batch import SAMPLES, SampleResult, Way, complaint, run_batch
from tools.differential.generation import Tally
from tools.differential.openmp.machine import Look, Machine, NotBuilt
from tools.differential.proved_mappings import proved

# What the process of a batch may take, in seconds of processor and megabytes of memory.
PROCESSOR, MEGABYTES = 600, 8000
# So many samples of a batch are made smaller, and so many seconds may that take for each.
SHRUNK, SHRINKING = 2, 60

Line = dict[str, Any]
Shrink = Callable[[Sample, Callable[[Sample], object]], Sample]


@dataclass(frozen=True)
class Campaign:
    """The work of a campaign: a number of samples of a seed (or the batch `only`), and a limit in seconds."""

    seed: int
    samples: int
    way: Way
    output: Path
    jobs: int = 1
    seconds: float | None = None
    log: Path | None = None
    shrink: Shrink | None = None
    only: int | None = None

    def batches(self) -> Iterator[tuple[int, int]]:
        """The numbers of the batches, and how many samples are wanted of each."""
        if self.only is not None:
            yield self.only, min(self.samples, SAMPLES)
            return
        for at in range(0, self.samples, SAMPLES):
            yield at // SAMPLES, min(SAMPLES, self.samples - at)


@dataclass
class Summary:
    """The outcomes of all batches."""

    samples: int = 0
    parallel: int = 0
    disagreements: int = 0
    tally: Tally = field(default_factory=Tally)
    features: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)

    def add(self, line: Mapping[str, Any]) -> None:
        if "tally" in line:
            for name, count in line["tally"].items():
                setattr(self.tally, name, getattr(self.tally, name) + count)
            return
        self.samples += 1
        self.parallel += line["is_parallel"]
        self.disagreements += bool(line["said"])
        self.features.update(line["features"])
        self.words.update([line["word"]] if line.get("word") else [])

    def text(self, seconds: float) -> str:
        t = self.tally
        words = "".join(f"; C {word}: {count}" for word, count in sorted(self.words.items()))
        return (
            f"{self.samples} samples executed ({self.parallel} in parallel), {self.disagreements} disagreements; "
            f"{t.proved} mappings proved, {t.refused} refused, {t.undecided} undecided, {t.invalid} not valid"
            f"{words}; {seconds:.0f} s"
        )


def execute(campaign: Campaign) -> int:
    """0; 1 where something disagrees; 2 where nothing can be executed."""
    begin, summary = time.monotonic(), Summary()
    with TemporaryDirectory(prefix="alphaz-fuzz-") as name:
        try:
            drivers = _drivers(Path(name), campaign.way)
        except NotBuilt as problem:
            _say(f"gcc cannot build the driver{', with sanitizers' * campaign.way.is_sanitized}:", str(problem))
            return 2
        for done, lines in enumerate(_done(campaign, drivers, Path(name), begin), 1):
            for line in lines:
                summary.add(line)
                if line.get("said"):
                    _say(line["told"])
            _logged(campaign.log, lines)
            if done % 10 == 0:
                _say(summary.text(time.monotonic() - begin))
    _say(*(f"{feature:>32} {count:7d}" for feature, count in sorted(summary.features.items())))
    _say(summary.text(time.monotonic() - begin))
    return 1 if summary.disagreements else 0


def _drivers(folder: Path, way: Way) -> dict[Look, Path]:
    machine = Machine(folder)
    for look in Look if way.is_sanitized else (Look.VALUES,):
        machine.driver(look)
    return machine.drivers


def _logged(log: Path | None, lines: Sequence[Line]) -> None:
    if log is not None:
        with log.open("a", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(line)}\n" for line in lines)


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


# --- batches in processes of their own -----------------------------------------------------------------------------


def _done(campaign: Campaign, drivers: dict[Look, Path], folder: Path, begin: float) -> Iterator[list[Line]]:
    """The lines of the batches, as they end."""
    running: dict[int, tuple[int, Path]] = {}
    waiting = campaign.batches()
    while True:
        is_late = campaign.seconds is not None and time.monotonic() - begin > campaign.seconds
        following = next(waiting, None) if len(running) < campaign.jobs and not is_late else None
        if following is not None:
            batch, samples = following
            path = folder / f"batch-{batch}.jsonl"
            running[_started(campaign, batch, samples, drivers, path)] = (batch, path)
        elif running:
            process, how = os.wait()
            batch, path = running.pop(process)
            yield list(_lines(campaign, batch, path, how))
            path.unlink(missing_ok=True)
        else:
            return


def _started(campaign: Campaign, batch: int, samples: int, drivers: dict[Look, Path], path: Path) -> int:
    """A process that does the batch, and writes line by line what comes of it."""
    sys.stdout.flush()
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, PROCESSOR + 5))
        with path.open("w", encoding="utf-8") as log:
            for line in _batch(campaign, batch, samples, drivers):
                log.write(f"{json.dumps(line)}\n")
                log.flush()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        # Nothing of the parent's is done twice.
        os._exit(code)


def _lines(campaign: Campaign, batch: int, path: Path, how: int) -> Iterator[Line]:
    """Returns the lines that a batch wrote; a process that died is a finding."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    yield from (json.loads(line) for line in text.splitlines() if line.endswith("}"))
    code = os.waitstatus_to_exitcode(how)
    if code:
        ended = f"was ended by {signal.Signals(-code).name}" if code < 0 else "failed"
        reason = f"the process that draws and proves its samples {ended}"
        message = f"batch {batch}: {reason}\n  {_again(campaign, batch)}"
        yield _line(campaign, batch, -1) | {"said": reason, "told": message}


# --- one batch ----------------------------------------------------------------------------------------------------


def _batch(campaign: Campaign, batch: int, samples: int, drivers: dict[Look, Path]) -> Iterator[Line]:
    tally, shrunk = Tally(), 0
    for item in run_batch(campaign.seed, batch, samples, campaign.way, tally, drivers):
        line = _line(campaign, batch, item.number) | {
            "passes": item.passes,
            "is_parallel": item.is_parallel,
            "features": sorted(item.features),
            "word": item.word.said if item.word is not None else "",
            "reason": item.word.reason if item.word is not None else "",
        }
        if item.said:
            small = item.sample
            if campaign.shrink is not None and shrunk < SHRUNK:
                shrunk += 1
                small = _small(item, campaign, campaign.shrink, drivers)
            line |= _wrong(item, small, campaign, batch)
        yield line
    yield {"seed": campaign.seed, "batch": batch, "tally": vars(tally)}


def _line(campaign: Campaign, batch: int, sample: int) -> Line:
    about = {"seed": campaign.seed, "batch": batch, "sample": sample, "said": ""}
    return about | {"passes": "", "is_parallel": False, "features": []}


def _wrong(sample: SampleResult, small: Sample, campaign: Campaign, batch: int) -> Line:
    """Files that show it, and what is said of it."""
    stem = f"executed-{campaign.seed}-{batch}-{sample.number}"
    script = pair(small, stem, campaign.output)
    texts = {
        "program": small.program,
        "script": small.script(f"{stem}.ab"),
        "drawn": sample.sample.script(f"{stem}.ab"),
    }
    plain = " --plain" if sample.pipeline == PLAIN else ""
    passes = f" ({sample.passes})" * bool(sample.passes)
    messages = [
        f"batch {batch}, sample {sample.number}{passes}: {sample.said}",
        *small.program.splitlines(),
        *texts["script"].splitlines(),
        f"alphaz test{plain} --seed {campaign.seed} {script}",
        _again(campaign, batch),
    ]
    return {"said": sample.said, "told": "\n  ".join(messages), **texts}


def _again(campaign: Campaign, batch: int) -> str:
    way = campaign.way
    asked_for = {"sanitized": way.is_sanitized, "strict": way.strict, "prove": way.proves, "every-pass": way.every_pass}
    flags = "".join(f" --{name}" for name, is_there in asked_for.items() if is_there)
    return f"scripts/fuzz-verifier --executed {campaign.samples} --seed {campaign.seed}{flags} --only {batch}"


def _small(sample: SampleResult, campaign: Campaign, shrink: Shrink, drivers: dict[Look, Path]) -> Sample:
    """The same with less in it, as far as that is found in time."""
    until = time.monotonic() + SHRINKING

    def still_wrong(candidate: Sample) -> bool:
        if time.monotonic() > until:
            return False
        try:
            case = proved(candidate, sample.pipeline)
        except Exception:
            return True
        return case is not None and complaint(case, campaign.way, campaign.seed, drivers) != ""

    return shrink(sample.sample, still_wrong)


def pair(sample: Sample, stem: str, folder: Path) -> Path:
    """A program and its script, as files; the path of the script."""
    folder.mkdir(parents=True, exist_ok=True)
    program, script = (folder / f"{stem}.{end}" for end in ("ab", "cs"))
    program.write_text(sample.program, encoding="utf-8")
    script.write_text(sample.script(program.name), encoding="utf-8")
    if "//@ identity" in sample.program:
        (folder / "external_functions.h").write_text(HEADER, encoding="utf-8")
    return script
