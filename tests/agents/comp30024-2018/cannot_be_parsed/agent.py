# expect: handshake: the import of agent raised SyntaxError: invalid syntax at agent.py:5


class Player:
    def action(self turns):
        pass
