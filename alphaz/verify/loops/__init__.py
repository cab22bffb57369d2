"""What loops may be changed for, beyond the order that is proved: which of their iterations are independent."""
