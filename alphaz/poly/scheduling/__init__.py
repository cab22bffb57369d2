"""Scheduling data: relations between operations, trees of bands, and isl's scheduler."""
