import os, sys
sys.stderr.write("I run in " + os.getcwd() + " of " + os.path.expanduser("~") + " on " + os.uname().nodename + "\n")
sys.stderr.write("I may write to " + os.environ.get("TMPDIR", "no folder") + "\n")
def act(ply):
    return [][ply]
for line in sys.stdin:
    word = line.split()[0]
    if word == "referee": print("bot 1 crashing", flush=True)
    elif word == "start": print("ready", flush=True)
    elif word == "act": print(act(3), flush=True)
