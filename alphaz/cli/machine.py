"""`alphaz machine`: the target machine of generated code, and its ceilings."""

import json
from dataclasses import asdict

import click

from alphaz.cli.deadline import MEASURING, limited_to
from alphaz.cli.output import progress
from alphaz.diagnostics.nearest import count_text
from alphaz.machine import VECTORS, Machine
from alphaz.run.ceilings import measured
from alphaz.run.machine import machine

EPILOG = """\b
Examples:
  alphaz machine
  alphaz machine --measure
  alphaz machine --format json
  ALPHAZ_MACHINE=avx512 alphaz run gemm-tuned.cs

\b
The vector instructions of the compiler and the measured rates are determined once
and cached. The variable ALPHAZ_MACHINE pins the instructions (sse2, neon, avx2,
avx512), for texts that are the same on every machine."""


@click.command("machine", epilog=EPILOG)
@click.option("--measure", is_flag=True, help="Measure memory and arithmetic, if this was not done before.")
@click.option("--again", is_flag=True, help="Measure anew.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="The output format (text).")
@limited_to(MEASURING)
def command(measure: bool, again: bool, form: str) -> None:
    """Print the vectors, caches and threads of the machine, and its highest measured rates."""
    machine_ = machine()
    if measure or again:
        progress("measuring")
        machine_ = measured(sorted({1, machine_.threads}), again=again)
        progress("")
    click.echo(_document(machine_) if form == "json" else _text(machine_), nl=False)


def _text(it: Machine) -> str:
    vectors = it.vectors
    lines = [
        f"vectors  {it.instructions}: {vectors.registers} registers of {vectors.bytes} bytes",
        *(f"cache {level}  {cache.size // 1024} KiB, {cache.ways} ways" for level, cache in enumerate(it.caches, 1)),
        f"threads  {it.threads}",
    ]
    for ceiling in it.ceilings:
        threads = count_text(ceiling.threads, "thread")
        rates = f"{ceiling.bytes / 1e9:.1f} GB/s from memory, {ceiling.operations / 1e9:.1f} Gflop/s"
        lines.append(f"at best  {rates} with {threads}")
        near = (f"{rate / 1e9:.1f} GB/s from cache {level}" for level, rate in enumerate(ceiling.caches, 2))
        lines += [f"         {', '.join(near)}"] if ceiling.caches else []
    return "".join(f"{line}\n" for line in lines)


def _document(it: Machine) -> str:
    """Returns the JSON document; `bytes` and `operations` of `ceilings` are rates, a second."""
    return json.dumps({**asdict(it), "vectors": asdict(VECTORS[it.instructions])}, indent=2) + "\n"
