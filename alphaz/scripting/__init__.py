"""Command scripts: `commands/` (declarations and documentation of commands), `interpreter/` (execution of scripts).

Entry points: `scripting.commands.catalogue`, `scripting.interpreter.run`, `scripting.interpreter.python`."""
