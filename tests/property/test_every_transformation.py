"""Every command that rewrites programs is in one of the property tests."""

from alphaz.scripting.commands.catalogue import commands
from alphaz.scripting.commands.declaring.declaration import CommandStatus, Topic
from tests.property import test_reductions, test_transform

# They have tests of their own: the parameters and the inputs are others afterwards.
OWN = {f"monoparametricTiling_{way}" for way in ("noOutlining", "Outlining", "Outlining_noSubsystem")}


def test_every_transformation_is_tried_on_random_programs() -> None:
    tables = (test_transform.TRANSFORMATIONS, test_reductions.TRANSFORMATIONS)
    tried = {word for table in tables for name in table for word in name.replace(",", " ").split()}
    wanted = {
        c.name for c in commands() if c.topic in (Topic.TRANSFORM, Topic.REDUCTIONS) and c.status is CommandStatus.DONE
    }
    assert wanted - OWN <= tried
