"""What a mapping costs before anybody runs it: bytes moved between levels of memory, operations, a bound in seconds."""
