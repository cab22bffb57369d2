"""Mappings at small parameters, as plain data: the input of figures, reports and lessons."""
