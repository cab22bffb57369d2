"""What loops may be changed for, beyond the order that is proved: which iterations are independent, and which exist."""
