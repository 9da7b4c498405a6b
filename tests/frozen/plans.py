"""The runs that `compare.py` plays: configurations as commit 854fe0f1 reads them, and the bots that they need."""

import random
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Answers the four directions of Tron, and fails where its seed says so.
QUITTER = """import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "referee":
        print("bot 1 quitter", flush=True)
    elif word == "start":
        seed = next(int(token[5:]) for token in rest if token.startswith("seed="))
        print("ready", flush=True)
    elif word == "act":
        if seed % 3 == 0:
            sys.exit(3)
        print(["north", "east", "south", "west"][seed % 4] if seed % 3 == 1 else "home", flush=True)
"""

# Plays Cachex at random, and in a third of the games fails at its third action: it ends, or gives no action.
FAULTY = """import random
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "referee":
        print("bot 1 faulty", flush=True)
    elif word == "start":
        options = dict(token.split("=") for token in rest[2:])
        n, seed, acts = int(options["size"]), int(options["seed"]), 0
        rng = random.Random(seed)
        free = {chr(97 + q) + str(r + 1) for q in range(n) for r in range(n)}
        print("ready", flush=True)
    elif word == "did":
        free = (free - {rest[1]}) | set(rest[2:])
    elif word == "act":
        acts += 1
        if acts == 3 and seed % 6 == 0:
            sys.exit(3)
        if acts == 3 and seed % 6 == 1:
            print("z99", flush=True)
        else:
            print(rng.choice(sorted(free)), flush=True)
"""

# Plays any game with offered actions: at random, or with a likelihood of so many tenths its last action again, which is better in many
# games. It fails at its third action in some games where a third word is given.
WANDERER = """import random
import sys

name, tenths, fails = sys.argv[1], int(sys.argv[2]), len(sys.argv) > 3
for line in sys.stdin:
    word, *rest = line.split()
    if word == "referee":
        print("bot 1 wanderer", flush=True)
    elif word == "start":
        seed, acts, last = next(int(token[5:]) for token in rest if token.startswith("seed=")), 0, ""
        rng = random.Random(f"{name} {seed}")
        print("ready", flush=True)
    elif word == "can":
        offered = rest
    elif word == "act":
        acts += 1
        if fails and acts == 3 and seed % 4 == 0:
            sys.exit(3)
        again = rng.randrange(10) < tenths and last in offered
        last = last if again else rng.choice(sorted(offered))
        print(last, flush=True)
"""

BOOK = "b2 d4\na4 e3 c5\nd1 b3\ne5 a1\n"


def house(*bots):
    """Players that are house bots: `search:50` searches 50 nodes, `random/b` is another player of that kind."""
    text = ""
    for bot in bots:
        kind, _, nodes = bot.partition(":")
        args = f'args = ["--nodes", "{nodes}"]\n' if nodes else ""
        name = bot.replace(":", "-").replace("/", "-")
        text += f'[[player]]\nname = "{name}"\nhouse = "{kind.split("/")[0]}"\n{args}'
    return text


def command(name, *words, more=""):
    words = ", ".join(f'"{word}"' for word in words)
    return f'[[player]]\nname = "{name}"\ncommand = [{words}]\n{more}\n'


def rules(program, seats=None, more=""):
    seats = f"seats = {seats}\n" if seats else ""
    return f'[game]\nrules = ["python3", "{program}.py"]\ndir = "{ROOT}/examples/rules"\n{seats}{more}'


def game(name, more=""):
    return f'[game]\nname = "{name}"\n{more}'


def form(kind, more=""):
    return f'[format]\nkind = "{kind}"\n{more}'


def pairing(games, plies=2):
    return f"games-per-pairing = {games}\nopening-plies = {plies}\n"


FOUR = house("random", "greedy:20", "search:30", "search:150")
SIX = house("random", "random/b", "greedy:20", "search:30", "search:60", "search:150")


def wanderers(count):
    """Players of different strengths."""
    names = [f"wanderer-{tenths}" for tenths in (0, 9, 3, 6, 10, 1, 8)[:count]]
    return "".join(command(name, "python3", "wanderer.py", name, name.split("-")[1]) for name in names)



def engine():
    """An engine that searches a number of nodes, or a stand-in that moves knights to and fro."""
    found = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")
    if not found:
        stand_in = f"{ROOT}/tests/engines/uci.py"
        return command("engine", "python3", stand_in, "plain", more='speaks = "uci"')
    more = 'speaks = "uci"\noptions = { Hash = 1, Threads = 1 }\n'
    return command("weak", found, more=more + "go = { nodes = 40 }") + command(
        "strong", found, more=more + "go = { nodes = 400 }"
    )


def tournaments():
    """Configurations by the names of their runs, without name and seed."""
    cachex = game("cachex", "size = 5\n")
    book = game("cachex", 'size = 5\nopenings = "book.txt"\n')
    order = 'opening-order = "sequential"\n'
    tron = rules("tron", 4, "size = 6\n")
    three = rules("tron", 3, "size = 6\n")
    faulty = command("faulty", "python3", "faulty.py")
    quitter = command("quitter", "python3", "quitter.py")
    return {
        "watch-your-back": game("watch-your-back", "max-plies = 200\n")
        + form("round-robin", pairing(4))
        + house("random", "greedy:20", "search:30"),
        "dark-chess": game("dark-chess", 'reading = "common"\nmax-plies = 200\n')
        + form("round-robin", pairing(4))
        + house("random", "greedy:20", "search:30"),
        "dark-chess-adjudicated": game(
            "dark-chess", "adjudicate-lead = 20\nadjudicate-lead-plies = 4\nadjudicate-draw-plies = 30\n"
        )
        + form("round-robin", pairing(8))
        + house("random", "random/b", "greedy:20"),
        "chess": game("chess") + form("round-robin", pairing(4, 4)) + house("random", "greedy:20", "search:30"),
        "engine": game("chess", f'openings = "{ROOT}/configs/openings/chess.epd"\nadjudicate-resign-score = 500\n')
        + form("gauntlet", 'games-per-pairing = 4\nchallengers = ["random"]\n')
        + "[record]\npgn = true\n"
        + house("random")
        + engine(),
        "cachex": cachex + form("round-robin", pairing(12)) + FOUR,
        "two-games": '[[game]]\nname = "cachex"\nsize = 4\n[[game]]\nname = "watch-your-back"\nmax-plies = 120\n'
        + form("round-robin", pairing(4))
        + house("random", "greedy:20", "search:30"),
        "odd-games": cachex + form("round-robin", pairing(3)) + FOUR,
        "match": cachex + form("round-robin", pairing(20)) + house("greedy:20", "search:30"),
        "recurring-openings": book + form("round-robin", "games-per-pairing = 24\n") + FOUR,
        "openings-in-turn": book.replace("\nopenings", f"\n{order}openings")
        + form("gauntlet", 'games-per-pairing = 16\nchallengers = ["greedy-20"]\n')
        + FOUR,
        "gauntlet": cachex + form("gauntlet", pairing(4) + 'challengers = ["greedy-20", "search-60"]\n') + SIX,
        "swiss": cachex + form("swiss", pairing(4) + "rounds = 4\n") + SIX + house("greedy:2"),
        "knockout": cachex + form("knockout", pairing(6)) + SIX,
        "ladder": cachex + form("ladder", pairing(2) + "rounds = 4\n") + SIX,
        "adaptive": cachex + form("adaptive", "max-games = 80\nopening-plies = 2\n") + FOUR,
        "sprt": cachex
        + form("sprt", 'challengers = ["search-30"]\nelo0 = 0\nelo1 = 150\nopening-plies = 2\n')
        + house("search:30", "greedy:20"),
        "sprt-undecided": cachex
        + form("sprt", 'challengers = ["random"]\nelo0 = 0\nelo1 = 20\nmax-games = 30\nopening-plies = 2\n')
        + house("random", "random/b", "greedy:2"),
        "forfeits": cachex + form("round-robin", pairing(8)) + house("random", "greedy:20") + faulty,
        "rules-of-two": rules("connect_four") + form("round-robin", pairing(4)) + house("random", "random/b", "random/c"),
        "hidden-rules-of-two": rules("phantom_tic_tac_toe") + form("round-robin", pairing(12, 0)) + wanderers(4),
        "at-once": rules("goofspiel", more="cards = 6\n")
        + form("round-robin", pairing(8, 0))
        + wanderers(3),
        "three-seats": rules("chexers") + form("round-robin", "blocks = 8\n") + wanderers(4),
        "four-seats": tron + form("round-robin", "blocks = 20\n") + wanderers(5),
        "gauntlet-of-three": three + form("gauntlet", 'blocks = 8\nchallengers = ["wanderer-9"]\n') + wanderers(5),
        "swiss-of-three": three + form("swiss", "blocks = 1\nrounds = 4\n") + wanderers(7),
        "sprt-of-three": three
        + form("sprt", 'challengers = ["wanderer-9"]\nelo0 = 0\nelo1 = 100\nmax-games = 60\n')
        + wanderers(2),
        "drop": rules("tron", 4, 'size = 6\nforfeit = "drop"\n') + form("round-robin", "blocks = 12\n") + wanderers(5) + quitter,
    }


CLASS = """
[class]
roster = "roster.csv"
submissions = "in"
[submission]
command = ["python3", "bot.py"]
[limits]
isolation = "containment"
"""


def gradings():
    """Gradings by the names of their runs, without name and seed."""
    references = '[[reference]]\nname = "random"\nhouse = "random"\n[[reference]]\nname = "greedy"\nhouse = "greedy"\n'
    references += 'args = ["--nodes", "20"]\n'
    return {
        "class": CLASS
        + "[game]\nname = \"cachex\"\nsize = 5\n"
        + references
        + "[reliability]\nmarks = 4\ncurve = [[0.0, 1.0], [0.5, 0.0]]\n"
        + '[[test]]\nname = "easy"\nagainst = ["random"]\nmarks = 10\ngames = 8\n'
        + '[[test]]\nname = "hard"\nagainst = ["random", "greedy"]\nmarks = 6\ngames = 4\n'
        + '[tournament]\nformat = { kind = "round-robin", games-per-pairing = 2 }\nmarks = 2\n',
        "class-of-three": CLASS.replace('"in"', '"wanderers"').replace("roster.csv", "wanderers.csv").replace('"bot.py"', '"bot.py", "eve", "7", "fails"')
        + rules("tron", 3, "size = 6\n")
        + wanderers(2).replace("player", "reference")
        + '[[test]]\nname = "both"\nagainst = ["wanderer-0", "wanderer-9"]\nmarks = 8\ngames = 9\n'
        + '[[test]]\nname = "four"\nagainst = ["wanderer-9"]\nmarks = 4\ngames = 8\ngame = { seats = 4 }\n',
    }


def ratings():
    """Arguments of `referee rate` by the names of the runs. A word before `/` is a run of the others."""
    return {
        "rate": ["--anchor", "random", "cachex/out", "forfeits/out", "gauntlet/out"],
        "rate-of-more-seats": ["four-seats/out", "drop/out"],
        "rate-of-plain-results": ["--anchor", "ada=100", "results.csv"],
        "rate-of-pgn": ["engine/out/games.pgn"],
    }


def results():
    """A table of results without a run."""
    chance, strengths = random.Random(5), {"ada": 0.2, "bo": 0.1, "cy": 0.0, "di": -0.2}
    lines = []
    for _ in range(120):
        one, other = chance.sample(sorted(strengths), 2)
        luck = chance.random() + strengths[one] - strengths[other]
        lines.append(f"{one},{other},{1 if luck > 0.6 else 0 if luck < 0.4 else 0.5}\n")
    return "".join(lines)


def write(folder):
    """Writes the files that configurations in `folder` name."""
    twenty = (ROOT / "bots/twenty-lines/bot.py").read_text()
    crow = (ROOT / "tests/class/submissions/crows-good/bot.py").read_text()
    students = {"ada": twenty, "bo": crow, "cleo": FAULTY, "dov": QUITTER}
    files = {"faulty.py": FAULTY, "quitter.py": QUITTER, "wanderer.py": WANDERER, "book.txt": BOOK, "results.csv": results()}
    files["roster.csv"] = "id,name\n" + "".join(f"{name},{name.title()}\n" for name in students)
    files["wanderers.csv"] = "id,name\neve,Eve\nflo,Flo\n"
    files.update({"wanderers/eve/bot.py": WANDERER, "wanderers/flo/bot.py": QUITTER})
    files.update({f"in/{name}/bot.py": text for name, text in students.items()})
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
