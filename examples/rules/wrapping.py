"""What wrappers of libraries share: texts of a library in the words of `rules 1`."""

from game import board


def one_word(text):
    """A text as one word: `_` for a blank, `/` for the end of a line."""
    return "/".join(text.rstrip().splitlines()).replace(" ", "_")


def drawn(text, looks=None, numbered=False):
    """The lines of `show` for a board that a library prints: a board where each line has a letter for each cell, with the
    `looks` of letters. A `numbered` one counts columns and rows from 0, from the left and from the top."""
    lines = text.rstrip().splitlines()
    rows = [line.replace(" ", "") if all(len(word) == 1 for word in line.split()) else line for line in lines]
    if len(set(map(len, rows))) == 1 and rows[0] and not set(" /") & set("".join(rows)):
        slanted = len(lines) > 1 and all(len(line) - len(line.lstrip()) == at for at, line in enumerate(lines))
        pieces = {letter: look for letter, look in (looks or {}).items() if letter in "".join(rows)}
        columns, lines = (" ".join(map(str, range(count))) for count in (len(rows[0]), len(rows)))
        return board(rows, pieces, hexagons=slanted, more=[f"columns {columns}", f"rows {lines}"] if numbered else [])
    return ["text " + line for line in lines]
