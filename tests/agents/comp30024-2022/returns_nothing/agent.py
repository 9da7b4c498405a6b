# expect: illegal_action: action() returned None: expected a tuple

from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    def action(self):
        super().action()
