"""What can go wrong, and what the program warns of."""


class StammaError(Exception):
    """The program or the extension could not do what was asked; the text is theirs."""


class StammaWarning(UserWarning):
    """The program did what was asked, and said something about it."""
