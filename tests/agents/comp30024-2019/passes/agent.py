# The rules refuse it, and not the adapter.
# expect: illegal_action: a pass is legal only when there is no other action

from wanderer_2019 import Player as Wanderer


class Player(Wanderer):
    def action(self):
        return ("PASS", None)
