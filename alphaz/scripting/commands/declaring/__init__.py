"""Declaration and execution of commands."""
