#!/usr/bin/env python3
"""Enters an unmodified agent of a course into a tournament: loads it, and speaks the protocol for it.

    python3 adapter.py comp30024-2018 PACKAGE[:CLASS] [OPTION…]       Watch Your Back!
    python3 adapter.py comp30024-2019 PACKAGE[:CLASS] [OPTION…]       Chexers
    python3 adapter.py comp30024-2022 PACKAGE[:CLASS] [OPTION…]       Cachex
    python3 adapter.py comp30024-2025 PACKAGE[:CLASS] [OPTION…]       Freckers; 2023, 2024 and 2026 have their games

Python 3.6 or later, standard library alone, one file, so that it can be copied. README.md beside it
says what an agent is given, what is measured, and how packages are found.
"""

import errno
import fcntl
import importlib.machinery
import importlib.util
import io
import os
import random
import re
import reprlib
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
import types

# Under which name a process that is started anew for its next game is handed the line that began it.
NEXT_GAME = "REFEREE_ADAPTER_START"

# Of memory, in MiB.
PAGE = os.sysconf("SC_PAGESIZE") / (1 << 20)

# A folder larger than this is not copied for an agent that may not write to it.
COPY_LIMIT = 64 << 20

# Memory is written to the log each time it has grown by this much, in MiB.
GROWTH = 8

# How often a call into an agent is interrupted to look at its memory, in seconds of processor time.
LOOK = 0.02

# Exit codes: the adapter was called in a way that cannot work; several files could be meant.
MISUSE = 2
UNDECIDED = 3

# Options: more folders are searched for modules; what was handed in had no folder at its top, so the name of its
# folder is not its author's; only look which module plays, run nothing of it, and tell by the exit code; the module that
# plays where there is one of this name.
LENIENT, FLAT, FIND, PREFER = "--lenient", "--flat", "--find", "--prefer="

# Said to who returned None.
NO_RETURN = "a method that ends without `return` returns None"


class Illegal(Exception):
    """What an agent returned is no action. Says why."""


class Failed(Exception):
    """A call into an agent raised; the exception is its cause."""

    def __init__(self, what):
        super().__init__(what)
        self.what = what


class Misuse(Exception):
    """The adapter was called in a way that cannot work. Says what to do."""

    code = MISUSE


class Undecided(Misuse):
    """Several modules of a package could be meant."""

    code = UNDECIDED


# The courses: what an agent is called with, and what it may return.


def kind(value):
    """The name of a value's type, with its module where it is not Python's own."""
    cls = type(value)
    return cls.__name__ if cls.__module__ == "builtins" else cls.__module__ + "." + cls.__name__


def two(value):
    """The two parts of a value, whatever holds them."""
    try:
        one, other = value
    except Exception:
        raise Illegal("expected (x, y), or ((x, y), (x, y)), or None for a pass; this is a " + kind(value))
    return one, other


class Course:
    """What most courses have in common."""

    # The class of an agent, the file that has it, and the package that is preferred.
    cls, file, package = "Player", "player.py", None
    # Agents were named as packages, from above their folders.
    runs_flat = False
    # Whether agents hear of the action that ends a game.
    tells_last = True

    def prepare(self, game):
        """Called before the agent is imported, with the name of the game."""

    def keywords(self, game):
        """What each call to an agent is given beside its arguments."""
        return {}

    def check(self):
        """Called after each call to an agent; raises Misuse where it broke a limit of its course."""


class WatchYourBack(Course):
    """COMP30024 in 2018: `Player(colour)`, `action(turns)`, and `update(action)` for the opponent's
    actions alone. Types are held to what the course's own referee accepted."""

    game = "watch-your-back"
    placing = 24
    # The referee was started among the files of an agent that had no folder.
    runs_flat = True

    def __init__(self, seat, options):
        self.seat = seat
        self.played = 0

    def player_arguments(self):
        return (self.seat,)

    def action_arguments(self):
        return (self.played if self.played < self.placing else self.played - self.placing,)

    def hear(self, seat, action, own):
        """The call that tells the agent of an action, if it is told of it."""
        self.played += 1
        if seat == self.seat:
            if not own:
                raise Misuse("agents of 2018 are never told of their own actions, so they cannot go on from"
                             " a random opening: set opening-plies = 0")
            return None
        if action == "pass":
            return "update", (None,)
        squares = tuple(tuple(int(part) for part in square.split(",")) for square in action.split("-"))
        return "update", (squares if len(squares) == 2 else squares[0],)

    def token(self, value):
        if value is None:
            if self.played < self.placing:
                raise Illegal("None is a pass, and nobody passes in the placing phase; " + NO_RETURN)
            return "pass"
        one, other = two(value)
        if not any(isinstance(one, cls) and isinstance(other, cls) for cls in (tuple, list)):
            return self.square(one, other)
        return self.square(*two(one)) + "-" + self.square(*two(other))

    @staticmethod
    def square(x, y):
        for part in (x, y):
            if isinstance(part, (tuple, list)):
                raise Illegal("expected two tuples or two lists, not one of each")
            if not isinstance(part, int):
                raise Illegal("coordinates are Python's own int, and one of these is a " + kind(part))
            if not 0 <= part < 8:
                raise Illegal("columns and rows go from 0 to 7")
        return "{:d},{:d}".format(x, y)


class Chexers(Course):
    """COMP30024 in 2019: `Player(colour)`, `action()`, and `update(colour, action)` for the actions of all three. As in
    the course, whatever equals an action is one."""

    game = "chexers"

    def __init__(self, seat, options):
        self.seat = seat
        self.returned = None
        span = range(-3, 4)
        cells = {"{},{}".format(q, r): (q, r) for q in span for r in span if q + r in span}
        self.actions = {"exit:" + token: ("EXIT", cell) for token, cell in cells.items()}
        for one in cells:
            for other in cells:
                self.actions["move:" + one + ":" + other] = "MOVE", (cells[one], cells[other])
                self.actions["jump:" + one + ":" + other] = "JUMP", (cells[one], cells[other])
        self.actions["pass"] = "PASS", None
        self.tokens = {action: token for token, action in self.actions.items()}

    def player_arguments(self):
        return (self.seat,)

    def action_arguments(self):
        return ()

    def hear(self, seat, action, own):
        return "update", (seat, self.returned if own else self.actions[action])

    def token(self, value):
        try:
            token = self.tokens[value]
        except Exception:  # It may have no hash, or one of its own.
            why = NO_RETURN if value is None else "this is a " + kind(value)
            if isinstance(value, tuple):
                why = "of tuples alone, in capitals, with cells of the board"
            raise Illegal('expected ("MOVE", ((q, r), (q, r))), ("JUMP", ((q, r), (q, r))), ("EXIT", (q, r)) or '
                          '("PASS", None); ' + why)
        self.returned = value
        return token


class Cachex(Course):
    """COMP30024 in 2022: `Player(colour, n)`, `action()`, and `turn(player, action)` for the actions of
    both. Types are held to what the course's own referee accepted."""

    game = "cachex"

    def __init__(self, seat, options):
        self.seat = seat
        self.size = int(options["size"])

    def player_arguments(self):
        return (self.seat, self.size)

    def action_arguments(self):
        return ()

    def hear(self, seat, action, own):
        if action == "steal":
            return "turn", (seat, ("STEAL",))
        return "turn", (seat, ("PLACE", int(action[1:]) - 1, ord(action[0]) - ord("a")))

    def token(self, value):
        if value == "STEAL" and isinstance(value, str):
            return "steal"
        if value is None:
            raise Illegal('expected ("PLACE", r, q) or ("STEAL",); ' + NO_RETURN)
        if not isinstance(value, tuple):
            raise Illegal('expected a tuple, ("PLACE", r, q) or ("STEAL",); this is a ' + kind(value))
        if value == ("STEAL",):
            return "steal"
        if len(value) != 3 or not isinstance(value[0], str) or value[0] != "PLACE":
            raise Illegal('expected ("PLACE", r, q) or ("STEAL",), in capitals and with nothing more')
        for part in value[1:]:
            if type(part) is not int:
                raise Illegal("r and q are exactly int, and one of these is a " + kind(part))
            if not 0 <= part < self.size:
                raise Illegal("at size {} r and q go from 0 to {}".format(self.size, self.size - 1))
        return chr(ord("a") + value[2]) + str(value[1] + 1)


def course_package():
    """The package `referee.game` of a course. The `__init__.py` of `referee` is passed over: it is the course's own
    program, and may need libraries that no agent needs."""
    if "referee" not in sys.modules:
        spec = importlib.machinery.PathFinder.find_spec("referee")
        if spec is not None and spec.submodule_search_locations:
            sys.modules["referee"] = types.ModuleType("referee")
            sys.modules["referee"].__path__ = list(spec.submodule_search_locations)
    return importlib.import_module("referee.game")


class Actions:
    """Actions of a course's package as tokens, such as `grow` or `move:3-1:[Down]`, and back: an opponent is told what was
    returned, in its order, and a list as a list."""

    def __init__(self, package):
        names = vars(package)
        self.kinds = {name[:-len("Action")].lower(): cls for name, cls in sorted(names.items())
                      if name.endswith("Action") and name != "Action" and isinstance(cls, type)}
        self.cell = names.get("Coord") or names["HexPos"]
        self.direction = names.get("Direction") or names["HexDir"]

    def token(self, action):
        names = [name for name, cls in self.kinds.items() if type(action) is cls]
        if not names:
            raise Illegal("expected {}; this is a {}".format(
                " or ".join(sorted(cls.__name__ for cls in self.kinds.values())), kind(action)))
        fields = action.__dataclass_fields__.values()
        return ":".join(names + [self.part(field, getattr(action, field.name)) for field in fields])

    def is_cell(self, field):
        return self.cell.__name__ in str(field.type)

    def part(self, field, value):
        if self.is_cell(field):
            if type(value) is not self.cell:
                raise Illegal("expected a {}; this is a {}".format(self.cell.__name__, kind(value)))
            numbers = [int(number) for number in value]
            if numbers != list(value):
                raise Illegal("coordinates are whole numbers")
            return "{}-{}".format(*numbers)
        several = value if isinstance(value, (tuple, list)) else [value]
        if not several or not all(isinstance(one, self.direction) for one in several):
            raise Illegal("expected one or more of {}; this is a {}".format(self.direction.__name__, kind(value)))
        held = {list: "[{}]", tuple: "({})"}
        form = next((form for cls, form in held.items() if isinstance(value, cls)), "{}")
        return form.format(".".join(one.name for one in several))

    def read(self, token):
        """The action of a token; raises ValueError where there is none."""
        name, *parts = token.split(":")
        try:
            cls = self.kinds[name]
            fields = cls.__dataclass_fields__.values()
            action = cls(*[self.value(field, part) for field, part in zip(fields, parts)])
            if self.token(action) == token:
                return action
        except (KeyError, TypeError, Illegal):
            pass
        raise ValueError("no action is written `{}`".format(token))

    def value(self, field, part):
        if self.is_cell(field):
            return self.cell(*map(int, part.split("-")))
        directions = [self.direction[name] for name in part.strip("[()]").split(".")]
        if part.startswith("["):
            return directions
        return tuple(directions) if part.startswith("(") else directions[0]

    def forms(self):
        """What tokens look like."""
        kinds = [":".join([name] + [field.lstrip("_") for field in cls.__dataclass_fields__])
                 for name, cls in self.kinds.items()]
        return "{0}, with cells such as 0-1 and directions such as {1}, [{1}.{1}] or ({1})".format(
            " or ".join(kinds), next(iter(self.direction)).name)


class PackageGame(Course):
    """COMP30024 from 2024 on: `Agent(color, **referee)`, `action(**referee)`, and `update(color, action, **referee)`
    for the actions of both, with classes of the course's own package."""

    # The package says which game it is.
    game = None
    cls, file, package = "Agent", "program.py", "agent"
    told = "update"
    tells_last = False
    # In MB and seconds, as in the course. The time is for games without a clock.
    space, seconds = 250.0, 180.0

    def __init__(self, seat, options):
        self.seat = seat
        self.returned = None
        self.before = None
        self.made = None

    def prepare(self, game):
        # In the course, numpy was in memory before it was measured.
        if importlib.util.find_spec("numpy") is not None:
            importlib.import_module("numpy")
        self.before = memory("VmSize")
        try:
            own = course_package().GAME_NAME.lower().replace(" ", "-")
        except ImportError:
            return  # The agent's own import fails, too, and its place is told.
        if own != game:
            raise Misuse("the package `referee` here plays {}, and the game is {}".format(own, game))

    def actions(self):
        self.made = self.made or Actions(course_package())
        return self.made

    def color(self, seat):
        return course_package().PlayerColor[seat.upper()]

    def keywords(self, game):
        now = memory("VmSize")
        # The course counted in units of 1024 kB, and called them MB.
        left = None if now is None or self.before is None else self.space - (now - self.before)
        time_left = game.time_left()
        if time_left is None:
            time_left = max(0.0, self.seconds - game.time_used())
        return {"time_remaining": time_left, "space_remaining": left, "space_limit": self.space}

    def check(self):
        peak = memory("VmPeak")
        if None not in (peak, self.before) and peak - self.before > self.space:
            raise Misuse("the agent reserved {:.0f} MB beside Python and numpy, and the course's limit is {:.0f} MB; "
                         "reserved memory counts, used or not".format(peak - self.before, self.space))

    def player_arguments(self):
        return (self.color(self.seat),)

    def action_arguments(self):
        return ()

    def hear(self, seat, action, own):
        return self.told, (self.color(seat), self.returned if own else self.actions().read(action))

    def token(self, value):
        if value is None:
            raise Illegal("expected an action; " + NO_RETURN)
        self.returned = value
        return self.actions().token(value)


class Infexion(PackageGame):
    """COMP30024 in 2023: `turn` in the place of `update`."""

    told = "turn"


COURSES = {"comp30024-2018": WatchYourBack, "comp30024-2019": Chexers, "comp30024-2022": Cachex,
           "comp30024-2023": Infexion, "comp30024-2024": PackageGame, "comp30024-2025": PackageGame,
           "comp30024-2026": PackageGame}


# Finding and loading a package.


def source(path):
    try:
        with io.open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 20)
    except OSError:
        return ""


def is_searched(place, name):
    """Whether a folder may hold an agent: not what tools keep, and not a virtual environment."""
    return not (name.startswith((".", "__")) or name in ("node_modules", "site-packages", "venv")
                or os.path.isfile(os.path.join(place, name, "pyvenv.cfg")))


def shows(init, cls):
    """Whether an `__init__.py` has the class."""
    shown = r"^\s*(class|from|import)\b.*(\b{}\b|\*)".format(re.escape(cls))
    return re.search(shown, source(init), re.MULTILINE)


def search(folder, cls, file):
    """The files that define the class, each with how deep it is: up to three folders deep, or else up to ten."""
    pattern = r"^(class\s+{0}\b|{0}\s*=|from\s.*\sas\s+{0}\b)".format(re.escape(cls))
    for most in (3, 10):
        found = []
        for place, folders, files in os.walk(folder):
            below = os.path.relpath(place, folder)
            depth = 0 if below == os.curdir else len(below.split(os.sep))
            folders[:] = [] if depth >= most else sorted(name for name in folders if is_searched(place, name))
            paths = [os.path.join(place, name) for name in sorted(files) if name.endswith(".py")]
            paths = [path for path in paths if re.search(pattern, source(path), re.MULTILINE)]
            init = os.path.join(place, "__init__.py")
            if len(paths) > 1 and not named(paths, file) and shows(init, cls):
                paths = [init]
            found += [(depth, path) for path in paths]
        if found:
            break
    return found


def named(paths, file):
    """The files of this name, in any case."""
    return [path for path in paths if os.path.basename(path).lower() == file]


def nearest(found):
    """The files nearest to the top."""
    return [path for depth, path in found if depth == min(found)[0]]


def is_of(module, path):
    """Whether a file is this module, or in this package."""
    module = re.sub(r"\.py$", "", module).replace(".", "/").split("/")
    own = re.sub(r"\.py$", "", path).split(os.sep)
    return module in (own[-len(module):], own[-len(module) - 1:-1])


def listing(paths, folder):
    """The first of these files, for a message."""
    names = [os.path.relpath(path, folder) for path in paths[:5]]
    names = [name if len(name) <= 80 else name[:40] + "..." + name[-37:] for name in names]
    return ", ".join(names + ["%d more" % (len(paths) - 5)] * (len(paths) > 5))


def choose(found, folder, package, cls, course, preferred, flat):
    """The one file that can be meant: of the preferred package nearest to the top; else the one with the course's
    name for it, nearest to the top or alone; else the only one."""
    # Many keep older versions beside the one that counts, or below it, which the course's examples call player.
    above = folder if flat else os.path.dirname(folder)
    within = [(depth, path) for depth, path in found if preferred and is_of(preferred, os.path.relpath(path, above))]
    choices = [nearest(within or found)]
    if course.package and not within:
        choices.append([path for _, path in found])
    for paths in choices:
        meant = named(paths, course.file)
        if len(meant) == 1:
            return meant[0]
    if len(within or found) == 1:
        return choices[0][0]
    listed = listing([path for _, path in found], folder)
    raise (Undecided if found else Misuse)("{} has to hold one file with a class {}; found: {}"
                                           .format("it" if flat else "`%s`" % package, cls,
                                                   listed + "; name one of them" if listed else "none"))


def find(package, cls, course, preferred=None, flat=False):
    """Where to run an agent, and the names of the modules that lead to it from there. `package` is a
    folder, a file, or dotted names as after `python -m`. With `flat` its first folder has no name of its author's, and
    may be the folder in which the course's referee was started."""
    start = os.getcwd()
    if flat and course.runs_flat:
        start = os.path.join(start, package.split(os.sep)[0])
    path = os.path.abspath(os.path.expanduser(package))
    dotted = os.path.abspath(package.replace(".", os.sep))
    if not os.path.exists(path):
        if os.path.isfile(path + ".py"):
            path += ".py"
        elif os.path.isdir(dotted) or os.path.isfile(dotted + ".py"):
            return start, package.split(".")
        else:
            raise Misuse("there is no package `{}` in {}: expected a folder, a file, or dotted names"
                         .format(package, start))
    # No package reaches above the folder that holds the one named, nor above the one started in.
    top = start if path.startswith(start + os.sep) and not os.path.isdir(path) else None
    if os.path.isdir(path):
        top = os.path.dirname(path)
    if os.path.isdir(path) and not shows(os.path.join(path, "__init__.py"), cls):
        path = choose(search(path, cls, course.file), path, package, cls, course, preferred, flat)
    if os.path.basename(path) == "__init__.py":
        path = os.path.dirname(path)
    root, name = os.path.split(path)
    names = [name[:-3] if name.endswith(".py") else name]
    # Some packages have no __init__.py, and Python takes them for packages all the same.
    within = r"^\s*(from\s+\.|(from|import)\s+{}\b)".format(re.escape(os.path.basename(root)))
    climb = is_package(root, start) or name.endswith(".py") and re.search(within, source(path), re.MULTILINE)
    while climb and root != top:
        root, name = os.path.split(root)
        names.insert(0, name)
        climb = is_package(root, start)
    return root, names


def locate(course, package, options):
    """Where to run an agent, the names of its modules, and its class."""
    path, _, cls = package.partition(":")
    preferred = [option[len(PREFER):] for option in options if option.startswith(PREFER)] or [course.package or ""]
    preferred, _, own = preferred[0].partition(":")
    cls = cls or own or course.cls
    return find(path, cls, course, preferred, FLAT in options) + (cls,)


def is_package(folder, start):
    """Whether a folder is a package by its __init__.py. The folder started in is where packages lie, whatever
    it holds."""
    return folder != start and os.path.isfile(os.path.join(folder, "__init__.py"))


def writable(root, names):
    """A copy of where an agent lies, for agents that write logs beside their code where that is forbidden;
    None where it is allowed, or would be too large."""
    top = os.path.join(root, names[0])
    try:
        os.close(os.open(top if os.path.isdir(top) else root, os.O_WRONLY | os.O_TMPFILE))
        return None
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            return None
    # What lies above the folder that the adapter was started in is not the agent's.
    whole = (root + os.sep).startswith(os.getcwd() + os.sep) or not os.path.isdir(top)
    original = root if whole else top
    size = 0
    for place, _, files in os.walk(original):
        size += sum(os.lstat(os.path.join(place, name)).st_size for name in files)
        if size > COPY_LIMIT:
            return None
    copy = tempfile.mkdtemp(prefix="agent-")
    shutil.copytree(original, os.path.join(copy, os.path.basename(original)), symlinks=True)
    return os.path.join(copy, os.path.basename(original)) if whole else copy


def load(root, names):
    """Imports the modules one below the other. By their paths, since no name is too strange then: not
    one with hyphens or dots, and not one that a module of Python's has too."""
    folder, full, module = root, "", None
    for name in names:
        parent, full = module, full + "." + name if full else name
        folder = os.path.join(folder, name)
        if parent is not None and full in sys.modules:
            module = sys.modules[full]
            continue
        init = os.path.join(folder, "__init__.py")
        if os.path.isdir(folder) and not os.path.isfile(init):
            module = types.ModuleType(full)
            module.__path__ = [folder]
            sys.modules[full] = module
        else:
            places = [folder] if os.path.isdir(folder) else None
            path = init if places else folder + ".py"
            spec = importlib.util.spec_from_file_location(full, path, submodule_search_locations=places)
            module = importlib.util.module_from_spec(spec)
            sys.modules[full] = module
            spec.loader.exec_module(module)
        if parent is not None:
            setattr(parent, name, module)
    return module


# One agent in one game.


class Agent:
    """Calls an agent, and keeps account of what each kind of call cost."""

    def __init__(self, wire):
        self.wire = wire
        self.calls = {}
        # The call that runs: its name in the account, its arguments, and the clocks before it.
        self.running = None
        # The memory before the agent was loaded, and that last written to the log; the folder whose lines are
        # named with it.
        self.bare = self.told = held()
        self.root = os.getcwd()
        # Whether the game has ended: then no line that comes means anything to the agent.
        self.over = False

    def call(self, name, function, *arguments):
        """Calls a function, under `name` in the account."""
        self.running = name, arguments, time.process_time(), time.perf_counter()
        self.wire.interrupt(not self.over)
        signal.setitimer(signal.ITIMER_PROF, LOOK, LOOK)
        try:
            return function(*arguments)
        except BaseException as error:  # An agent that calls exit() is no exception.
            raise Failed(described(name, arguments)) from error
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.wire.interrupt(False)
            self.settle()
            self.look(name, arguments)

    def look(self, name, arguments, frame=None):
        """Writes to the log that memory has grown, and where: a process that is killed for it says nothing
        more. `frame` is what runs."""
        enough = self.told + GROWTH
        # The peak is cheap to ask for, and never less than what is held now.
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 < enough or held() < enough:
            return
        self.told = held()
        while frame is not None and not frame.f_code.co_filename.startswith(self.root + os.sep):
            frame = frame.f_back
        at = "" if frame is None else " at {}:{}".format(
            os.path.relpath(frame.f_code.co_filename, self.root), frame.f_lineno)
        try:
            self.wire.log("[adapter] memory: {} in {}{}; {} before the agent was loaded\n".format(
                mebibytes(self.told), described(name, arguments), at, mebibytes(self.bare)))
        except OSError:
            pass  # An agent may have closed it.

    def interrupted(self, frame):
        if self.running is not None:
            self.look(*self.running[:2], frame=frame)

    def settle(self):
        """Enters the call that runs in the account. The clocks are read before anything else is done."""
        cpu_now, wall_now = time.process_time(), time.perf_counter()
        if self.running is not None:
            name, _, cpu_before, wall_before = self.running
            self.running = None
            count, cpu, wall, longest = self.calls.get(name, (0, 0.0, 0.0, 0.0))
            used = cpu_now - cpu_before
            self.calls[name] = count + 1, cpu + used, wall + wall_now - wall_before, max(longest, used)

    def account(self, name):
        count, cpu, _, longest = self.calls.get(name, (0, 0.0, 0.0, 0.0))
        return "{}() {:.3f} s in {} call{}, the longest {:.3f} s".format(
            name, cpu, count, "" if count == 1 else "s", longest)


def described(name, arguments):
    """A call as it would be written, but shorter where it is long."""
    return name + "(" + ", ".join(reprlib.repr(argument) for argument in arguments) + ")"


def held():
    """The memory that this process holds now, in MiB; 0 where that is not known."""
    try:
        file = os.open("/proc/self/statm", os.O_RDONLY)
        try:
            return int(os.read(file, 256).split()[1]) * PAGE
        finally:
            os.close(file)
    except Exception:
        return 0


def memory(field):
    """A line of /proc/self/status about memory, in MiB; None where there is no such thing."""
    match = re.search(r"^{}:\s+(\d+) kB".format(field), source("/proc/self/status"), re.MULTILINE)
    return int(match.group(1)) / 1024 if match else None


def mebibytes(amount):
    return "unknown" if amount is None else "{:.1f} MiB".format(amount)


class Game:
    """One game of one agent."""

    def __init__(self, course, wire, start):
        # The courses' referees wrote colours as literals, which Python interns: some agents compare with `is`.
        seat, options = sys.intern(start[2]), dict(token.split("=", 1) for token in start[3:])
        if course.game not in (None, start[1]):
            raise Misuse("this agent plays {}, and the game is {}".format(course.game, start[1]))
        self.course = course(seat, options)
        self.name, self.seed = start[1], int(options["seed"])
        # The clock that counts, the time left when last asked, in seconds, and the clock at that moment.
        self.clock = time.process_time if options.get("measure") == "cpu" else time.perf_counter
        self.left, self.asked = None, 0.0
        self.agent = Agent(wire)
        self.cls = self.player = self.began = None
        self.news = []
        self.returned = self.token = None
        self.root, self.copy = os.getcwd(), None
        # Folders of the agent that the course's referee did not search for modules.
        self.elsewhere = []
        self.bare, self.loaded = memory("VmRSS"), None

    def load(self, package, options):
        """Imports the agent. What it draws from `random` follows from the seed of the game."""
        root, names, cls = locate(self.course, package, options)
        self.course.prepare(self.name)
        self.agent.wire.log("[adapter] playing {} of `{}` in {}\n".format(cls, ".".join(names), root))
        self.copy = writable(root, names)
        self.root = root = self.copy or root
        os.chdir(root)
        # As the courses' referees had it, which were started in the folder that holds the packages.
        sys.path[0:1] = [root]
        self.agent.root = root
        own = os.path.join(root, *names[:-1])
        self.elsewhere = [folder for folder in (own, os.path.dirname(own)) if folder not in sys.path]
        if LENIENT in options:
            sys.path += self.elsewhere
        sys.argv = [os.path.join(root, *names)]
        random.seed(self.seed)
        module = self.agent.call("import", lambda name: load(root, names), ".".join(names))
        if not hasattr(module, cls):
            raise Misuse("the module {} has no class {}".format(".".join(names), cls))
        self.cls = getattr(module, cls)
        if hasattr(sys.modules.get("numpy"), "random"):
            sys.modules["numpy"].random.seed(self.seed % (1 << 32))
        self.loaded = memory("VmRSS")

    def describe(self, failed):
        """An agent's exception, and what helps where a module was not found."""
        error, hint = failed.__cause__, ""
        missing = (getattr(error, "name", None) or "").partition(".")[0]
        if isinstance(error, ModuleNotFoundError) and missing:
            search = importlib.machinery.PathFinder.find_spec
            places = [folder for folder in self.elsewhere if search(missing, [folder])]
            if places:
                hint = "; it lies in {}, where the course did not search: see --lenient".format(
                    os.path.relpath(places[0], os.path.dirname(self.root)))
            elif missing == "referee":
                hint = "; `referee` is the course's own package: its folder belongs into course-files or PYTHONPATH"
        return describe(failed, self.root, hint)

    def clean(self):
        if self.copy is not None:
            os.chdir("/")
            shutil.rmtree(self.copy, ignore_errors=True)

    def time_used(self):
        """The processor time since its first action, in seconds."""
        return 0.0 if self.began is None else time.process_time() - self.began

    def time_left(self):
        """What the agent's clock shows now, in seconds; None without a limit."""
        return None if self.left is None else self.left - (self.clock() - self.asked)

    def call(self, name, function, *given):
        """Calls a method of the agent, or its class."""
        keywords = self.course.keywords(self)
        returned = self.agent.call(name, lambda *given: function(*given, **keywords), *given)
        self.course.check()
        return returned

    def act(self, left):
        """The answer to a request to act. `left` is the time on the agent's clock, in milliseconds, or `none`."""
        self.left, self.asked = None if left == "none" else int(left) / 1000, self.clock()
        if self.began is None:
            self.began = time.process_time()
        if self.player is None:
            self.player = self.call(self.course.cls, self.cls, *self.course.player_arguments())
        self.deliver()
        given = self.course.action_arguments()
        # Looked up within the call: an agent may have none, or one that raises.
        self.returned = self.call("action", lambda *given, **more: self.player.action(*given, **more), *given)
        try:
            self.token = self.course.token(self.returned)
        except Illegal as why:
            self.token = None
            said = "{} returned {}: {}".format(described("action", given), reprlib.repr(self.returned), why)
            return "illegal " + " ".join(said.split())[:500]
        return self.token

    def deliver(self):
        """Tells the agent what has happened since it was last asked."""
        news, self.news = self.news, []
        for seat, action in news:
            own = action == self.token and seat == self.course.seat
            call = self.course.hear(seat, action, own)
            if call is not None and self.player is not None:
                name, given = call
                self.call(name, lambda *given, **more: getattr(self.player, name)(*given, **more), *given)

    def end(self, words):
        """Tells the agent what came last, and its author what the referee's notation meant."""
        self.agent.over = True
        # Who was at fault is told why, and nobody else.
        if words[2] == "illegal_action" and len(words) > 3 and self.token is not None:
            self.agent.wire.log("[adapter] the agent's last action was {}, which is {} in the referee's notation\n".format(
                reprlib.repr(self.returned), self.token))
        if words[2] == "rules" and not self.course.tells_last:
            del self.news[-1:]
        self.deliver()

    def report(self):
        """What it cost: before the clock ran, on the clock, and in memory."""
        names = [name for name in self.agent.calls if name != "import"]
        _, cpu, wall, _ = self.agent.calls.get("import", (0, 0.0, 0.0, 0.0))
        lines = ["import: {:.3f} s of processor time, {:.3f} s on the wall; not on the clock".format(cpu, wall)]
        if self.began is not None:
            used = self.time_used()
            own = max(0.0, used - sum(self.agent.calls[name][1] for name in names))
            lines.append("on the clock: {:.3f} s of processor time: {}; the adapter {:.3f} s".format(
                used, "; ".join(self.agent.account(name) for name in names), own))
        lines.append("memory: {} before the agent was loaded, {} after, {} at most".format(
            *(mebibytes(amount) for amount in (self.bare, self.loaded, memory("VmHWM")))))
        return "".join("[adapter] " + line + "\n" for line in lines)


# The conversation with the referee.


class Wire:
    """The referee's lines. The agent cannot reach them: what it, its C code and its children know as
    standard output is our standard error, and their standard input is empty."""

    def __init__(self):
        self.own = os.dup(0)
        self.flags = fcntl.fcntl(self.own, fcntl.F_GETFL)
        self.input = io.open(self.own, encoding="utf-8")
        self.output = os.dup(1)
        self.errors = os.dup(2)
        self.process = os.getpid()
        empty = os.open(os.devnull, os.O_RDONLY)
        os.dup2(empty, 0)
        os.close(empty)
        os.dup2(2, 1)
        fcntl.fcntl(self.own, fcntl.F_SETOWN, self.process)
        # By lines, so that nothing is lost with a process that is killed, and in any alphabet.
        sys.stdout, sys.stderr = [
            io.open(fd, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False) for fd in (1, 2)
        ]

    def interrupt(self, on):
        """While an agent is called, a line that comes is a signal: its game has ended, since it was too slow."""
        fcntl.fcntl(self.own, fcntl.F_SETFL, self.flags | os.O_ASYNC if on else self.flags)

    def answer(self, line):
        if os.getpid() != self.process:
            os._exit(0)  # A child that an agent forked came back from its call.
        self.write(self.output, line + "\n")

    def log(self, text):
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass  # An agent may have closed it.
        self.write(self.errors, text)

    @staticmethod
    def write(fd, text):
        data = text.encode("utf-8", "backslashreplace")
        while data:
            data = data[os.write(fd, data):]

    def give_up(self, game, frame):
        """Tells where an agent is that ran out of time, and ends."""
        if game.agent.running is None:
            return  # It came back just now.
        if not select.select([self.own], [], [], 0)[0]:
            return  # The kernel may send the signal for a line after that line was read.
        what = described(*game.agent.running[:2])
        game.agent.settle()
        stack = traceback.extract_stack(frame)
        own = [entry for entry in stack if entry.filename != main.__code__.co_filename][-60:]
        self.log("{}[adapter] the game ended while {} ran:\n{}".format(
            game.report(), what, "".join(traceback.format_list(own))))
        leave(self, game, 1)

    def reopen(self):
        """Puts standard input and output back where they were, for a program that follows."""
        os.dup2(self.own, 0)
        os.dup2(self.output, 1)


def leave(wire, game, code):
    """Ends the process, though threads of the agent may run."""
    if os.getpid() == wire.process and game is not None:
        game.clean()
    os._exit(code)


def describe(failed, root, hint):
    """An agent's exception: its traceback without our own frames, then one line that says it all."""
    error = failed.__cause__
    trace, places = error.__traceback__, []
    ours = main.__code__.co_filename
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith((ours, "<frozen importlib")):
        trace = trace.tb_next
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(trace)]
    if isinstance(error, SyntaxError):
        frames.append((error.filename or "<unknown>", error.lineno))
    for name, line in frames:
        if not name.startswith("<") and os.path.abspath(name).startswith(root + os.sep):
            places.append(" at {}:{}".format(os.path.relpath(name, root), line))
    text = "".join(traceback.format_exception(type(error), error, trace, limit=-60))
    last = traceback.format_exception_only(type(error), error)[-1].strip()
    what = "called exit: " if isinstance(error, SystemExit) else "raised "
    place = places[-1] if places else ""
    return "{}{} {}{}{}{}\n".format(text, failed.what, what, " ".join(last.split())[:160], place, hint)


def converse(wire, course, arguments, line, again):
    """Speaks with the referee until it has no more games. `line` is the first, if it was read already;
    `again` starts this program anew."""
    package, options = arguments
    game = None
    try:
        while True:
            line = line or wire.input.readline()
            words = line.split()
            if not words or words[0] == "quit":
                break
            if words[0] == "referee":
                wire.answer("bot 1 " + (re.sub(r"[^!-~]", "", package)[:64] or "agent"))
            elif words[0] == "start":
                if game is not None:
                    game.clean()
                    wire.reopen()
                    again(line)
                game = Game(course, wire, words)
                signal.signal(signal.SIGIO, lambda _, frame: wire.give_up(game, frame))
                signal.signal(signal.SIGPROF, lambda _, frame: game.agent.interrupted(frame))
                game.load(package, options)
                wire.answer("ready")
            elif words[0] == "did":
                game.news.append((sys.intern(words[1]), words[2]))
            elif words[0] == "act":
                wire.answer(game.act(words[1]))
            elif words[0] == "end" and game is not None:
                try:
                    game.end(words)
                except Failed as failed:
                    wire.log(game.describe(failed) + "[adapter] that was after the last action: it cost nothing\n")
                wire.log(game.report())
            line = None
    except Failed as failed:
        if os.getpid() == wire.process:
            wire.log(game.report() + game.describe(failed))
        leave(wire, game, 1)
    except Misuse as why:
        wire.log("{}\n".format(why))
        leave(wire, game, MISUSE)
    leave(wire, game, 0)


def look(course, package, options):
    """Says which module of a package plays, and on its standard error which could have played, and ends."""
    try:
        root, names, cls = locate(COURSES[course], package, options)
    except Misuse as why:
        print(why, file=sys.stderr)
        sys.exit(why.code)
    print("{} of `{}` in {}".format(cls, ".".join(names), root))
    sys.stdout.flush()
    folder, plays = os.path.abspath(package.partition(":")[0]), os.path.join(root, *names)
    paths = [path for _, path in search(folder, cls, COURSES[course].file)]
    plays = [path for path in paths if path in (plays + ".py", os.path.join(plays, "__init__.py"))]
    others = [path for path in paths if path not in plays]
    if plays and others:
        print("of the files with a class {}, `{}` plays, and not {}".format(
            cls, listing(plays, folder), listing(others, folder)), file=sys.stderr)
    sys.exit(0)


def main():
    arguments, folder, surroundings = sys.argv[:], os.getcwd(), dict(os.environ)
    program = os.path.abspath(__file__)
    known = {LENIENT, FLAT, FIND}
    options = {option for option in arguments[3:] if not option.startswith(PREFER)}
    if len(arguments) < 3 or arguments[1] not in COURSES or not known.issuperset(options):
        sys.exit("usage: python3 adapter.py {} PACKAGE[:CLASS] [{}]".format(
            "|".join(sorted(COURSES)), "] [".join(sorted(known) + [PREFER + "MODULE[:CLASS]"])))
    if FIND in arguments:
        look(*arguments[1:3], options=arguments[3:])

    def again(line):
        """A new interpreter for the next game, since agents keep things in globals of their modules."""
        os.chdir(folder)
        os.execve(sys.executable, [sys.executable, program] + arguments[1:], dict(surroundings, **{NEXT_GAME: line}))

    sys.dont_write_bytecode = True
    line = os.environ.pop(NEXT_GAME, None)
    surroundings.pop(NEXT_GAME, None)
    converse(Wire(), COURSES[arguments[1]], (arguments[2], arguments[3:]), line, again)


if __name__ == "__main__":
    main()
