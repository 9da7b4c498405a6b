# expect: handshake: No module named 'referee' at agent.py:3; `referee` is the course's own package: its folder belongs into course-files or PYTHONPATH

from referee.game import _ACTION_PLACE
from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    pass
