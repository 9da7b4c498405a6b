class Player:
    pass
