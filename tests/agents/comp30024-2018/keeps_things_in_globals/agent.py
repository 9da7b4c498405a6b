# It believes that it plays its first game.
# expect: plays

GAMES = []

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def __init__(self, colour):
        super().__init__(colour)
        GAMES.append(colour)
        assert len(GAMES) == 1, GAMES
