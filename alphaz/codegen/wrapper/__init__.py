"""The main program around generated code."""
