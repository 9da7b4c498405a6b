# Checks what it is told as well.
# expect: plays

from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    def __init__(self, player, n):
        super().__init__(player, n)
        assert (type(player), type(n)) == (str, int) and player in ("red", "blue"), (player, n)

    def turn(self, player, action):
        assert player == ("red", "blue")[self.turns % 2], player
        assert type(action) is tuple and action[0] in ("PLACE", "STEAL"), action
        assert [type(part) for part in action[1:]] in ([], [int, int]), action
        super().turn(player, action)
