# It forgot to return what it found.
# expect: illegal_action: ("PASS", None); a method that ends without `return` returns None

from wanderer_2019 import Player as Wanderer


class Player(Wanderer):
    def action(self):
        super().action()
