# Prints a lot, at import too, and not through Python alone.
# expect: plays
# log: line 1599
# log: past Python
# log: by a child

import os

for number in range(1600):
    print("line", number)

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        os.write(1, b"past Python\n")
        os.system("echo by a child")
        print("d2")
        return super().action(turns)
