"""What wrappers of libraries share: texts of a library in the words of `rules 1`."""

from game import board


def one_word(text):
    """A text as one word: `_` for a blank, `/` for the end of a line."""
    return "/".join(text.rstrip().splitlines()).replace(" ", "_")


def drawn(text):
    """The lines of `show` for a board that a library prints: a board where each line has a letter for each cell."""
    lines = text.rstrip().splitlines()
    rows = [line.replace(" ", "") if all(len(word) == 1 for word in line.split()) else line for line in lines]
    if len(set(map(len, rows))) == 1 and rows[0] and not set(" /") & set("".join(rows)):
        slanted = len(lines) > 1 and all(len(line) - len(line.lstrip()) == at for at, line in enumerate(lines))
        return board(rows, hexagons=slanted)
    return ["text " + line for line in lines]
