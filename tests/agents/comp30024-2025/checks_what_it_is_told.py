"""An agent of 2025 that raises if it is told anything but what its course told it, and agents that return no action."""

import dataclasses
import mmap

from referee.game import Board, Coord, Direction, GrowAction, HopAction, PlaceAction, PlayerColor

# In the order in which both players choose from them.
PLACES = [PlaceAction(Coord(r, c + 1), Coord(r, c)) for r in range(5) for c in (0, 2)]


class Agent:
    def __init__(self, color, **referee):
        assert color in PlayerColor
        self.check(referee)
        self.color, self.board = color, Board()
        self.played, self.told = [], 0

    @staticmethod
    def check(referee):
        assert sorted(referee) == ["space_limit", "space_remaining", "time_remaining"], referee
        assert 0 < referee["time_remaining"] <= 180, referee
        assert 0 < referee["space_remaining"] <= referee["space_limit"] == 250.0, referee

    def action(self, **referee):
        self.check(referee)
        assert self.told == self.board.turn_count
        assert self.board.turn_color == self.color
        free = [place for place in PLACES if not place.coords & set(self.board.stones)]
        self.played.append(free[0] if free else GrowAction())
        return self.played[-1]

    def update(self, color, action, **referee):
        self.check(referee)
        assert color == self.board.turn_color
        if color == self.color:
            assert action == self.played[-1], (action, self.played[-1])
        elif isinstance(action, PlaceAction):
            # As it was returned, and not as a set.
            assert action.c1 > action.c2, action
        try:
            action.coord = None
            raise AssertionError("actions are frozen")
        except (dataclasses.FrozenInstanceError, AttributeError):
            pass
        self.board.apply_action(action)
        self.told += 1
        print("told", color, "of turn", self.told)
        assert not self.board.game_over, "the last action is told to nobody"


class Returns:
    """An agent that returns what its class has."""

    def __init__(self, color, **referee):
        pass

    def action(self, **referee):
        return self.returned


class ReturnsNone(Returns):
    returned = None


class ReturnsText(Returns):
    returned = "GROW"


class ReturnsPairs(Returns):
    returned = PlaceAction((0, 0), (0, 1))


class ReturnsHalves(Returns):
    returned = PlaceAction(Coord(0.5, 0), Coord(0, 0))


class ReturnsNoDirection(Returns):
    returned = HopAction(Coord(0, 0), ())


class ReturnsACell(Returns):
    returned = HopAction(Coord(0, 0), Coord(0, 1))


class ReturnsAList(Returns):
    returned = HopAction(Coord(0, 0), [Direction.Down, Direction.Down])


class Prints(Returns):
    returned = GrowAction()

    def update(self, color, action, time_remaining, **referee):
        held = getattr(action, "_directions", None)
        print("told", type(action).__name__, type(held).__name__, 170 < time_remaining <= 180)


class Reserves(Returns):
    returned = GrowAction()

    def __init__(self, color, **referee):
        self.untouched = mmap.mmap(-1, 480 << 20)


class Raises(Returns):
    def action(self, **referee):
        raise KeyError("nothing here")
