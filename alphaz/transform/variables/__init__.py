"""Transformations of variables: new ones, others in their place, other indices."""
