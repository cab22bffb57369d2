"""Commands of the language that are known and not there yet: a row each, until it moves to a function."""

from alphaz.commands.declaring.declaration import Topic
from alphaz.commands.declaring.table import Row, not_yet

not_yet(
    Topic.BASIC,
    Row("ReadAlphaBundle(file)", "Read programs in the successor's notation."),
    Row("GetSystem(program, name)", "Select a system."),
    Row("GetBody(system, number)", "Select a body of a system."),
    Row("GetEquation(body, name)", "Select an equation."),
    Row("GetExpression(body, name)", "Select the right-hand side of an equation."),
    Row("GetNode(program, node)", "Select a node by its number."),
    Row("GetVariable(system, name)", "Select a variable."),
    Row("CtoAlphabets(file, [output], lb)", "Make a program from a C function."),
    Row("AnalyzeScopMemoryUsage(file)", "Report the memory that a C function uses."),
)
not_yet(
    Topic.SCHEDULE,
    Row("ManualScheduler(program)", "Take schedules from a file."),
    Row("MemoryMapper(program)", "Take memory maps from a file."),
    Row("DTiler(program)", "Tile with sizes that are parameters."),
)
not_yet(
    Topic.TRANSFORM,
    Row("LiftAutoRestrict(program)", "Replace automatic restricts by their domains."),
    Row("PropagateSimpleEquations(program)", "Inline equations that only copy."),
    Row("SubstituteByDef(program, equation, variable)", "Replace reads of a variable by its definition."),
    Row("RaiseDependence(program)", "Move functions as far out as they go."),
    Row("StandardizeNames(program)", "Give every domain of an equation the same index names."),
)
not_yet(
    Topic.REDUCTIONS,
    Row("HoistOutOfReduction(program, node)", "Move what a reduction does not change out of it."),
    Row("HigherOrderOperator(program, node)", "Replace a reduction of a constant by a closed form."),
    Row("RemoveIdenticalAnswers(program, node)", "Compute equal answers of a reduction once."),
)
