"""Equations from C by exact array dataflow: each value gets a name, and each read the value that it finds.

Source: P. Feautrier, Dataflow analysis of array and scalar references, IJPP 1991. The result is not trusted: it is
checked like any program, and proved against the original C.
"""
