"""Command scripts: `commands/` (declarations and documentation of commands), `interpreter/` (execution of scripts).

The way in: `scripting.commands.catalogue`, `scripting.interpreter.run`, `scripting.interpreter.python`.
"""
