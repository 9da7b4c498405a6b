"""Rules of a game for `referee`, in plain Python: this file speaks `rules 1`, and yours has the rules alone.

A game as a generator, which waits at each `yield` for the action of the seat that acts:

    from game import act, end, rules, serve

    @rules("take", seats="first second", options={"stones": ("1..100", 21, "stones at the start")})
    def take(game):
        left, seat = game.options["stones"], 0
        while left:
            action = yield act(seat, can=[str(n) for n in (1, 2, 3) if n <= left])
            left -= int(action)
            seat = 1 - seat
        return end([seat, 1 - seat], "last_stone")

    if __name__ == "__main__":
        serve(take)

A game as a class derives from `Game` and has `start`, `turn`, `legal`, `play` and `show`. Both kinds have
`game.options`, `game.seats` (names), `game.random` (for all chance), `game.score`, and tell seats of events by
`did`, `see` and `tell`. `print` goes to the log. `Match` plays such a game in a test.

With `drop` in `has`, a seat can leave while the others play on: a class has `drop(seat)`, and a generator catches
`Dropped` at its `yield`.
"""

import random
import re
import sys
import traceback

WORDS = ("legal", "hidden", "drop", "offers", "lines", "score")
NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Act:
    def __init__(self, seats, can, why):
        self.seats, self.can, self.why = seats, can, why


class End:
    def __init__(self, points, reason):
        self.points, self.reason = points, reason


class Refusal(Exception):
    """An action that is not carried out. A class raises one before it changes anything; a generator yields one."""

    def __init__(self, word, words, seats):
        super().__init__(words)
        self.word, self.words, self.seats = word, " ".join(words.split()), list(seats)


class Dropped(Exception):
    """A seat forfeited and acts no more. Raised at the `yield` of a generator, which then yields who acts now."""

    def __init__(self, seat):
        super().__init__(f"seat {seat} left, and nothing catches `Dropped` here")
        self.seat = seat


class Mistake(Exception):
    """The rules gave something that the protocol does not know."""


def act(*seats, can=None, why=None):
    """These seats act. `can` lists their legal actions as text: one list, or a dictionary by seat. `why(seat, action)`
    may return another refusal of an action that is not in the list."""
    return Act(list(seats), can, why)


def end(points, reason):
    """The game is over: points of each seat, more is better, and one word for the reason."""
    return End(list(points), reason)


def illegal(words, *seats):
    """A refusal: the rule that the action breaks. Where several seats acted at once, name the seats at fault."""
    return Refusal("illegal", words, seats)


def unparsable(expected, *seats):
    """A refusal: the form that the action should have had."""
    return Refusal("unparsable", expected, seats)


def board(rows, pieces=None, hexagons=False, marks=(), text="", state="", points=False, more=()):
    """A board for `show`: rows of letters from top to bottom, and the look of each letter, such as "disc red". `more` has
    further lines, such as "columns 1 2 3"."""
    cells = "hex" if hexagons else "points" if points else "grid"
    lines = [f"{cells} {len(rows[0])} {len(rows)} {'/'.join(rows)}", *more]
    lines += [f"piece {letter} {look}" for letter, look in (pieces or {}).items()]
    lines += ["mark " + " ".join(marks)] if marks else []
    lines += [f"text {line}" for line in text.splitlines()]
    return lines + ([f"state {state}"] if state else [])


class Game:
    """One game in progress. The attributes here describe all games of its kind."""

    name, version = "", "1"
    seats = "first second"  # or "2..4"
    options = {}  # key: ("4..12" or "a|b|c" or "text", default, meaning)
    secret = ()  # keys of options that bots are not told
    reasons = {}  # name: meaning
    has = "legal"  # words of WORDS
    notation = ""  # "uci", "usi" or "gtp", where engines of that protocol write actions so

    def __init__(self, seed, seats, options):
        self.seed, self.random = seed, random.Random(seed)
        self.seats, self.options = seats, options
        self.score = [0] * len(seats)
        self.news = []

    def start(self):
        """Sets up the first position."""

    def turn(self):
        """`act(seat)` or `end(points, reason)`."""
        raise NotImplementedError(f"{self.name} has no `turn`")

    def legal(self, seat):
        """The legal actions of a seat that acts, in a fixed order."""
        raise NotImplementedError(f"{self.name} has no `legal`")

    def check(self, seat, action):
        """Raises `illegal(words)` or `unparsable(expected)` for an action that `play` shall not get."""
        if "legal" in self.has.split() and action not in self.legal(seat):
            raise illegal(f"{action} is not a legal action here")

    def play(self, seat, action):
        """Carries out an action. Where seats act at once, the last one that acts may be alone."""
        if type(self).play_together is Game.play_together:
            raise NotImplementedError(f"{self.name} has no `play`")
        self.play_together({seat: action})

    def play_together(self, actions):
        """Carries out the actions of several seats at once: a dictionary by seat."""
        raise NotImplementedError(f"{self.name} has no `play_together`")

    def drop(self, seat):
        """A seat forfeited: it acts no more. Once one seat is left, `turn` gives the end."""
        raise NotImplementedError(f"{self.name} has no `drop`")

    def show(self, seat):
        """The board, as this seat may see it, or all of it for `None`."""
        return []

    def blame(self, mistake):
        """Raises a mistake where the rules made it."""
        raise mistake

    def did(self, seat, action, *public):
        """All hear that this seat did that, and what became public by it."""
        self.news.append(" ".join(["did", str(seat), action, *public]))

    def see(self, seat, words):
        """This seat alone hears these words."""
        self.news.append(f"see {seat} {words}")

    def tell(self, words):
        """All hear these words."""
        self.news.append(f"see * {words}")


class Script(Game):
    """A game that is a generator."""

    function = None

    def start(self):
        self.given = None
        self.script = self.function(self)
        if not hasattr(self.script, "send"):
            raise Mistake("a game needs `yield act(…)`")
        self.resume(self.script.send, None)

    def resume(self, how, value):
        try:
            given = how(value)
        except StopIteration as stop:
            given = stop.value
            if given is None:
                raise Mistake("the game came to the end of its function without `return end(…)`")
        if isinstance(given, Refusal):
            raise given
        self.given = given

    def blame(self, mistake):
        self.script.throw(mistake)

    def turn(self):
        return self.given

    def legal(self, seat):
        can = self.given.can
        return (can[seat] if isinstance(can, dict) else can) or []

    def check(self, seat, action):
        if self.given.can is None or action in self.legal(seat):
            return
        refusal = self.given.why and self.given.why(seat, action)
        raise refusal or illegal(f"{action} is not a legal action here")

    def play(self, seat, action):
        self.resume(self.script.send, action)

    def play_together(self, actions):
        self.resume(self.script.send, [actions[seat] for seat in sorted(actions)])

    def drop(self, seat):
        self.resume(self.script.throw, Dropped(seat))


def rules(name, **description):
    """Makes a game of a generator. The other arguments are attributes of `Game`: seats, options, reasons, has, …"""
    for key in description:
        if not hasattr(Game, key):
            raise TypeError(f"rules() does not know `{key}`: it knows version, seats, options, secret, reasons, has, notation")

    def kind(function):
        return type(function.__name__, (Script,), {**description, "name": name, "function": staticmethod(function)})

    return kind


class Match:
    """A game that is played by its actions. In a test: `match = Match(take, stones=4)`, `match.play("3")`."""

    def __init__(self, kind, seed=0, seats=None, **options):
        self.has = kind.has.split()
        self.gone = set()
        given = {key.replace("_", "-"): text(value) for key, value in options.items()}
        values = {
            key: option(key, kinds, given.pop(key, text(default)))
            for key, (kinds, default, _) in kind.options.items()
        }
        if given:
            raise illegal(f"there is no option {', '.join(given)}")
        self.game = kind(seed, seat_names(kind.seats, seats), values)
        self.game.start()
        self.next = self.game.turn()
        self.answer = self.checked(self.lines)

    @property
    def acting(self):
        """The seats that act; empty once the game is over."""
        return self.next.seats if isinstance(self.next, Act) else []

    @property
    def end(self):
        """Points and reason; `None` while the game goes on."""
        return (self.next.points, self.next.reason) if isinstance(self.next, End) else None

    def legal(self, seat):
        """The legal actions of a seat."""
        return list(self.game.legal(seat)) if seat in self.acting else []

    def play(self, *actions):
        """Plays an action of each seat that acts. A refusal is raised, and changes nothing."""
        if len(actions) != max(1, len(self.acting)):
            raise TypeError(f"play() needs an action of each seat that acts: {self.acting}")
        self.apply(dict(zip(self.acting or [0], actions)))

    def apply(self, actions):
        acting = self.acting
        if list(actions) != acting:
            strangers = [seat for seat in actions if seat not in acting]
            if not strangers:
                raise illegal(f"seats {', '.join(map(str, acting))} act at once", *actions)
            raise illegal("it is not your turn" if acting else "the game is over", *strangers)
        refusals = {}
        for seat, action in actions.items():
            try:
                self.game.check(seat, action)
            except Refusal as refusal:
                refusals[seat] = refusal
        if refusals:
            words = [refusal.words for refusal in refusals.values()]
            is_unparsable = all(refusal.word == "unparsable" for refusal in refusals.values())
            together = Refusal("unparsable" if is_unparsable else "illegal", "; ".join(words), refusals)
            together.words = "\t".join(words)
            raise together
        try:
            if len(acting) == 1:
                self.game.play(acting[0], actions[acting[0]])
            else:
                self.game.play_together(actions)
        except Refusal as refusal:
            self.game.news.clear()
            if len(acting) > 1 and not refusal.seats:
                call = f"{refusal.word}({refusal.words!r}"
                self.game.blame(Mistake(f"{call}): several seats acted; name the ones at fault, as in {call}, {acting[-1]})"))
            refusal.seats = refusal.seats or list(acting)
            raise
        self.turn()

    def drop(self, seat):
        """This seat forfeits, and the others play on."""
        if "drop" not in self.has or not self.acting or seat in self.gone or seat not in range(len(self.game.seats)):
            raise Mistake(f"seat {seat} cannot leave: `drop` is for games that go on, and for seats that are left")
        self.gone.add(seat)
        try:
            self.game.drop(seat)
        except Refusal as refusal:
            raise Mistake(f"{refusal.word} {refusal.words}: a seat that leaves cannot be refused")
        self.turn()

    def turn(self):
        self.next = self.game.turn()
        self.answer = self.checked(self.lines)

    def checked(self, lines, *args):
        try:
            return lines(*args)
        except Mistake as mistake:
            self.game.blame(mistake)

    def lines(self):
        """The answer to the last action, and to the start of the game."""
        lines, turn, count = self.game.news, self.next, len(self.game.seats)
        self.game.news = []
        if isinstance(turn, Act):
            seats = turn.seats
            if not seats or any(seat not in range(count) for seat in seats) or sorted(set(seats)) != seats:
                given = ", ".join(map(repr, seats))
                raise Mistake(f"act({given}): expected seats from 0 to {count - 1}, in rising order")
            for seat in self.gone.intersection(seats):
                raise Mistake(f"seat {seat} acts, and it has left the game")
            if len(self.gone) == count - 1 > 0:
                raise Mistake(f"act({seats[0]}): expected end(…), since no other seat is left")
            if "offers" in self.has:
                for seat in seats:
                    lines += self.can(seat)
            last = "act " + " ".join(map(str, seats))
        elif isinstance(turn, End):
            known = self.game.reasons
            if not isinstance(turn.reason, str) or not NAME.fullmatch(turn.reason):
                raise Mistake(f"the reason {turn.reason!r}: expected one word of A-Z a-z 0-9 . _ -")
            if known and turn.reason not in known:
                raise Mistake(f"the reason {turn.reason!r}: the rules name {', '.join(known)}")
            last = f"end {points(turn.points, count)} {turn.reason}"
        else:
            raise Mistake(f"{turn!r}: expected act(…), end(…), illegal(…) or unparsable(…)")
        if "score" in self.has:
            lines.append("score " + points(self.game.score, count))
        lines.append(last)
        if any("\n" in line for line in lines):
            raise Mistake(f"a line break in what seats are told: {lines!r}")
        return lines

    def can(self, seat):
        """The lines that list the legal actions of a seat."""
        actions = self.legal(seat)
        if seat in self.acting and not actions:
            raise Mistake(f"seat {seat} acts, and no legal action of it is listed")
        forbidden = "\n" if "lines" in self.has else " \n"
        for action in actions:
            if not isinstance(action, str) or not action or any(it in action for it in forbidden):
                raise Mistake(f"the action {action!r}: expected text without blanks and line breaks")
        if "lines" in self.has:
            return [f"can {seat} {action}" for action in actions] or [f"can {seat}"]
        return [" ".join(["can", str(seat), *actions])]


def text(value):
    """The value of an option as a word."""
    return {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else str(value)


def option(key, kinds, value):
    """The value of an option: a number, a word, or whether it is yes."""
    low, dots, high = kinds.partition("..")
    if dots:
        if re.fullmatch(r"-?[0-9]{1,18}", value) and int(low) <= int(value) <= int(high):
            return int(value)
        raise illegal(f"{key}={value}: expected a number from {low} to {high}")
    if kinds != "text" and value not in kinds.split("|"):
        raise illegal(f"{key}={value}: expected one of {kinds.replace('|', ', ')}")
    return value == "yes" if set(kinds.split("|")) == {"yes", "no"} else value


def seat_names(seats, count):
    """The names of the seats in a game of this many."""
    low, dots, high = seats.partition("..")
    if not dots:
        names = seats.split()
        low = high = len(names)
    count = int(count or low)
    if not int(low) <= count <= int(high):
        raise illegal(f"seats={count}: this game is for {seats}")
    return [f"p{seat + 1}" for seat in range(count)] if dots else names


def points(numbers, count):
    """Numbers as decimals with nine places at most."""
    if len(numbers) != count or not all(isinstance(it, (int, float)) and abs(it) < 1e15 for it in numbers):
        raise Mistake(f"{numbers!r}: expected a number for each of {count} seats")
    return " ".join(str(int(it)) if it == int(it) else f"{it:.9f}".rstrip("0").rstrip(".") for it in numbers)


def hello(kind):
    """The answer to `rules 1`."""
    unknown = [word for word in kind.has.split() if word not in WORDS]
    if unknown:
        raise Mistake(f"has = {kind.has!r}: expected words of {', '.join(WORDS)}")
    lines = [f"game {kind.name} {kind.version}", f"seats {kind.seats}"]
    for key, (kinds, default, meaning) in kind.options.items():
        lines.append(f"option {key} {kinds} {text(default)} {meaning}")
    lines += [f"secret {key}" for key in kind.secret]
    lines += [f"reason {name} {words}" for name, words in kind.reasons.items()]
    lines += [f"notation {kind.notation}"] if kind.notation else []
    return lines + ([f"has {kind.has}"] if kind.has else [])


class Server:
    """Answers requests, one after another."""

    def __init__(self, kind):
        self.kind, self.match, self.actions = kind, None, {}

    def answer(self, line):
        """The lines of the answer; none after `with`."""
        word, _, rest = line.partition(" ")
        first, _, action = rest.partition(" ")
        try:
            if word == "with":
                self.actions[int(first)] = action
                return []
            if word == "play":
                actions, self.actions = {**self.actions, int(first): action}, {}
                self.match.apply(actions)
                return self.match.answer + ["ok"]
            if word == "drop":
                self.match.drop(int(rest))
                return self.match.answer + ["ok"]
            if word == "legal":
                return self.match.checked(self.match.can, int(first)) + ["ok"]
            if word == "show":
                return list(self.match.game.show(None if first == "all" else int(first))) + ["ok"]
            if word == "new":
                options = dict(pair.split("=", 1) for pair in rest.split())
                seed, seats = int(options.pop("seed")), options.pop("seats")
                self.match = Match(self.kind, seed, seats, **options)
                return self.match.answer + ["ok"]
            if word == "rules":
                return hello(self.kind) + ["ok"]
        except Refusal as refusal:
            at_once = word == "play" and len(actions) > 1
            seats = [",".join(map(str, refusal.seats))] if at_once else []
            return [" ".join([refusal.word, *seats, refusal.words]).rstrip()]
        raise Mistake(f"`{line}` is no request of rules 1")


def place(kind, error):
    """Where the rules were when this went wrong: lines of their code, the last one last."""
    frames = [it for it in traceback.extract_tb(error.__traceback__) if it.filename != __file__]
    frames = [it for it in frames if not it.filename.startswith("<")][-5:]
    if frames:
        return [f"{it.filename}, line {it.lineno}, in {it.name}: {it.line}" for it in frames]
    code = (getattr(kind, "function", None) or kind.turn).__code__
    return [f"{code.co_filename}, in {code.co_name}, line {code.co_firstlineno} and below"]


def serve(kind):
    """Speaks `rules 1` on stdin and stdout, to the end of the input."""
    answers, sys.stdout = sys.stdout, sys.stderr
    sys.stdin.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    answers.reconfigure(encoding="utf-8", newline="\n")
    server = Server(kind)
    try:
        for line in sys.stdin:
            line = line.rstrip("\r\n")
            if line == "quit":
                break
            lines = server.answer(line)
            if lines:
                answers.write("\n".join(lines) + "\n")
                answers.flush()
    except (KeyboardInterrupt, BrokenPipeError):
        pass
    except Exception as error:
        what = str(error) if isinstance(error, Mistake) else f"{type(error).__name__}: {error}"
        # The last line is the one that is quoted.
        print(*place(kind, error), f"after the request `{line}`", what, sep="\n", file=sys.stderr, flush=True)
        sys.exit(1)
