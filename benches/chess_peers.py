#!/usr/bin/env python3
"""Chess by `referee`, by other programs, and by bare pipes, in one sitting: wall and processor time of all processes.

    cargo build --release -p referee -p research --bin referee --bin scripted_engine --bin bare_engines
    benches/chess_peers.py [--c-chess-cli FILE] [--fastchess FILE] [--rounds N] [--processors N]

Each plays one game of 118 plies 400 times between two engines that know it by heart, on this number of processors with
as many games at a time, and writes PGN into memory; `referee` writes its logs too. Prints the medians.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TARGET = os.path.join(os.environ.get("CARGO_TARGET_DIR", "target"), "release")
GAMES = 400
CONFIG = """
name = "chess"
game = {{ name = "chess" }}
format = {{ kind = "round-robin", games-per-pairing = {games}, opening-plies = 0 }}
clock = {{ per-game = "100s", increment = "1s" }}
record = {{ pgn = true }}
report = {{ pages = false }}
[[player]]
name = "one"
command = ["{engine}"]
speaks = "uci"
[[player]]
name = "other"
command = ["{engine}"]
speaks = "uci"
"""


def commands(options, folder):
    """The command of each program, by its name."""
    engine = os.path.abspath(os.path.join(TARGET, "scripted_engine"))
    config = os.path.join(folder, "chess.toml")
    with open(config, "w") as file:
        file.write(CONFIG.format(games=GAMES, engine=engine))
    jobs = str(options.processors)
    found = {"referee": [os.path.join(TARGET, "referee"), "run", config, "-j", jobs, "--out", os.path.join(folder, "run")]}
    engines = ["-engine", "cmd=" + engine, "name=one", "-engine", "cmd=" + engine, "name=other"]
    pgn = os.path.join(folder, "games.pgn")
    if options.c_chess_cli:
        found["c-chess-cli"] = [options.c_chess_cli, "-each", "tc=100+1", *engines, "-games", str(GAMES), "-concurrency", jobs, "-pgn", pgn, "1"]
    if options.fastchess:
        found["fastchess"] = [options.fastchess, *engines, "-each", "tc=100+1", "-rounds", str(GAMES // 2), "-games", "2", "-concurrency", jobs, "-pgnout", "file=" + pgn]
    if options.processors == 1:
        found["bare pipes"] = [os.path.join(TARGET, "bare_engines"), str(GAMES), engine, engine]
    return {name: [os.path.abspath(command[0]), *command[1:]] for name, command in found.items()}


def have_memory():
    """Uses memory and frees it. A virtual machine gives free memory back to its host within seconds, and the next
    program that needs it is charged for the host's work."""
    subprocess.run([sys.executable, "-c", f"bytearray(b'1') * {256 << 20}"], check=True)


def measured(command, processors, folder):
    """Wall and processor time of a command, with all processes that it waited for."""
    for name in ("run", "games.pgn", "config.json"):
        path = os.path.join(folder, name)
        shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)
    have_memory()
    begun = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, processors),
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit("failed: " + " ".join(command))
    return time.monotonic() - begun, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--c-chess-cli", metavar="FILE")
    parser.add_argument("--fastchess", metavar="FILE")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--processors", type=int, default=1)
    options = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))[: options.processors]
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        programs = commands(options, folder)
        times = {name: [] for name in programs}
        for _ in range(options.rounds):
            for name, command in programs.items():
                times[name].append(measured(command, processors, folder))
    medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in times.items()}
    own = medians["referee"][1]
    print(f"{'':12} {'wall':>8} {'processor':>10} {'referee beside it':>18}")
    for name, (wall, processor) in medians.items():
        print(f"{name:12} {wall:6.3f} s {processor:8.3f} s {own / processor:18.3f}")


if __name__ == "__main__":
    main()
