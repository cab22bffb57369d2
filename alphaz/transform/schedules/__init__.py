"""Transformations that compute schedules as programs."""
