# The course's referee passed literals on, which Python keeps once.
# expect: plays

from wanderer_2022 import Player as Wanderer

RED, BLUE, PLACE, STEAL = "red", "blue", "PLACE", "STEAL"


class Player(Wanderer):
    def __init__(self, player, n):
        super().__init__(player, n)
        assert player is RED or player is BLUE, player

    def turn(self, player, action):
        assert player is (RED, BLUE)[self.turns % 2], player
        assert action[0] is PLACE or action[0] is STEAL, action
        super().turn(player, action)
