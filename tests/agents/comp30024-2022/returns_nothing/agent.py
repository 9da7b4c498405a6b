# expect: illegal_action: action() returned None: expected ("PLACE", r, q) or ("STEAL",); a method that ends without `return` returns None

from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    def action(self):
        super().action()
