# expect: plays

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def __init__(self, colour):
        super().__init__(colour)
        assert type(colour) is str and colour in ("white", "black"), colour

    def action(self, turns):
        phase = self.board.played // 24
        assert type(turns) is int, turns
        assert turns == (self.board.played - 24 if phase else self.board.played), turns
        assert turns % 2 == ("white", "black").index(self.colour), turns
        return super().action(turns)

    def update(self, action):
        squares = action if self.board.played >= 24 else (action,)
        assert action is None or type(action) is tuple, action
        assert action is None or all(type(part) is int for square in squares for part in square), action
        super().update(action)
