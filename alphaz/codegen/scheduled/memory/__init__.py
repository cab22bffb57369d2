"""Where generated code keeps values: arrays of variables, buffers of packed reads, accumulators of reductions."""
