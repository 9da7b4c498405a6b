# expect: handshake: `.` has to hold one file with a class Player; found: one.py, other.py; name one of them


class Player:
    pass
