"""A proposal as a readable script that can be changed and run again."""

from collections.abc import Iterable, Iterator, Sequence

from alphaz.search.schedule.explain import explanation
from alphaz.search.schedule.line import Line
from alphaz.search.schedule.propose import Proposal


def script_of(
    program: str,
    made_by: str,
    proposals: Iterable[Proposal],
    explained: bool = False,
    given: Sequence[Line] = (),
) -> str:
    """Returns the text. `program`: the quoted path of the program relative to the script; `made_by`: the command that
    made it; `explained`: the reasons are printed above each mapping; `given`: stated facts about each, printed
    first."""
    found = tuple(proposals)
    rewriting = (str(line) for proposal in found for line in proposal.rewriting)
    lines = [f"# {made_by}", f"prog = ReadAlphabets({program});", *rewriting]
    for proposal in found:
        lines += ["", f'system = "{proposal.system}";']
        lines += [f"# {line}" for line in explanation(proposal)] if explained else []
        lines += [str(line) for line in given]
        lines += _of_system(proposal)
    lines += [""] if found else []
    for proposal in found:
        name = f'"{proposal.system}"' if len(found) > 1 else "system"
        lines += [f'VerifyTargetMapping(prog, {name}, "MIN");', f"generateScheduledCode(prog, {name});"]
    return "\n".join(lines) + "\n"


def _of_system(proposal: Proposal) -> Iterator[str]:
    for line in proposal.lines:
        if line.comment:
            yield f"# {line.comment}"
        yield str(line)
