# One computes, one never ends, and one prints.
# expect: plays

import threading

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def __init__(self, colour):
        super().__init__(colour)
        threading.Thread(target=threading.Event().wait).start()

    def action(self, turns):
        thread = threading.Thread(target=print, args=("from a thread",))
        thread.start()
        thread.join()
        return super().action(turns)
