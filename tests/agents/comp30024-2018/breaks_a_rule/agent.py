# expect: illegal_action: 0,0 is a corner: no piece can stand there
# log: the agent's last action was (0, 0), which is 0,0 in the referee's notation

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        return 0, 0
