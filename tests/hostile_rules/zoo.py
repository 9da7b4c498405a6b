#!/usr/bin/env python3
"""Hostile rules programs for tests: `zoo.py MEMBER NOTES` serves a small game and does what the member does.

Two seats take turns six times and play `a` or `b`; whoever played more `a` has won. With `at once` both act in each of
three turns. NOTES is a file that counts the processes of a run. Each member is limited to 300 processes, 200 MiB and a minute.

`zoo.py --list` prints the members, one a line, with tabs between: the name, the end of its run, the words that its
user must be told, and its limits in the configuration. The ends:

refused    the run ends before its first game
stops      three games in a row are set aside, no game counts
played     all games are played, and verified
again      all games are played, some of them twice, and verified
changed    all games are played, and `verify` says that the rules are not what they were
"""

import os
import signal
import sys
import time

SHORT = 'rules = "500ms"'
MEMBERS = {}


def member(end, words, limits="", at_once=False):
    def added(function):
        MEMBERS[function.__name__] = (end, words, limits, at_once, function)
        return function
    return added


# A member is called at each moment with the answer of an honest program, and returns what is written.
# The moments: `hello`, `new`, `legal`, `show`, `end` (the last ply), `quit`, and the number of a ply.

@member("played", "")
def is_honest(at, answer):
    return answer


@member("played", "", at_once=True)
def is_honest_at_once(at, answer):
    return answer


# Crashes.

@member("refused", "exited with code 3; its last words are: no licence")
def exits_at_once(at, answer):
    print("no licence", file=sys.stderr)
    sys.exit(3)


@member("stops", "IndexError: list index out of range")
def crashes_in_new(at, answer):
    return [answer][at == "new"]


@member("stops", "exited with code 1; its last words are: KeyError: 'four'")
def crashes_at_a_ply(at, answer):
    return {}["four"] if at == 4 else answer


@member("again", "ZeroDivisionError: division by zero")
def crashes_in_every_third_game(at, answer):
    if GAME % 3 == 0 and at == 4:
        raise ZeroDivisionError("division by zero")
    return answer


@member("stops", "exited with code 1; its last words are: AssertionError: nobody asked before")
def crashes_when_it_is_asked_for_actions(at, answer):
    assert at != "legal", "nobody asked before"
    return answer


@member("stops", "SIGKILL")
def kills_itself(at, answer):
    if at == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer


@member("stops", "SIGSEGV")
def ends_by_a_fault_of_memory(at, answer):
    if at == 2:
        os.kill(os.getpid(), signal.SIGSEGV)
    return answer


@member("stops", "RuntimeError: both at once", at_once=True)
def crashes_in_a_joint_action(at, answer):
    if at == 2:
        raise RuntimeError("both at once")
    return answer


# Hangs, and answers late.

def hang():
    print("thinking about it", file=sys.stderr, flush=True)
    time.sleep(40)


@member("refused", "no answer within 3000 ms; its last words are: thinking about it", 'rules-start = "3s"')
def hangs_in_its_hello(at, answer):
    return hang() if at == "hello" else answer


@member("stops", "no answer within 3000 ms; its last words are: thinking about it", 'rules-start = "3s"')
def hangs_in_new(at, answer):
    return hang() if at == "new" else answer


@member("stops", "no answer within 500 ms; its last words are: thinking about it", SHORT)
def hangs_at_a_ply(at, answer):
    return hang() if at == 4 else answer


@member("stops", "no answer within 500 ms; its last words are: thinking about it", SHORT, at_once=True)
def hangs_in_a_joint_action(at, answer):
    return hang() if at == 2 else answer


@member("stops", "no answer within 500 ms", SHORT)
def stops_itself(at, answer):
    if at == 2:
        os.kill(os.getpid(), signal.SIGSTOP)
    return answer


@member("stops", "no answer within 500 ms", SHORT)
def answers_late(at, answer):
    if at == 2:
        time.sleep(0.7)
    return answer


@member("stops", "no answer within 500 ms", SHORT)
def writes_a_byte_at_a_time(at, answer):
    while at == 2:
        write("#")
        time.sleep(0.02)
    return answer


@member("stops", "no answer within 500 ms", SHORT)
def computes_for_ever(at, answer):
    while at == 2:
        pass
    return answer


# Lies.

@member("stops", "lists `a` as legal and refuses it: never")
def refuses_what_it_listed(at, answer):
    return "illegal never\n" if isinstance(at, int) and ACTION == "a" else answer


@member("stops", "as legal and refuses it: no word of mine")
def does_not_understand_what_it_listed(at, answer):
    return "unparsable no word of mine\n" if at == 3 else answer


@member("stops", "as legal and refuses it: not the two of you", at_once=True)
def refuses_what_it_listed_for_both(at, answer):
    return "illegal 0,1 not the two of you\n" if at == 2 else answer


@member("stops", "`act 7`")
def names_a_seat_that_is_not_there(at, answer):
    return "act 7\nok\n" if at == 3 else answer


@member("stops", "`illegal 7 not you`", at_once=True)
def blames_a_seat_that_is_not_there(at, answer):
    return "illegal 7 not you\n" if at == 1 else answer


@member("stops", "`end 1 draw`")
def ends_with_points_for_one_seat(at, answer):
    return "end 1 draw\nok\n" if at == 3 else answer


@member("stops", "`end 1 0 draw`")
def acts_and_ends(at, answer):
    return "act 0\nend 1 0 draw\nok\n" if at == 4 else answer


@member("stops", "`see * too late`")
def tells_news_after_whose_turn_it_is(at, answer):
    return "act 0\nsee * too late\nok\n" if at == 4 else answer


@member("stops", "`Traceback of a debugger`")
def writes_an_unknown_line(at, answer):
    return "Traceback of a debugger\n" + answer if at == 4 else answer


@member("stops", "the rules program answered ``")
def writes_an_empty_line(at, answer):
    return "\n" + answer if at == 4 else answer


@member("stops", "not UTF-8")
def writes_what_is_no_text(at, answer):
    return b"\xff\xfe\n" if at == 4 else answer


@member("stops", "the rules program answered `act ")
def answers_twice(at, answer):
    return answer * 2 if at == 3 else answer


@member("stops", "`can 1 a`")
def lists_actions_of_another_seat(at, answer):
    return "can 1 a\nok\n" if at == "legal" and SEAT == 0 else answer


@member("stops", "`end 1 nan draw`")
def ends_with_points_that_are_no_number(at, answer):
    return "end 1 nan draw\nok\n" if at == "end" else answer


@member("stops", "name seat 0 to act in ply 1, and list no legal action")
def lists_nothing(at, answer):
    return f"can {SEAT}\nok\n" if at == "legal" else answer


# Floods.

@member("stops", "more than 1048576 bytes in one answer")
def answers_without_end(at, answer):
    while at == 3:
        write("see * so much to say\n" * 1000)
    return answer


@member("stops", "a line of more than 65536 bytes")
def writes_a_line_without_end(at, answer):
    while at == 3:
        write("see * so much" * 1000)
    return answer


@member("stops", "more than 1048576 bytes in one answer")
def writes_comments_without_end(at, answer):
    while at == 3:
        write("# let me see\n" * 1000)
    return answer


@member("played", "")
def floods_its_stderr(at, answer):
    os.write(2, b"a complaint\n" * 20_000)
    return answer


# The last line of a flood is cut anywhere.
@member("stops", "no answer within 500 ms; its last words are: a", SHORT)
def floods_its_stderr_without_end(at, answer):
    while at == 3:
        os.write(2, b"a complaint\n" * 1000)
    return answer


# Forks, and fills the memory.

def child(then):
    if os.fork() == 0:
        signal.alarm(60)
        then()
        os._exit(0)


def stay():
    os.setsid()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(40)


@member("played", "")
def leaves_children_in_sessions_of_their_own(at, answer):
    if isinstance(at, int):
        child(stay)
    return answer


@member("stops", "processes at one time; it may have 256")
def forks_without_end(at, answer):
    if at == 3:
        for _ in range(300):
            child(lambda: time.sleep(40))
        time.sleep(40)
    return answer


@member("stops", "exited with code 0")
def exits_and_leaves_a_child_that_holds_the_pipes(at, answer):
    if at == 3:
        child(stay)
        os._exit(0)
    return answer


@member("stops", "of memory; the limit is 64.0 MiB (rules-memory)", 'rules-memory = "64MiB"')
def fills_memory(at, answer):
    if at == 3:
        held = b"x" * (120 << 20)
        time.sleep(40)
    return answer


@member("again", "of memory; the limit is 64.0 MiB", 'rules-memory = "64MiB"')
def leaks_memory_game_by_game(at, answer):
    if at == 3:
        LEAKED.append(b"x" * (16 << 20))
        time.sleep(0.3)
    return answer


# Changes between its processes.

@member("changed", "as it said before")
def says_another_hello_in_its_second_process(at, answer):
    return answer.replace("seats one two", "seats left right") if at == "hello" and PROCESS > 1 else answer


@member("stops", "as it said before")
def says_another_hello_after_it_crashed(at, answer):
    if at == 4:
        sys.exit(4)
    return answer.replace("toy 1", f"toy {PROCESS}") if at == "hello" else answer


@member("changed", "ply 3")
def answers_otherwise_in_its_second_process(at, answer):
    return "see * it changed\n" + answer if at == 3 and PROCESS > 1 else answer


@member("changed", "it is late: the records or the rules changed", at_once=True)
def refuses_in_its_second_process(at, answer):
    return "illegal 0 it is late\n" if at == 2 and PROCESS > 1 else answer


@member("changed", "no answer within 1000 ms", 'rules = "1s"')
def hangs_in_its_second_process(at, answer):
    return hang() if at == 3 and PROCESS > 1 else answer


@member("changed", "ply 5")
def counts_its_games(at, answer):
    return f"see * game {PROCESS * 1000 + GAME}\n" + answer if at == 5 else answer


# Ends in its own way.

@member("played", "")
def ignores_quit(at, answer):
    if at == "quit":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(40)
    return answer


@member("stops", "closed its standard output")
def closes_its_stdout(at, answer):
    if at == 3:
        os.close(1)
        time.sleep(40)
    return answer


@member("stops", "no answer within 500 ms", SHORT)
def closes_its_stdin_and_goes_on(at, answer):
    if at == 3:
        write(answer)
        os.close(0)
        time.sleep(40)
    return answer


@member("played", "")
def exits_after_the_end(at, answer):
    if at == "end":
        write(answer)
        os._exit(0)
    return answer


# The game.

GAME = PROCESS = SEAT = 0
ACTION = ""
LEAKED = []


def write(text):
    data = text if isinstance(text, bytes) else text.encode()
    while data:
        data = data[os.write(1, data):]


def serve(act, at_once):
    """Answers requests; `act(moment, honest answer)` changes the answers."""
    global GAME, SEAT, ACTION
    plies = counts = first = None
    turns = 3 if at_once else 6

    def turn():
        if plies == turns:
            winner = (counts[0] > counts[1]) - (counts[0] < counts[1])
            return f"end {winner} {-winner} counted\nok\n"
        return ("act 0 1" if at_once else f"act {plies % 2}") + "\nok\n"

    for line in sys.stdin:
        words = line.split()
        if words[0] == "rules":
            write(act("hello", "game toy 1\nseats one two\nhas legal\nok\n"))
        elif words[0] == "new":
            GAME, plies, counts = GAME + 1, 0, [0, 0]
            write(act("new", turn()))
        elif words[0] == "legal":
            SEAT = int(words[1])
            is_acting = at_once or plies % 2 == SEAT
            write(act("legal", f"can {SEAT} a b\nok\n" if is_acting and plies < turns else f"can {SEAT}\nok\n"))
        elif words[0] == "with":
            first = words[2]
        elif words[0] == "play":
            ACTION = words[2]
            before = plies, list(counts)
            for seat, action in [(0, first)] * at_once + [(int(words[1]), ACTION)]:
                counts[seat] += action == "a"
            plies += 1
            answer = act("end" if plies == turns else plies, turn())
            if isinstance(answer, str) and answer.startswith(("illegal", "unparsable")):
                plies, counts = before
            write(answer)
        elif words[0] == "show":
            write(act("show", f"text {counts[0]} to {counts[1]}\nok\n"))
        elif words[0] == "quit":
            act("quit", "")
            return


def main():
    global PROCESS
    if sys.argv[1] == "--list":
        for name, (end, words, limits, _, _) in MEMBERS.items():
            print(name, end, words, limits, sep="\t")
        return
    # Nothing of the zoo outlives its test, even if the harness lets it.
    signal.alarm(60)
    with open(sys.argv[2], "a") as notes:
        notes.write(".")
        notes.flush()
        PROCESS = notes.tell()
    _, _, _, at_once, act = MEMBERS[sys.argv[1]]
    serve(act, at_once)


if __name__ == "__main__":
    main()
