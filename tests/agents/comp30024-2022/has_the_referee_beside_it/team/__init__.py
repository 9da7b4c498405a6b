# package: team
from team.player import Player
