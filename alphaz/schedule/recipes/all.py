"""The recipes, in the order in which they are tried."""

from alphaz.schedule.recipes import factorization, loops, matrix_vector, product, stencil

RECIPES = tuple(each.RECIPE for each in (product, factorization, stencil, matrix_vector, loops))
