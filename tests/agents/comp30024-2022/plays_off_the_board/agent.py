# expect: illegal_action: returned ('PLACE', 5, -1): at size 5 r and q go from 0 to 4

from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    def action(self):
        return "PLACE", 5, -1
