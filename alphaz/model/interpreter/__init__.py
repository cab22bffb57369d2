"""The reference interpreter: the meaning of a program, by its denotation.

`v[z]` is the value of the right-hand side of v's equation at z. Values are computed on demand and remembered; every
operator works as C's does. Nothing here asks isl for a value: domains are only listed.
"""

from alphaz.model.interpreter.evaluate import evaluate

__all__ = ["evaluate"]
