# To be told of the action that wins is too much for it. The game is over by then.
# expect: plays
# log: that was after the last action: it cost nothing

from wanderer_2022 import Player as Wanderer
from wanderer_2022.player import AROUND


class Player(Wanderer):
    def turn(self, player, action):
        super().turn(player, action)
        axis = ("red", "blue").index(player)
        mine = {cell for cell, owner in self.stones.items() if owner == player}
        reached = {cell for cell in mine if cell[axis] == 0}
        while True:
            more = {(r + dr, q + dq) for r, q in reached for dr, dq in AROUND} & mine - reached
            if not more:
                break
            reached |= more
        if any(cell[axis] == self.n - 1 for cell in reached):
            raise RuntimeError("it is over")
