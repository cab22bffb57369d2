"""Scheduled C."""
