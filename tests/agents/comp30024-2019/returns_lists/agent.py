# expect: illegal_action: returned ('MOVE', [(

from wanderer_2019 import Player as Wanderer


class Player(Wanderer):
    def action(self):
        name, where = super().action()
        return name, list(where)
