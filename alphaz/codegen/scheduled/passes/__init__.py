"""Passes that look into statements: what they compute, and which cells they touch."""
