from dataclasses import dataclass
from typing import Tuple, Union

from .coord import Coord, Direction


@dataclass(frozen=True)
class PlaceAction:
    """Two stones on empty neighbouring cells."""

    c1: Coord
    c2: Coord

    @property
    def coords(self):
        return {self.c1, self.c2}


@dataclass(frozen=True)
class HopAction:
    """A stone steps through empty cells."""

    coord: Coord
    _directions: Union[Direction, Tuple[Direction, ...]]

    @property
    def directions(self):
        return (self._directions,) if isinstance(self._directions, Direction) else tuple(self._directions)


@dataclass(frozen=True)
class GrowAction:
    """A stone on each empty cell with two or more neighbours of one's own."""


Action = Union[PlaceAction, HopAction, GrowAction]
