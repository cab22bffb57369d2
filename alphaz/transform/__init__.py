"""Rewriting programs: every transformation checks before it acts, and preserves meaning."""
