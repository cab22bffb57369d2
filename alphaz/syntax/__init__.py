"""Texts of programs, scripts and maps: lexer, grammar, syntax trees, printers, recovery from errors.

Entry points: `parse_program` and `parse_script` in `parser.py`, `print_program` in `printer.py`.
"""
