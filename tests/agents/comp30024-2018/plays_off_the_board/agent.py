# expect: illegal_action: returned (8, 3): columns and rows go from 0 to 7

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        return 8, 3
