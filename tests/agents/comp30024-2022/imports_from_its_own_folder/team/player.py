# The course's referee searched the folder above alone.
# package: team
# expect: handshake: No module named 'helper' at team/player.py:5; it lies in imports_from_its_own_folder/team, where the course did not search: see --lenient

from helper import Wanderer


class Player(Wanderer):
    pass
