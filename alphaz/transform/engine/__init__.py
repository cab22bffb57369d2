"""Shared parts of the transformations: editing, refusals, checking the new program, and adapting mappings."""
