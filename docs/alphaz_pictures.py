"""The pictures in the documents of rules: their own examples, drawn while the site is built."""

import re
from collections.abc import Mapping
from contextlib import suppress

import alphaz
from alphaz.analysis.read import examine_program
from alphaz.diagnostics import Source
from alphaz.diagnostics.rules import document
from alphaz.figures.drawing.figures import best, figure
from alphaz.figures.drawing.svg import Figure
from alphaz.figures.trace.rejected_program import rejected

# The pictures of a rule's document: of which of its examples, and of what kind (None: what shows most). Rules
# of which no picture says more than their words are not here: `tests/site` says why.
PICTURES: Mapping[str, tuple[tuple[str, str | None], ...]] = {
    **dict.fromkeys(("AZ304", "AZ305", "AZ306", "AZ310"), (("Wrong", None), ("Right", None))),
    **dict.fromkeys(("AZ208", "AZ309", "AZ312"), (("Wrong", "domain"), ("Right", "domain"))),
    **dict.fromkeys(("AZ307",), (("Right", "domain"),)),
    **dict.fromkeys(("AZ313", "AZ315", "AZ804"), (("Wrong", None),)),
    **dict.fromkeys(("AZ316",), (("Wrong", "order"), ("Right", "order"))),
    **dict.fromkeys(("AZ409", "AZ410", "AZ501", "AZ502", "AZ503"), (("Wrong", None), ("Right", None))),
    **dict.fromkeys(("AZ604", "AZ701", "AZ702"), (("Wrong", None), ("Right", None))),
    **dict.fromkeys(
        ("AZ415", "AZ224", "AZ404", "AZ406", "AZ411", "AZ812", "AZ816", "AZ419", "AZ504", "AZ512"), (("Right", None),)
    ),
    **dict.fromkeys(("AZ511", "AZ516"), (("Wrong", "domain"), ("Right", "dates"))),
    **dict.fromkeys(("AZ601", "AZ602", "AZ603", "AZ611"), (("Wrong", "lifetimes"), ("Right", "lifetimes"))),
    **dict.fromkeys(("AZ417", "AZ605", "AZ612", "AZ613"), (("Right", "lifetimes"),)),
    **dict.fromkeys(("AZ521", "AZ622"), (("Wrong", None), ("Right", "ranks"))),
    **dict.fromkeys(("AZ522", "AZ523", "AZ621"), (("Right", "ranks"),)),
    "AZ311": (("Right", "order"),),
    "AZ413": (("Wrong", None), ("Right", "tiles")),
}


def drawn_rule(code: str, section: str, kind: str | None = None) -> Figure:
    """The figure of an example. Of a script that is rejected its program, of a program what is wrong.

    Raises Rejected where there is nothing to draw.
    """
    program, script = (_example(code, section, language) for language in ("alphabets", "script"))
    wrong = rejected(examine_program(Source("program.ab", program)))
    if wrong is not None:
        return figure(wrong, kind or best(wrong))
    return _design(program, script).draw(kind)


def _design(program: str, script: str) -> alphaz.Design:
    if script:
        with suppress(alphaz.Rejected):
            return alphaz.run("mapping.cs", text=script, texts={"program.ab": program})
    return alphaz.read("program.ab", text=program)


def _example(code: str, section: str, language: str) -> str:
    found = re.search(rf"^### {section}\n(.*?)(?=^##|\Z)", document(code), re.MULTILINE | re.DOTALL)
    block = re.search(rf"^```{language}\n(.*?)^```$", found[1] if found else "", re.MULTILINE | re.DOTALL)
    return block[1] if block else ""
