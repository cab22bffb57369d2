"""The kinds of arguments: conversions from values of a script."""
