"""What runs: the C compiler, compiled kernels, data, comparison. With `cli`, the only room that touches the disk."""
