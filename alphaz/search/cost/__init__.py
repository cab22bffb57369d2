"""Static cost of a mapping: bytes moved between levels of memory, operations, a bound in seconds."""
