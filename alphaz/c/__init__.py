"""The C tree of generated code and its printer.

`tree`: expressions, statements, functions and files as frozen data; `printer`: the tree as text. Entry points:
`alphaz.c.tree`, `alphaz.c.printer.print_file`.
"""
