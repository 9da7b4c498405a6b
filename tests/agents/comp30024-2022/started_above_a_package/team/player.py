# The folder it was started in holds an __init__.py too.
# expect: plays
# log: [adapter] playing Player of `team.player` in

from team.helper import Wanderer

with open("team/weights.txt") as file:
    assert file.read() == "3\n"


class Player(Wanderer):
    pass
