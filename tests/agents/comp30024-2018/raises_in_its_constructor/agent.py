# expect: crash: standard error ends with `Player('white') raised ZeroDivisionError: division by zero at agent.py:10`
# expect: crash: standard error ends with `Player('black') raised ZeroDivisionError: division by zero at agent.py:10`

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def __init__(self, colour):
        super().__init__(colour)
        self.share = 1 / self.board.played
