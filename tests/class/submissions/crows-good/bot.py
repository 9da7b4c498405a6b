"""Takes the cell that shortens its own way across the board, and lengthens the opponent's, the most."""
import sys

STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]


def way(board, n, side):
    """How many free cells `side` still needs: red from row to row, blue from column to column."""
    need = {cell: board.get(cell, "") != side for cell in board}
    axis, ways, queue = int(side == "red"), {}, [[] for _ in range(n * n + 1)]
    for cell in need:
        if cell[axis] == 0 and board[cell] in ("", side):
            queue[need[cell]].append(cell)
    for length, cells in enumerate(queue):
        for q, r in cells:  # grows while it is read
            if (q, r) in ways:
                continue
            if (q, r)[axis] == n - 1:
                return length
            ways[q, r] = length
            for near in ((q + x, r + y) for x, y in STEPS):
                if near in board and board[near] in ("", side):
                    queue[length + need[near]].append(near)
    return n * n


def choose(board, n, side):
    other, scores = "blue" if side == "red" else "red", {}
    free = [cell for cell in board if board[cell] == ""]
    for cell in free if len(free) < n * n else set(free) - {(n // 2, n // 2)}:
        after = {**board, cell: side}
        scores[cell] = way(after, n, side) - way(after, n, other), abs(cell[0] - cell[1]), cell
    return min(scores, key=scores.get)


for line in sys.stdin:
    word, *rest = line.split()
    if word == "referee":
        print("bot 1 crows", flush=True)
    elif word == "start":
        side, options = rest[1], dict(token.split("=") for token in rest[2:])
        n = int(options["size"])
        board = {(q, r): "" for q in range(n) for r in range(n)}
        print("ready", flush=True)
    elif word == "did":
        if rest[1] == "steal":  # the one stone changes sides, column and row change places
            stone = next(cell for cell in board if board[cell])
            board[stone], board[stone[::-1]] = "", rest[0]
        else:
            cells = [(ord(cell[0]) - 97, int(cell[1:]) - 1) for cell in rest[1:]]
            board.update({cell: "" for cell in cells[1:]})  # captured
            board[cells[0]] = rest[0]
    elif word == "act":
        q, r = choose(board, n, side)
        print(chr(97 + q) + str(r + 1), flush=True)
