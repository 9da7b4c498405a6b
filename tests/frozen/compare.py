#!/usr/bin/env python3
"""Plays the runs of `plans.py` by an old and by a new `referee`, and compares their tables cell by cell.

    git worktree add ../frozen 854fe0f1
    (cd ../frozen && cargo build --release)
    cargo build --release
    tests/frozen/compare.py ../frozen/target/release/referee target/release/referee

With one program alone, it is compared with itself: the columns that differ depend on clocks. `--only sprt,swiss` plays a few of the runs, `-v`
names equal columns too. Runs lie in target/frozen/, in a folder named by the digest of the program and its configuration, and are played once.

Rows are matched by their keys, columns by their names. RENAMED and KEYS say what has another name now, EXPECTED what differs on purpose, CLOCKS
what depends on clocks. The exit code is 1 if anything else differs, or a run fails.
"""

import argparse
import csv
import fnmatch
import hashlib
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import plans

# Columns that have another name now: file, pattern of the old name, new name.
RENAMED = [
    ("games.csv", r"pair", "block"),
    ("set-aside.csv", r"pair", "block"),
    ("games.csv", r"(first|second|third|fourth)_score", r"\1_rules_points"),
]

# Lines of configurations that are written in another way now: pattern, replacement.
KEYS = [(r"^blocks = 1$", "games-per-pairing = 3"), (r"^blocks = (\d+)$", r"games-per-pairing = \1"), (r"^marks = 2$", "")]

# Differences on purpose: run, file, column (each a pattern), reason. A column is named as the new program names it; `-` stands for a
# file that one side does not have.
ONE_TABLE = "one set of columns for all numbers of seats"
CLUSTERS = "intervals are robust by block, or by opening where openings come again; few of them widen an interval"
PLAYED = "games of players that fail before their first action are played; they were forfeited unplayed after three failures"
SEATED = "games of more than two seats are seated by another rule"
TOURNAMENT = "the class tournament gives no marks"
DRAWN = "openings of a file are drawn without return"
EXPECTED = [
    *((run, "*", "*", DRAWN) for run in ("engine", "recurring-openings")),
    ("ladder", "*", "*", "the ladder is gone"),
    *(("class", "*games.csv", column, PLAYED) for column in ("termination", "plies", "*_fault", "*_detail", "*_digest", "detail", "fault")),
    ("class", "*games/ID.csv", "rows", PLAYED),
    ("class", "marks.csv", "forfeits_*", PLAYED),
    ("*", "marks.csv", "forfeits_unplayed", PLAYED),
    ("class", "integrity.csv", "-", "programs that play alike are not compared"),
    *(("class", "marks.csv", column, TOURNAMENT) for column in ("tournament_marks", "total", "low", "high", "of")),
    ("class", "marks.csv", "change*", "the chance of a change has no range, and no part of the tournament"),
    ("*", "*history.csv", "-", "the pages have ratings over the games"),
    ("*", "*pairings.csv", "-", "crosstable.csv has its results"),
    ("*", "*", "places", ONE_TABLE),
    ("*", "*", "place_?", ONE_TABLE),
    *(("*-of-three", "*", column, ONE_TABLE) for column in ("wins", "draws", "losses", "forfeit_points")),
    ("*-of-three", "*superiority.csv", "expected_score", ONE_TABLE),
    ("*", "*games.csv", "*_waited_us", "a busy machine is told"),
    ("*", "*ratings.csv", "shrunk_elo*", ONE_TABLE),
    ("*", "*ratings.csv", "*_margin", ONE_TABLE),
    ("*", "*ratings.csv", "rules_points", ONE_TABLE),
    ("*", "*ratings.csv", "blocks", ONE_TABLE),
    ("*", "*ratings.csv", "elo_*", CLUSTERS),
    ("*", "*ratings.csv", "margin", CLUSTERS),
    ("*", "*superiority.csv", "difference_*", CLUSTERS),
    ("*", "*superiority.csv", "superiority", CLUSTERS),
    ("*", "*match.csv", "los", CLUSTERS),
    ("swiss*", "places.csv", "corrected_elo*", "the posterior of all strengths is used"),
    ("knockout", "places.csv", "corrected_elo*", "the posterior of all strengths is used"),
    ("adaptive", "*", "*", "the next block is chosen by the new intervals"),
    *((name, "*", "*", SEATED) for name in ("three-seats", "four-seats", "gauntlet-of-three", "drop", "class-of-three")),
    ("rate-of-more-seats", "*", "*", "it reads the runs above"),
]

# Columns that depend on clocks: run, file, column (a regular expression), reason.
CLOCKS = [
    ("*", "*", r"date", "time of day"),
    ("*", "games.csv", r"game_us|.*_(wall|cpu)_us", "time taken"),
    ("*", "games.csv", r".*_peak_kib", "memory at the moment of a look"),
    ("*", "games.csv", r"log_digest", "digest of a file with times"),
    ("*", "games/*", r".*_us", "time taken"),
    ("*", "games/*", r"output_bytes", "depends on when output was read"),
    ("*", "players.csv", r"digest", "digest of the program itself, for house bots"),
    ("engine", "games.csv", r".*_stderr_digest", "engines print the time taken"),
]

# Parts of values that depend on clocks.
TIMES = re.compile(r" time=\d+")

# Tolerances of columns: pattern, and the difference that counts as equal, with a share of the old value. Ends of intervals may move by a
# tenth of an Elo and a share of half the width.
TOLERANCES = [
    (r"(.*_)?elo|difference", 0.1, 0.0),
    (r"superiority|expected_score|los|p_.*", 0.005, 0.0),
    (r".*margin", 0.05, 0.06),
    (r"llr.*", 0.01, 0.0),
]
WIDTH = 0.06

KEYS_OF_ROWS = ["run", "id", "number", "player", "opponent", "game", "ply", "seat"]


def rewritten(text):
    for pattern, replacement in KEYS:
        text = re.sub(pattern, replacement, text, flags=re.M)
    return text


def commands(rewrite):
    """The command of each run by its name, with its configuration."""
    for command, texts in [("run", plans.tournaments()), ("grade", plans.gradings())]:
        for name, text in texts.items():
            text = f'name = "{name}"\nseed = 2026\n{text}'
            words = [command, "run.toml", "--out", "out", "-j", "2"]
            yield name, words + ["--quiet"] * (command == "grade"), rewritten(text) if rewrite else text
    for name, words in plans.ratings().items():
        files = [f"../{word}" if "/" in word else word for word in words]
        yield name, ["rate", "--format", "csv", *files], ""


def play(program, work, side, rewrite, only):
    """Plays the runs, and gives their folders by name; a run that failed has none."""
    configurations = list(commands(rewrite))
    made_of = [program.read_bytes(), Path(plans.__file__).read_bytes(), repr((side, configurations)).encode()]
    place = work / hashlib.sha256(b"".join(made_of)).hexdigest()[:16]
    folders = {}
    for name, words, text in configurations:
        if only and name not in only:
            continue
        folder = place / name
        if not (folder / "played").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            plans.write(folder)
            (folder / "run.toml").write_text(text)
            done = subprocess.run([program, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            # A grading that holds marks has another exit code.
            if done.returncode != 0 and not (folder / "out/marks.csv").exists():
                print(f"{name}: the {side} program failed with {done.returncode}\n{done.stderr}{done.stdout}", flush=True)
                folders[name] = None
                continue
            if words[0] == "rate":
                (folder / "out").mkdir()
                (folder / "out/ratings.csv").write_text(done.stdout)
            (folder / "played").touch()
        folders[name] = folder / "out"
    return folders


def tables(out):
    """The CSV files of a run or grading by name. The logs of a run are one table, and so are files of one name in a grading."""
    found = {}
    for path in sorted(out.rglob("*.csv")):
        parts, keys = list(path.relative_to(out).parts), {}
        if parts[0] in ("report", "feedback", "history") or "students" in parts:
            continue
        if parts[0] == "work":
            # work/runs/STUDENT/TEST/DIGEST/…, work/tournament/DIGEST/…
            at = next(at for at, part in enumerate(parts) if re.fullmatch(r"[0-9a-f]{16}", part))
            keys["run"], parts = "/".join(parts[1:at]), ["work", *parts[at + 1 :]]
        if "games" in parts[:-1]:
            keys["id"], parts = parts[-1].split(".")[0], [*parts[: parts.index("games")], "games", "ID.csv"]
        text = TIMES.sub("", path.read_text().replace(str(out.parent), "."))
        rows = csv.DictReader(io.StringIO(text, newline=""))
        found.setdefault("/".join(parts), []).extend({**row, **keys} for row in rows)
    return found


def columns_of(rows):
    """All columns of rows, in the order of the first row that has each."""
    return list(dict.fromkeys(column for row in rows for column in row))


def with_keys(rows):
    """Rows by their keys. Rows that share theirs are numbered."""
    keyed, has = {}, columns_of(rows)
    columns = [key for key in KEYS_OF_ROWS if key in has]
    if "id" in columns:
        # A game's number is enough, and its players are to be compared.
        columns = [key for key in columns if key in ("run", "id", "ply", "seat")]
    for row in rows:
        key, number = tuple(row.get(column, "") for column in columns), 0
        while (*key, number) in keyed:
            number += 1
        keyed[(*key, number)] = row
    return keyed


def short(file):
    """The name of a file without the folders of a grading before it."""
    parts = file.split("/")
    return "/".join(parts[-2:]) if parts[-2:-1] == ["games"] else parts[-1]


def is_clock(run, file, column):
    return any(
        fnmatch.fnmatch(run, of) and fnmatch.fnmatch(short(file), at) and re.fullmatch(name, column)
        for of, at, name, _ in CLOCKS
    )


def expected(run, file, column):
    for runs, files, columns, reason in EXPECTED:
        if fnmatch.fnmatch(run, runs) and fnmatch.fnmatch(file, files) and fnmatch.fnmatch(column, columns):
            return reason
    return None


def new_name(file, column):
    for at, pattern, name in RENAMED:
        if fnmatch.fnmatch(short(file), at) and re.fullmatch(pattern, column):
            return re.sub(pattern, name, column)
    return column


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def allowed(column, row):
    """The difference from this old value that counts as equal."""
    value = number(row[column])
    for end, other in (("_low", "_high"), ("_high", "_low")):
        if column.endswith(end):
            opposite = number(row.get(column.removesuffix(end) + other, ""))
            return 0.1 + WIDTH * abs(value - opposite) / 2 if opposite is not None else 0.1
    for pattern, plain, share in TOLERANCES:
        if re.fullmatch(pattern, column):
            return plain + share * abs(value)
    return 1e-9


class Comparison:
    """What was found so far."""

    def __init__(self, verbose):
        self.verbose, self.unexpected, self.on_purpose = verbose, 0, 0

    def tell(self, run, file, column, words):
        reason = expected(run, file, column)
        if reason is None:
            self.unexpected += 1
        else:
            self.on_purpose += 1
        print(f"{run}: {file}: {column}: {words}" + (f" (expected: {reason})" if reason else ""))

    def run(self, name, old, new):
        before, after = tables(old), tables(new)
        for file in sorted(before.keys() | after.keys()):
            if file not in after:
                self.tell(name, file, "-", "only the old program has this file")
            elif file not in before:
                self.tell(name, file, "-", "only the new program has this file")
            else:
                self.file(name, file, before[file], after[file])

    def file(self, run, file, before, after):
        names = {column: new_name(file, column) for column in columns_of(before)}
        has = columns_of(after)
        if before and after:
            for column, name in names.items():
                if name not in has and not is_clock(run, file, column):
                    self.tell(run, file, name, "only the old program has this column")
            for name in has:
                if name not in names.values() and not is_clock(run, file, name):
                    self.tell(run, file, name, "only the new program has this column")
        renamed = [{names[column]: value for column, value in row.items()} for row in before]
        old, new = with_keys(renamed), with_keys(after)
        if old.keys() != new.keys():
            gone, come = len(old.keys() - new.keys()), len(new.keys() - old.keys())
            self.tell(run, file, "rows", f"{gone} of {len(old)} are gone, {come} are new")
        both, equal = [key for key in old if key in new], []
        for column, name in names.items():
            if is_clock(run, file, column) or name not in has:
                continue
            differing, largest, example = 0, 0.0, ""
            for key in both:
                one, other = old[key].get(name, ""), new[key].get(name, "")
                if one == other:
                    continue
                numbers = number(one), number(other)
                if None not in numbers:
                    gap = abs(numbers[0] - numbers[1])
                    if gap <= allowed(name, old[key]):
                        continue
                    largest = max(largest, gap)
                differing += 1
                example = example or f"{'/'.join(map(str, key[:-1]))} had `{one}` and has `{other}`"
            if differing:
                most = f", by {largest:g} at most" if largest else ""
                self.tell(run, file, name, f"{differing} of {len(both)} differ{most}; {example}")
            else:
                equal.append(name)
        print(f"{run}: {file}: {len(equal)} columns of {len(both)} rows are equal" + (": " + " ".join(equal) if self.verbose else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path, nargs="?")
    parser.add_argument("--only", default="", help="names of runs, separated by commas")
    parser.add_argument("--work", type=Path, default=plans.ROOT / "target/frozen")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    only = [name for name in args.only.split(",") if name]
    old = play(args.old.resolve(), args.work.resolve(), "old", False, only)
    new = play((args.new or args.old).resolve(), args.work.resolve(), "new", args.new is not None, only)
    comparison = Comparison(args.verbose)
    for name, folder in old.items():
        if folder and new[name]:
            comparison.run(name, folder, new[name])
        else:
            comparison.tell(name, "-", "-", "it was not played by both")
    print(f"{len(old)} runs: {comparison.unexpected} unexpected differences, {comparison.on_purpose} on purpose")
    sys.exit(1 if comparison.unexpected else 0)


main()
