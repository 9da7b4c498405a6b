# expect: handshake: raised ModuleNotFoundError: No module named 'tensorflow_of_mine' at agent.py:3

import tensorflow_of_mine
from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    pass
