# expect: crash: standard error ends with `action(2) raised ValueError: nothing is left to do at agent.py:12`
# expect: crash: standard error ends with `action(3) raised ValueError: nothing is left to do at agent.py:12`
# log: ValueError: nothing is left to do
# log: [adapter] on the clock

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        if turns >= 2:
            raise ValueError("nothing is left\nto do")
        return super().action(turns)
