# expect: handshake: import('agent') raised SyntaxError: invalid syntax at agent.py:5


class Player:
    def action(self turns):
        pass
