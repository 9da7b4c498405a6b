"""Secrets, the rules: players choose numbers in turn, and each sees its own alone."""

from game import act, board, end, rules, serve


@rules(
    "secrets",
    seats="3..8",
    options={"rounds": ("1..9", 4, "numbers of each player")},
    reasons={"told": "all have chosen"},
    has="legal hidden offers score",
)
def secrets(game):
    rounds, seats = game.options["rounds"], range(len(game.seats))
    chosen = [[] for _ in seats]

    def show(viewer):
        def row(seat):
            seen = "".join(map(str, chosen[seat])) if viewer in (None, seat) else "?" * len(chosen[seat])
            return seen.ljust(rounds, ".")

        return board([row(seat) for seat in seats])

    game.show = show
    game.score = [0 for _ in seats]
    for _ in range(rounds):
        for seat in seats:
            chosen[seat].append(int((yield act(seat, can=["1", "2", "3"]))))
            game.score = [sum(row) for row in chosen]
    return end(game.score, "told")


if __name__ == "__main__":
    serve(secrets)
