"""The command line: one small module per command. Each command calls functions of the public library."""
