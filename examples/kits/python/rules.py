"""my-game, the rules: take one to three stones; the last stone wins. Change them to your game."""

from game import act, end, rules, serve


@rules(
    "my-game",
    seats="first second",
    options={"stones": ("1..1000", 21, "stones at the start")},
    reasons={"last_stone": "the last stone was taken"},
    has="legal offers",
)
def play(game):
    stones, seat = game.options["stones"], 0
    game.show = lambda viewer: [f"text {stones} stones"]
    while stones > 0:
        actions = [str(count) for count in (1, 2, 3) if count <= stones]
        action = yield act(seat, can=actions)
        stones -= int(action)
        seat = 1 - seat
    winner = 1 - seat
    return end([1 if seat == winner else 0 for seat in (0, 1)], "last_stone")


if __name__ == "__main__":
    serve(play)
