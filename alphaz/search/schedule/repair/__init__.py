"""Hints for refuted mappings: small changes, each verified as a whole mapping before it is offered."""
