"""The kinds of arguments: what a value of a script becomes."""
