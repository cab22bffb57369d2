"""Mappings at small parameters, as plain data: what figures, reports and lessons are made of."""
