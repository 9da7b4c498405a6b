# Its folder alone is named; the class is found in it.
# package: teamname
# expect: plays

from teamname.helper import Player as Wanderer


class Player(Wanderer):
    pass
