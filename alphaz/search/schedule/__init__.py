"""Proposals of mappings: when, as the equations allow, and so that fast code comes of it. All of it is verified."""
