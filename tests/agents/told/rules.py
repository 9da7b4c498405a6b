"""Runs a rules program, notes the requests to it, and offers the legal actions where it does not by itself.

    python3 rules.py REQUESTS COMMAND…"""

import subprocess
import sys

requests = open(sys.argv[1], "a")
program = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
offers = True


def ask(request):
    program.stdin.write(request)
    program.stdin.flush()
    lines = [""]
    while lines[-1].split(" ")[0].strip() not in ("ok", "illegal", "unparsable"):
        lines.append(program.stdout.readline())
    return lines[1:]


for request in sys.stdin:
    requests.write(request)
    requests.flush()
    word = request.split()[0]
    if word == "quit":
        break
    if word == "with":
        program.stdin.write(request)
        continue
    answer = ask(request)
    if word == "rules":
        [has] = [at for at, line in enumerate(answer) if line.startswith("has ")]
        offers = "offers" in answer[has].split()
        if not offers:
            answer[has] = answer[has].rstrip("\n") + " offers\n"
    acting = [line.split()[1:] for line in answer if line.startswith("act ")] if word in ("new", "play") else []
    if acting and not offers:
        lists = [line for seat in acting[0] for line in ask(f"legal {seat}\n") if line.startswith("can ")]
        last = min(at for at, line in enumerate(answer) if line.startswith(("score ", "act ")))
        answer[last:last] = lists
    sys.stdout.write("".join(answer))
    sys.stdout.flush()
