
class mine(Game):
    name, seats, has, reasons = 'sums', '2..5', 'legal offers drop score', {'over': 'three rounds'}

    def start(self):
        self.here, self.rounds = list(range(len(self.seats))), 0

    def turn(self):
        return act(*self.here) if self.rounds < 3 and len(self.here) > 1 else end(self.score, 'over')

    def legal(self, seat):
        return ['1', '2', '3']

    def play_together(self, actions):
        for seat, number in actions.items():
            self.score[seat] += int(number)
        self.rounds += 1

    def drop(self, seat):
        self.here.remove(seat)
        self.score[seat] = -1
        self.tell('left ' + self.seats[seat])
