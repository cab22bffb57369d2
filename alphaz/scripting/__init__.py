"""Command scripts: `commands/` (declarations and documentation of commands), `interpreter/` (execution of scripts).

Entry points: `commands` in `commands/catalogue.py`, `Interpreter` in `interpreter/run.py`, `run` in
`interpreter/python_api.py`.
"""
