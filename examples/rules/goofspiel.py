#!/usr/bin/env python3
"""Goofspiel, the rules: both bid a card at once for each prize, and equal bids win nothing."""

from game import act, board, end, rules, serve


@rules(
    "goofspiel",
    seats="first second",
    options={
        "cards": ("1..13", 13, "cards of each hand, and prizes"),
        "prizes": ("random|rising|falling", "random", "the order of the prizes"),
    },
    reasons={"no_cards": "all cards were bid"},
    has="legal offers score",
)
def goofspiel(game):
    cards = list(range(1, game.options["cards"] + 1))
    hands, prizes = [list(cards), list(cards)], list(cards)
    if game.options["prizes"] == "random":
        game.random.shuffle(prizes)
    elif game.options["prizes"] == "falling":
        prizes.reverse()

    def show(seat):
        held = [f"{name}: {' '.join(map(str, hand))}" for name, hand in zip(game.seats, hands)]
        rows = ["".join("x" if card in hand else "." for card in cards) for hand in hands]
        labels = [f"columns {' '.join(map(str, cards))}", "rows 1st 2nd"]
        return board(rows, text="\n".join(held), more=labels)

    game.show = show
    for prize in prizes:
        game.tell(f"prize {prize}")
        bids = yield act(0, 1, can={seat: [str(card) for card in hands[seat]] for seat in (0, 1)})
        bids = [int(bid) for bid in bids]
        for hand, bid in zip(hands, bids):
            hand.remove(bid)
        if bids[0] != bids[1]:
            game.score[0 if bids[0] > bids[1] else 1] += prize
    return end(game.score, "no_cards")


if __name__ == "__main__":
    serve(goofspiel)
