"""C as equations: exact array dataflow gives each value a name, and each read the value that it finds.

Source: P. Feautrier, Dataflow analysis of array and scalar references, IJPP 1991. What is made here is trusted by
nobody: it is checked as any program, and proved against the C that it comes from.
"""
