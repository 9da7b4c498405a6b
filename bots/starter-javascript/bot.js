// A whole bot: it plays any legal action, in all three games. Begin with `choose`.

// YOUR BOT BEGINS HERE. Return one of `actions`; `game.board` says what stands where, and
// `below(n)` draws a number from 0 to n - 1, which the seed of the game decides.
function choose(game, actions, below) {
  return actions[below(actions.length)];
}

const STEPS = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const range = (low, high) => Array.from({ length: high - low }, (_, i) => low + i);
const grid = (low, width, height) => range(low, height).flatMap((y) => range(low, width).map((x) => [x, y]));
const isRed = (piece) => piece === piece.toUpperCase();

class Game { // one game, as far as this bot knows it
  constructor(name, seat, options) {
    Object.assign(this, { name, seat, options });
    this.ply = 0; // how many actions were played
    this.board = new Map(); // by square, such as "3,4" or "d2": whose piece, or in dark chess which
    this.red = false; // dark chess: whether we play red, known after the first action
    if (name === "dark-chess") grid(0, 4, 8).forEach(([x, y]) => this.board.set(this.square(x, y), "?"));
  }

  square(x, y) { // its name: column x and row y, both from 0
    return this.name === "watch-your-back" ? `${x},${y}` : String.fromCharCode(97 + x) + (y + 1);
  }

  did(seat, action, known) { // somebody acted, maybe we; `known` is what became public by it
    const [start, end] = action.split("-");
    if (action === "steal") { // the one stone changes sides, column and row change places
      const [stone] = this.board.keys();
      this.board = new Map([[this.square(stone.slice(1) - 1, stone.charCodeAt(0) - 97), seat]]);
    } else if (end) {
      this.board.set(end, this.board.get(start));
      this.board.delete(start);
    } else if (action !== "pass") {
      this.board.set(action, this.name === "dark-chess" ? known[0] : seat);
    }
    if (this.name !== "dark-chess") known.forEach((captured) => this.board.delete(captured));
    // The first piece turned up gives its colour to the first player.
    else if (this.ply === 0) this.red = isRed(known[0]) === (this.seat === "first");
    this.ply++;
  }

  actions() { // all that are legal
    if (this.name === "watch-your-back") return this.watchYourBack();
    return this.name === "cachex" ? this.cachex() : this.darkChess();
  }

  watchYourBack() {
    const low = (this.ply >= 152) + (this.ply >= 216); // the board shrinks twice
    const isEnd = (i) => i === low || i === 7 - low;
    const inside = grid(low, 8 - low, 8 - low).filter(([x, y]) => !(isEnd(x) && isEnd(y))); // no corners
    const free = inside.map(([x, y]) => this.square(x, y)).filter((square) => !this.board.has(square));
    const isOurs = (row) => (this.seat === "white" ? row < 6 : row >= 2); // to place pieces in
    if (this.ply < 24) return free.filter((square) => isOurs(square[2]));
    const moves = [];
    for (const [x, y] of inside) {
      for (const [dx, dy] of this.board.get(this.square(x, y)) === this.seat ? STEPS : []) {
        let end = this.square(x + dx, y + dy);
        if (this.board.has(end)) end = this.square(x + 2 * dx, y + 2 * dy); // jump over it
        if (free.includes(end)) moves.push(`${x},${y}-${end}`);
      }
    }
    return moves.length ? moves : ["pass"];
  }

  cachex() {
    const n = Number(this.options.size);
    const cells = grid(0, n, n).filter(([x, y]) => this.ply > 0 || x !== y || 2 * x !== n - 1); // no centre
    const free = cells.map(([x, y]) => this.square(x, y)).filter((square) => !this.board.has(square));
    return this.ply === 1 ? [...free, "steal"] : free;
  }

  darkChess() {
    const actions = [...this.board.keys()].filter((square) => this.board.get(square) === "?"); // turn it up
    for (const [x, y] of grid(0, 4, 8)) {
      const piece = this.board.get(this.square(x, y)) ?? "?";
      for (const [dx, dy] of piece !== "?" && isRed(piece) === this.red ? STEPS : []) {
        let line = range(1, 8).map((i) => this.square(x + i * dx, y + i * dy));
        line = line.filter((square) => /^[a-d][1-8]$/.test(square)); // those on the board
        // A Cannon captures behind exactly one piece, and never moves.
        if (piece === "C" || piece === "c") line = line.filter((square) => this.board.has(square)).slice(1);
        const [end] = line;
        if (end && this.mayEnter(piece, this.board.get(end))) actions.push(`${this.square(x, y)}-${end}`);
      }
    }
    return actions;
  }

  mayEnter(piece, other) { // dark chess: whether a piece may go where `other` stands, or nothing
    if (!other || other === "?") return !other || piece.toUpperCase() === "C";
    if (isRed(other) === this.red) return false;
    const pair = (piece + other).toUpperCase();
    if (pair === "KK") return this.options["general-takes-general"] === "yes";
    if (pair === "KP") return this.options["general-takes-soldier"] === "yes";
    if (pair.includes("C") || pair === "PK") return pair !== "PC";
    return "KGMRNP".indexOf(pair[0]) <= "KGMRNP".indexOf(pair[1]);
  }
}

let game, state; // `state` makes the numbers of `below`: the same ones for the same seed
function below(n) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
}
const tuned = {}; // values of parameters, as a tuning sets them: also in `game.options`
const answer = {
  referee: () => console.log("bot 1 starter-javascript tunes"),
  set: ([name, value]) => (tuned[name] = value),
  start: ([name, seat, ...fields]) => {
    const options = Object.fromEntries(fields.map((field) => field.split("=")));
    game = new Game(name, seat, { ...tuned, ...options });
    state = Number(BigInt(game.options.seed) % 2n ** 32n);
    console.log("ready");
  },
  did: ([seat, action, ...known]) => game.did(seat, action, known),
  act: () => console.log(choose(game, game.actions(), below)),
};
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.split(" ");
  answer[word]?.(rest);
});
