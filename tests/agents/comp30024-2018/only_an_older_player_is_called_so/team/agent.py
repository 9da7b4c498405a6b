# What lies deeper is not taken for its name alone.
# package: team
# expect: handshake: `team` has to hold one file with a class Player; found: agent.py, Deprecated/Player.py; name one of them
class Player:
    pass
