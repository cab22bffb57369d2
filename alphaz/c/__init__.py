"""The C tree and its printer.

`tree`: expressions, statements, functions and files as frozen data.
Entry point: `file_text` in `printer.py`.
"""
