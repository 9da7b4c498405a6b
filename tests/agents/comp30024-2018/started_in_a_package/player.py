# The folder it was started in holds an __init__.py, and is no package for that.
# package: .
# expect: plays
# log: [adapter] playing Player of `player` in

from board import Wanderer

with open("data.txt") as file:
    assert file.read() == "7\n"


class Player(Wanderer):
    pass
