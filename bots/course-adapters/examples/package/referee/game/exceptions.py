class PlayerException(Exception):
    """A player ends the game by a fault. The arguments are words and the player's colour."""


class IllegalActionException(PlayerException):
    """An action breaks a rule."""
