# expect: illegal_action: expected ("PLACE", r, q) or ("STEAL",), in capitals and with nothing more

from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    def action(self):
        return "place", 0, 1
