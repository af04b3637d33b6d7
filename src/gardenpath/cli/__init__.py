"""The command line: one thin module a command, each a call that a Python user could make."""
