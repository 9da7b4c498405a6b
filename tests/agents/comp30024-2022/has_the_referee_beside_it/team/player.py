# expect: plays

from referee.game import _ACTION_PLACE
from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    def turn(self, player, action):
        assert action[0] == "STEAL" or action[0] is _ACTION_PLACE
        super().turn(player, action)
