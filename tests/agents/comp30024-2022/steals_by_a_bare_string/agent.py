# The course's referee took "STEAL" for ("STEAL",).
# expect: plays

from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    def action(self):
        return "STEAL" if self.turns == 1 else super().action()
