"""The errors and warnings of gardenpath. Messages say what is wrong, where, and how to fix it."""


class GardenpathError(Exception):
    """Base class of all errors that gardenpath raises."""


class InputError(GardenpathError, ValueError):
    """An error in the input, such as a file or a sentence (exit code 1)."""


class UsageError(GardenpathError, ValueError):
    """An error in a call, such as an unknown name or settings that do not fit together (exit code 2)."""


class GardenpathWarning(UserWarning):
    """A warning about a call that is possible but probably not intended."""
