"""What a person did that cannot work, said in one sentence."""


class UserError(Exception):
    """Bad input: the message names the file or option, the key, and what would be valid. Exit code 2, no traceback."""


class GameError(UserError):
    """The rules of a game do what they must not: a sentence for their author. Exit code 3."""

    exit_code = 3


class MissingModelError(UserError):
    """A player's model was not made for this game, or this number of players."""
