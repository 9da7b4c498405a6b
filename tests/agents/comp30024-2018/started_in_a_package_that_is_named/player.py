# It is a package: its imports say so.
# package: .
# expect: plays
# log: [adapter] playing Player of `started_in_a_package_that_is_named.player` in

from .helper import Wanderer


class Player(Wanderer):
    pass
