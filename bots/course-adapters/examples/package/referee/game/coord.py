from dataclasses import dataclass
from enum import Enum

from .constants import BOARD_N


@dataclass(frozen=True, order=True)
class Coord:
    r: int
    c: int

    def __post_init__(self):
        if not (0 <= self.r < BOARD_N and 0 <= self.c < BOARD_N):
            raise ValueError(f"{self.r}, {self.c} is outside the board")

    def __iter__(self):
        return iter((self.r, self.c))

    def __add__(self, direction):
        return Coord(self.r + direction.value[0], self.c + direction.value[1])

    def __str__(self):
        return f"{self.r}-{self.c}"


class Direction(Enum):
    Up = (-1, 0)
    Down = (1, 0)
    Left = (0, -1)
    Right = (0, 1)

    def __str__(self):
        return self.name
