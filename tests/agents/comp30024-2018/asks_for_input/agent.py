# expect: crash: raised EOFError

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        return input("your move? ")
