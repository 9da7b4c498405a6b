"""What wrappers of libraries share: texts of a library in the words of `rules 1`."""

import re

from game import board


def one_word(text):
    """A text as one word: `_` for a blank, `/` for the end of a line."""
    return "/".join(text.rstrip().splitlines()).replace(" ", "_")


def rows_of(text):
    """The rows of a board that a library prints, if each line has a letter for each cell."""
    lines = text.rstrip().splitlines()
    rows = [line.replace(" ", "") if all(len(word) == 1 for word in line.split()) else line for line in lines]
    return rows if len(set(map(len, rows))) == 1 and rows[0] and not set(" /") & set("".join(rows)) else []


def axes(text, after):
    """How actions name columns and rows: the first label and the step for each, by the boards `after` them. An action names the
    cell that it empties, or the one that it fills."""
    before, seen = "".join(rows_of(text)), []
    for name, later in after:
        later = "".join(rows_of(later))
        changed = [at for at in range(len(before)) if len(later) == len(before) and later[at] != before[at]]
        empty = max(before, key=before.count, default="")
        cell = sorted(changed, key=lambda at: (later[at] != empty, at))[:1]
        parts = [ord(it) if it.isalpha() else int(it) for it in re.findall("[a-z](?=[0-9])|[0-9]+", name)]
        seen += [(divmod(at, len(rows_of(text)[0]))[::-1], parts) for at in cell]
    found = {}
    for axis in (0, 1):
        for part in range(min((len(parts) for _, parts in seen), default=0)):
            for step in (1, -1):
                first = {parts[part] - step * cell[axis] for cell, parts in seen}
                if len(first) == 1 and len({cell[axis] for cell, _ in seen}) > 1:
                    found.setdefault(axis, (*first, step))
    return found


def label(value):
    return chr(value) if value >= ord("a") else str(value)


def drawn(text, looks=None, axes=None):
    """The lines of `show` for a board that a library prints, with the `looks` of letters: a board where each line has a letter for
    each cell. `axes` has the first label and the step of the columns (0) and rows (1)."""
    lines, rows = text.rstrip().splitlines(), rows_of(text)
    if rows:
        slanted = len(lines) > 1 and all(len(line) - len(line.lstrip()) == at for at, line in enumerate(lines))
        pieces = {letter: look for letter, look in (looks or {}).items() if letter in "".join(rows)}
        sides = {0: ("columns", len(rows[0])), 1: ("rows", len(rows))}
        labels = [" ".join([sides[axis][0], *(label(first + step * at) for at in range(sides[axis][1]))])
                  for axis, (first, step) in (axes or {}).items()]
        return board(rows, pieces, hexagons=slanted, more=labels)
    return ["text " + line for line in lines]
