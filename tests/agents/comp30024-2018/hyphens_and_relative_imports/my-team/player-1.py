# package: my-team.player-1
# expect: plays

from .helper import Player

__all__ = ["Player"]
