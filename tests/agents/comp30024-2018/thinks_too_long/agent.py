# expect: time: of processor time
# log: [adapter] the game ended while action(
# log: /agent.py", line 1

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        while turns >= 2:
            pass
        return super().action(turns)
