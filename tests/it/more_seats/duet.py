# Rules in which one seat alone acts after another left, so that answers of that turn are not played.
from game import Dropped, act, end, rules, serve

@rules("duet", seats="a b c", has="legal offers drop")
def duet(game):
    left, alone, turns = [0, 1, 2], False, 0
    while turns < 4 and len(left) > 1:
        acting = left[:1] if alone else list(left)
        try:
            yield act(*acting, can={seat: ["x", "y"] for seat in acting})
            turns, alone = turns + 1, False
        except Dropped as dropped:
            left.remove(dropped.seat)
            game.tell(f"left {dropped.seat}")
            alone = True
    return end([int(seat in left) for seat in range(3)], "over")

serve(duet)
