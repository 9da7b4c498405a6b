import os

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def __init__(self, colour):
        super().__init__(colour)
        # As after `python -m`, the working directory is the folder above.
        with open("teamname/weights.txt") as file:
            print("weights:", file.read())
        self.log = open(os.path.join(os.path.dirname(__file__), "log.txt"), "a")

    def action(self, turns):
        print(turns, file=self.log, flush=True)
        return super().action(turns)
