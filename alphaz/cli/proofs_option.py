"""The option `--proofs`, and the file of proofs next to a certificate."""

from pathlib import Path

import click

from alphaz.cli.files import check_target

proofs_option = click.option(
    "--proofs",
    is_flag=True,
    help="With --certificate FILE.json: also write FILE.proofs.json, for `recheck --kernel`, which uses no solver.",
)


def proofs_name(certificate: str) -> str:
    """Returns the name of the file of proofs: c.proofs.json for c.json."""
    return str(Path(certificate).with_suffix(".proofs.json"))


def check_targets(certificate: str | None, proofs: bool) -> None:
    """Checks before the work that both files can be written. Raises InputError, UsageError."""
    check_target(certificate)
    if proofs and certificate is None:
        raise click.UsageError("--proofs goes with --certificate: they prove the sets that it states")
    if proofs and certificate is not None:
        check_target(proofs_name(certificate))
