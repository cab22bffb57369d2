"""Searching among mappings: spaces of scripts, searches in them, candidates that are proved and timed."""
