# package: agent.py
# expect: handshake: the module agent has no class Player
