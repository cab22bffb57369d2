"""The memory of generated code: arrays of variables, buffers of packed reads, accumulators of reductions."""
