"""Transformations of variables: new ones, replacements, changes of indices."""
