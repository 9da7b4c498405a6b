# expect: plays
# log: it heard of the last action

from wanderer_2019 import Player as Wanderer

COLOURS = ("red", "green", "blue")


class Player(Wanderer):
    def __init__(self, colour):
        assert colour is COLOURS[0] or colour is COLOURS[1] or colour is COLOURS[2], colour
        super().__init__(colour)
        self.told = 0
        self.returned = None

    def action(self):
        assert COLOURS[self.told % 3] == self.colour, self.told
        self.returned = super().action()
        return self.returned

    def update(self, colour, action):
        assert colour is COLOURS[self.told % 3], (self.told, colour)
        if colour == self.colour:
            assert action is self.returned, (action, self.returned)
        name, where = action
        assert type(action) is tuple, action
        cells = {"MOVE": where, "JUMP": where, "EXIT": [where], "PASS": []}[name]
        assert where is None if name == "PASS" else type(where) is tuple, action
        assert all(type(cell) is tuple for cell in cells), action
        assert all(type(number) is int for cell in cells for number in cell), action
        super().update(colour, action)
        self.told += 1
        if self.told == 90:
            print("it heard of the last action")
