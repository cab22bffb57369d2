"""The obligations of a target mapping, one module for each family."""
