"""Analysis of programs: names, types, domains, definitions and dependences.

`elaborate/` (syntax tree to program), `checks/` (checks without a mapping), `facts/` (domains, dependences, counts),
`texts/` (program to text).
Entry point: `read_program` in `read.py`.
"""
