"""The errors gardenpath raises, and what it warns of: each names the thing, the place and the remedy."""


class GardenpathError(Exception):
    """The base of every error that gardenpath raises on purpose."""


class InputError(GardenpathError, ValueError):
    """The input is at fault: the message says where, what is wrong and what to do (exit code 1)."""


class UsageError(GardenpathError, ValueError):
    """The call is at fault: an unknown name or settings that do not go together (exit code 2)."""


class GardenpathWarning(UserWarning):
    """What can be done, but is hardly meant: the message says what it is and what to do instead."""
