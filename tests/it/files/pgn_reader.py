import re, sys, logging, chess.pgn
logging.basicConfig(level=logging.WARNING, format='warning: %(message)s', stream=sys.stdout)
notation, files = sys.argv[1], sys.argv[2:]
for name in files:
    text = re.sub(r'\{[^}]*\}', '', open(name).read())
    words = [word for line in text.split('\n') if not line.startswith('[') for word in line.split()]
    words = [word for word in words if not re.fullmatch(r'\d+\.+|1-0|0-1|1/2-1/2|\*', word)]
    with open(name) as file:
        while game := chess.pgn.read_game(file):
            for error in game.errors:
                print('error:', error)
            board = game.end().board()
            board = game.board()
            for move in game.mainline_moves():
                word = words.pop(0)
                if word != getattr(board, notation)(move):
                    print('error:', word, board.fen())
                board.push(move)
            print(game.headers['Result'], game.headers['Termination'], len(list(game.mainline_moves())), board.fen())
