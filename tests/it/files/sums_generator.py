
@rules('sums', seats='2..5', has='legal offers drop score', reasons={'over': 'three rounds'})
def mine(game):
    here, rounds = list(range(len(game.seats))), 0
    while rounds < 3 and len(here) > 1:
        try:
            numbers = yield act(*here, can=dict.fromkeys(here, ['1', '2', '3']))
        except Dropped as dropped:
            here.remove(dropped.seat)
            game.score[dropped.seat] = -1
            game.tell('left ' + game.seats[dropped.seat])
            continue
        for seat, number in zip(here, numbers):
            game.score[seat] += int(number)
        rounds += 1
    return end(game.score, 'over')
