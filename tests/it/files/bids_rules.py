from game import act, board, end, rules, serve

DIGITS = list("0123456789")

@rules("bids", seats="3..4", reasons={"counted": "all have bid twice"})
def bids(game):
    sums = [0 for _ in game.seats]
    game.show = lambda seat: board(["."])
    for _ in range(2):
        for seat in range(len(sums)):
            sums[seat] += int((yield act(seat, can=DIGITS)))
    return end(sums, "counted")

serve(bids)
