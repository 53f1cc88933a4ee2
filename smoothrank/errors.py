"""The base class of every error that a user can fix."""


class SmoothrankError(ValueError):
    """What was given cannot be used; the message says what is wrong, where, and what to do.

    The command line prints the message in one line, without a traceback.
    """
