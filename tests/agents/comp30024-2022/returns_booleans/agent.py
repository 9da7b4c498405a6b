# expect: illegal_action: returned ('PLACE', True, False): r and q are exactly int, and one of these is a bool

from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    def action(self):
        return "PLACE", True, False
