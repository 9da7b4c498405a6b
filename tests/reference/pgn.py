"""What python-chess reads in the files of tests/pgn, to compare ours with: tests/it/pgn.rs.

    python3 -m venv venv && venv/bin/pip install chess==1.11.2
    venv/bin/python tests/reference/pgn.py > tests/reference/pgn.txt

A line per finished game: file, White, Black, Result. python-chess is given the text in its encoding, leaves
escapes of values as they are, and does not take several tags on a line, spaces after a bracket, games that no
empty line separates, comments before the first tag, or moves that are illegal. The files about these are left
out here, and tests/it/pgn.rs says what is expected of them.
"""

import io
import logging
from pathlib import Path

import chess.pgn

FILES = [
    "a_game_in_a_comment",
    "a_tag_twice",
    "begins_with_percent",
    "begins_with_semicolon",
    "carriage_returns",
    "latin1",
    "long_options_line",
    "no_moves",
    "quotes",
    "tags_in_comments",
    "unfinished",
    "utf8_bom_crlf",
    "windows1252",
]

logging.disable(logging.CRITICAL)
for name in FILES:
    content = (Path(__file__).parent.parent / "pgn" / f"{name}.pgn").read_bytes()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("cp1252")
    # As in a file that is opened for text, every kind of line end is one.
    file = io.StringIO(text, newline=None)
    while (game := chess.pgn.read_game(file)) is not None:
        of = [game.headers[tag] for tag in ("White", "Black", "Result")]
        of = [value.replace('\\"', '"').replace("\\\\", "\\") for value in of]
        if of[2] != "*":
            print(name, *of, sep=" | ")
