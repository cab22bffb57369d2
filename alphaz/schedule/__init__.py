"""Proposals of mappings: when, found for what the equations say, and how fast code comes of it. All of it is verified."""
