"""`alphaz machine`: the target machine of generated code, and its ceilings."""

import json
from dataclasses import asdict

import click

from alphaz.cli.chosen_gpu import chosen_gpu
from alphaz.cli.output import progress
from alphaz.cli.resource_limits import MEASURING, limited_to
from alphaz.diagnostics.message_words import count_text
from alphaz.machine import GPUS, VECTORS, Gpu, Machine, Network
from alphaz.run.ceilings import measured
from alphaz.run.machine import machine
from alphaz.run.network import with_network

EPILOG = """\b
Examples:
  alphaz machine
  alphaz machine --measure
  alphaz machine --network
  alphaz machine --format json
  alphaz machine --gpu h100 --format json
  ALPHAZ_MACHINE=avx512 alphaz run gemm-tuned.cs

\b
The vector instructions of the compiler and the measured rates are determined once
and cached. --network measures messages between two ranks that mpiexec starts;
`alphaz schedule --target mpi` takes the result where no network is given. The
variable ALPHAZ_MACHINE pins the instructions (sse2, neon, avx2, avx512), for texts
that are the same on every machine."""


@click.command("machine", epilog=EPILOG)
@click.option("--measure", is_flag=True, help="Measure memory and arithmetic, if this was not done before.")
@click.option("--network", is_flag=True, help="Measure messages of two ranks of MPI, if this was not done before.")
@click.option("--gpu", metavar="NAME|FILE", help=f"Print this GPU instead: {', '.join(GPUS)}, or a file of JSON.")
@click.option("--again", is_flag=True, help="Measure anew.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="The output format (text).")
@limited_to(MEASURING)
def command(measure: bool, network: bool, gpu: str | None, again: bool, form: str) -> None:
    """Print the vectors, caches and threads of the machine, and its highest measured rates."""
    if gpu is not None:
        click.echo(json.dumps(asdict(chosen_gpu(gpu)), indent=2) if form == "json" else _gpu_text(chosen_gpu(gpu)))
        return
    machine_ = machine()
    if network:
        progress("measuring the network")
        machine_ = with_network(again=again)
        progress("")
    if measure or (again and not network):
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
    if it.network != Network():
        lines.append(f"network  {it.network.latency * 1e6:.2f} us a message, {it.network.bytes / 1e9:.2f} GB/s")
    return "".join(f"{line}\n" for line in lines)


def _gpu_text(it: Gpu) -> str:
    return "\n".join(
        (
            f"{it.name}, {it.architecture}: {it.processors} processors of {it.clock / 1e9:.3g} GHz",
            f"a processor has {it.threads:,} threads in {it.blocks} blocks, {it.registers:,} registers, "
            f"{it.shared // 1024} KiB of shared memory",
            f"at best  {it.bytes / 1e9:.0f} GB/s from memory, {it.cache_bytes / 1e9:.0f} GB/s from a cache of "
            f"{it.cache >> 20} MiB, {it.doubles / 1e12:.3g} Tflop/s in double, {it.floats / 1e12:.3g} in float",
        )
    )


def _document(it: Machine) -> str:
    """Returns the JSON document; `bytes` and `operations` of `ceilings` are rates, a second."""
    return json.dumps({**asdict(it), "vectors": asdict(VECTORS[it.instructions])}, indent=2) + "\n"
