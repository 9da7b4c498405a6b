"""Holds an adapter's judgement of values to recorded verdicts of a course's own referee.

    python3 judge.py ADAPTER COURSE VECTORS

Prints how many it judged, then a line for each that it judged otherwise.
"""

import ast
import gzip
import importlib.util
import json
import sys

adapter_path, course, vectors = sys.argv[1:]
spec = importlib.util.spec_from_file_location("adapter", adapter_path)
adapter = importlib.util.module_from_spec(spec)
spec.loader.exec_module(adapter)


def accepts(row, value):
    """Whether the adapter makes an action of a value."""
    judge = adapter.COURSES[course](row["to_move"], {"size": row.get("n")})
    judge.played = len(row["prefix"])
    try:
        judge.token(value)
    except adapter.Illegal:
        return False
    return True


judged, wrong = 0, []
with gzip.open(vectors, "rt") as lines:
    rows = [row for row in map(json.loads, lines) if row["typed"]]
for row in rows:
    value = ast.literal_eval(row["attempt"])
    legal = row["verdict"] == "legal"
    # Integers of other types than int were written down like those, and cannot be told apart here.
    disguised = not legal and type(value) is tuple and [type(part) for part in value] == [str, int, int]
    # An action that breaks a rule is the referee's to judge, and not the adapter's.
    by_rules = "not currently permitted" in str(row["message"])
    if (disguised and value[0] == "PLACE") or by_rules:
        continue
    judged += 1
    if accepts(row, value) != legal:
        wrong.append((row["attempt"], row["verdict"], row["message"]))
print(judged)
for line in wrong:
    print(*line)
