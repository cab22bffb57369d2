"""Programs as values: systems, variables, equations, expressions.

`interpreter/`: the reference interpreter.
Entry points: `Program` in `program.py`, `evaluate` in `interpreter/evaluate.py`.
"""
