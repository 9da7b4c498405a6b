from enum import Enum


class PlayerColor(Enum):
    RED = 0
    BLUE = 1

    def __str__(self):
        return self.name

    @property
    def opponent(self):
        return PlayerColor(1 - self.value)
