"""The reference interpreter: the meaning of a program, by its denotation.

`v[z]` is the value of the right-hand side of v's equation at z. Values are computed on demand and cached; every
operator works as in C. Values do not depend on isl: domains are only listed."""

from alphaz.model.interpreter.evaluate import evaluate

__all__ = ["evaluate"]
