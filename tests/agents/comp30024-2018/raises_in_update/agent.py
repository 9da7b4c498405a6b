# Crashes on what it did not expect its opponent to play.
# expect: crash: raised KeyError: 'no plan for this' at agent.py
# expect: crash: standard error ends with `update((

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def update(self, action):
        if self.board.played > 4:
            raise KeyError("no plan for this")
        super().update(action)
