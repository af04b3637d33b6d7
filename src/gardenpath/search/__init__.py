"""Search: greedy parsing, and watching it."""
