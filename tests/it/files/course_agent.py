import os
from referee.game import PLACE, FOLDER

assert open(os.path.join(FOLDER, 'rules.txt')).read() == 'of the course\n'
if os.environ['TIER'] != 'containment':
    try:
        open(os.path.join(FOLDER, 'written.py'), 'w')
        raise SystemExit('the course package can be written to')
    except OSError:
        pass

class Player:
    def __init__(self, colour, n):
        self.free = [(r, q) for r in range(n) for q in range(n)]

    def action(self):
        return (PLACE,) + self.free[0]

    def turn(self, player, action):
        if action[0] == PLACE and action[1:] in self.free:
            self.free.remove(action[1:])
