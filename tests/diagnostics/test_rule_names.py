"""Rules are found by the names that `rules.py` gives them."""

import re

from alphaz.diagnostics import rules
from alphaz.resources import resource_folder


def test_no_rule_hides_another_one() -> None:
    """Two of one name would be two rules, of which one is never said."""
    text = (resource_folder("alphaz") / "diagnostics" / "rules.py").read_text(encoding="utf-8")
    names = re.findall(r"^([A-Z_0-9]+) = _(?:rule|warning)\(", text, re.MULTILINE)
    assert len(names) > 50
    assert len(set(names)) == len(names)
    assert len({getattr(rules, name).code for name in names}) == len(names)
