"""The C tree, for generated C and for C that is read: types, expressions, statements and files as frozen data.

`tree`: the nodes; `walk`: their parts; `printer`: the tree as text; `parse`, the only importer of pycparser: text as
a tree, with `preparation` (texts that pycparser does not take), `pragmas` (OpenMP) and `cuda`.
Entry points: `file_text` in `printer.py`, `parse` in `parse.py`.
"""
