"""Demand-driven C."""
