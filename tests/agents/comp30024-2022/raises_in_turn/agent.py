# expect: crash: standard error ends with `turn('
# expect: crash: raised AssertionError: a steal? at agent.py

from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    def turn(self, player, action):
        assert self.turns < 3, "a steal?"
        super().turn(player, action)
