# The course's referee took lists.
# expect: plays

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        action = super().action(turns)
        if action is None:
            return None
        return [list(part) if isinstance(part, tuple) else part for part in action]
