"use strict";

// Shows a recorded game on its board. It knows no rules: the page says which letters stand on the cells
// at the start, what each ply changed, and how each letter looks.
const viewer = (() => {
  // The game, and how many plies of it are on the board, of an address such as `#g42p17`.
  function parseAddress(address) {
    const match = /^#g(\d+)(?:p(\d+))?$/.exec(address);
    return match && { id: Number(match[1]), ply: match[2] === undefined ? null : Number(match[2]) };
  }

  function addressOf(id, ply) {
    return `#g${id}p${ply}`;
  }

  // The parts of a message, whose code stands between backticks: plain text and code by turns. A backtick without another
  // one, and two with nothing between them, are text.
  function parts(message) {
    const found = [""];
    const pieces = message.split("`");
    pieces.forEach((piece, at) => {
      const isCode = at % 2 === 1 && at < pieces.length - 1 && piece !== "";
      if (isCode) found.push(piece, "");
      else found[found.length - 1] += at % 2 === 1 ? `\`${piece}${at < pieces.length - 1 ? "`" : ""}` : piece;
    });
    return found;
  }

  // Shows a message as text, with elements for its code.
  function showMessage(element, message) {
    element.replaceChildren(...parts(message).map((part, at) => {
      if (at % 2 === 0) return part;
      const code = document.createElement("code");
      code.textContent = part;
      return code;
    }));
  }

  // The letters on the cells, after a number of plies that can go up and down.
  class Board {
    constructor(game) {
      this.game = game;
      this.letters = [...game.start];
      this.ply = 0;
    }

    // Goes to a ply, and returns the cells that may have changed on the way.
    go(ply) {
      const target = Math.max(0, Math.min(ply, this.game.plies.length));
      const changed = new Set();
      while (this.ply < target) {
        for (const [cell, , after] of this.game.plies[this.ply].changes) {
          this.letters[cell] = after;
          changed.add(cell);
        }
        this.ply += 1;
      }
      while (this.ply > target) {
        this.ply -= 1;
        for (const [cell, before] of this.game.plies[this.ply].changes) {
          this.letters[cell] = before;
          changed.add(cell);
        }
      }
      return changed;
    }

    // The cells of the last ply.
    last() {
      return this.ply === 0 ? [] : this.game.plies[this.ply - 1].changes.map(([cell]) => cell);
    }
  }

  // The actions of a ply: that of one seat, or those of both seats at once.
  function actions(ply) {
    return ply.beside === undefined ? [ply] : [ply, ply.beside];
  }

  // The points of both seats after some plies.
  function scoreAt(game, ply) {
    for (let at = ply; at > 0; at -= 1) {
      if (game.plies[at - 1].score !== undefined) return game.plies[at - 1].score;
    }
    return game.score;
  }

  // What a seat has left on its clock after some plies; null without a limit.
  function leftAt(game, ply, seat) {
    for (let at = ply; at > 0; at -= 1) {
      const own = actions(game.plies[at - 1]).find((action) => action.seat === seat);
      if (own?.left_us !== undefined) return own.left_us;
    }
    return game.left_us[seat];
  }

  function seconds(micros) {
    return `${(micros / 1e6).toFixed(3)} s`;
  }

  // Short times are told in milliseconds.
  function span(micros) {
    return micros < 1e6 ? `${(micros / 1e3).toFixed(1)} ms` : seconds(micros);
  }

  // One ply in words.
  function words(game, ply) {
    if (ply === 0) return "the start";
    const said = actions(game.plies[ply - 1]).map(({ seat, action, public: shown, wall_us: wall }) => {
      const time = wall === undefined ? "opening" : span(wall);
      return `${game.seats[seat]} ${action}${shown ? ` (${shown})` : ""} — ${time}`;
    });
    return `${ply}. ${said.join("; ")}`;
  }

  // How high the bar of each ply is, from 0 to 1. Short times stay visible beside long ones.
  function barHeights(game) {
    const times = game.plies.map((ply) => Math.max(...actions(ply).map((action) => action.wall_us ?? 0)));
    const longest = Math.max(1, ...times);
    return times.map((time) => Math.sqrt(time / longest));
  }

  // By how many points the first seat is ahead after each ply.
  function leads(game) {
    let score = game.score;
    return game.plies.map((ply) => {
      score = ply.score ?? score;
      return score[0] - score[1];
    });
  }

  // The milliseconds between two plies for each speed from 0 to 9.
  const DELAYS = [4000, 2000, 1500, 1000, 700, 500, 350, 200, 100, 40];

  const SVG = "http://www.w3.org/2000/svg";

  function svg(name, attributes, parent) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  }

  // The page with one game on it.
  class Viewer {
    constructor(boards) {
      this.boards = new Map(boards.map((board) => [board.key, board]));
      this.element = (name) => document.getElementById(name);
      this.speed = 4;
      this.timer = null;
      this.layout = false;
      this.listen();
    }

    show(game, ply) {
      this.game = game;
      this.board = new Board(game);
      const kind = this.boards.get(game.board);
      this.symbols = new Map(kind.symbols.map((symbol) => [symbol.letter, symbol]));
      for (const board of document.querySelectorAll("svg.board")) {
        board.toggleAttribute("hidden", board.dataset.board !== game.board);
      }
      const board = document.querySelector(`svg.board[data-board="${game.board}"]`);
      this.cells = [...board.querySelectorAll(".cell")];
      this.element("reveal").hidden = game.layout === undefined;
      this.element("slider").max = game.plies.length;
      this.element("heading").textContent =
        `game ${game.id}: ${game.game}${game.options ? ` (${game.options})` : ""}`;
      for (const seat of [0, 1]) {
        this.element(`seat-${seat}`).textContent = game.seats[seat];
        this.element(`player-${seat}`).textContent = game.players[seat];
      }
      showMessage(
        this.element("end"),
        `${game.end.result} after ${game.plies.length} plies (${game.end.termination}: ${game.end.why})`,
      );
      this.list();
      this.chart();
      this.cells.forEach((_, cell) => this.draw(cell));
      this.go(ply ?? game.plies.length);
    }

    draw(cell) {
      const element = this.cells[cell];
      const letter = this.board.letters[cell];
      let symbol = this.symbols.get(letter);
      const below = this.layout && letter === "?" ? this.symbols.get([...this.game.layout][cell]) : null;
      element.dataset.letter = letter;
      element.setAttribute("class", `cell ${below ? `${below.class} below` : symbol.class}`);
      const shown = below ?? symbol;
      element.querySelector(".glyph").textContent = shown.glyph;
      element.querySelector(".letter").textContent = shown.class.includes("piece") ? shown.letter : "";
    }

    go(ply) {
      const before = this.board.last();
      for (const cell of this.board.go(ply)) this.draw(cell);
      for (const cell of before) this.cells[cell].classList.remove("last");
      for (const cell of this.board.last()) this.cells[cell].classList.add("last");
      const { game, board } = this;
      const atEnd = board.ply === game.plies.length;
      for (const cell of game.decisive) this.cells[cell].classList.toggle("decisive", atEnd);
      this.element("slider").value = board.ply;
      this.element("words").textContent = words(game, board.ply);
      this.element("end").hidden = !atEnd;
      const score = scoreAt(game, board.ply);
      for (const seat of [0, 1]) {
        const left = leftAt(game, board.ply, seat);
        this.element(`clock-${seat}`).textContent = left === null ? "" : seconds(left);
        this.element(`score-${seat}`).textContent = score ? `${score[seat]} points` : "";
        const next = atEnd ? [] : actions(game.plies[board.ply]);
        this.element(`row-${seat}`).classList.toggle("to-act", next.some((action) => action.seat === seat));
        this.element(`row-${seat}`).classList.toggle("forfeited", atEnd && game.end.forfeited.includes(seat));
      }
      for (const element of document.querySelectorAll("[aria-current]")) element.removeAttribute("aria-current");
      const entry = this.element(`ply-${board.ply}`);
      if (entry) {
        entry.setAttribute("aria-current", "step");
        const list = this.element("plies");
        list.scrollTop = entry.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
      this.element("cursor").setAttribute("x", board.ply - 1);
      history.replaceState(null, "", addressOf(game.id, board.ply));
    }

    list() {
      const list = this.element("plies");
      list.replaceChildren();
      this.game.plies.forEach((_, index) => {
        const button = document.createElement("button");
        button.type = "button";
        button.id = `ply-${index + 1}`;
        button.textContent = words(this.game, index + 1);
        button.addEventListener("click", () => this.go(index + 1));
        const item = document.createElement("li");
        item.append(button);
        list.append(item);
      });
    }

    // A bar for the time of each ply, and a line for the difference of the scores.
    chart() {
      const chart = this.element("chart");
      chart.replaceChildren();
      const { plies } = this.game;
      chart.setAttribute("viewBox", `-1 0 ${plies.length + 1} 40`);
      svg("title", {}, chart).textContent = "time of each ply";
      svg("rect", { id: "cursor", x: -1, y: 0, width: 1, height: 40 }, chart);
      barHeights(this.game).forEach((height, index) => {
        const size = { x: index + 0.1, y: 40 - 38 * height, width: 0.8, height: 38 * height };
        svg("rect", { class: `bar seat-${plies[index].seat}`, ...size }, chart);
      });
      if (this.game.score !== undefined) {
        const ahead = leads(this.game);
        const most = Math.max(1, ...ahead.map(Math.abs));
        const points = ahead.map((value, index) => `${index + 0.5},${20 - (18 * value) / most}`);
        svg("polyline", { class: "ahead", points: points.join(" ") }, chart);
      }
    }

    playing() {
      return this.timer !== null;
    }

    stop() {
      clearInterval(this.timer);
      this.timer = null;
      this.element("play").textContent = "play";
    }

    play() {
      this.stop();
      if (this.board.ply === this.game.plies.length) this.go(0);
      this.element("play").textContent = "stop";
      this.timer = setInterval(() => {
        this.go(this.board.ply + 1);
        if (this.board.ply === this.game.plies.length) this.stop();
      }, DELAYS[this.speed]);
    }

    setSpeed(speed) {
      this.speed = speed;
      this.element("speed").value = speed;
      if (this.playing()) this.play();
    }

    act(action) {
      const { ply } = this.board;
      switch (action) {
        case "first": return this.go(0);
        case "back": return this.go(ply - 1);
        case "on": return this.go(ply + 1);
        case "last": return this.go(this.game.plies.length);
        case "play": return this.playing() ? this.stop() : this.play();
        case "flip": return document.body.classList.toggle("flipped");
        default: return undefined;
      }
    }

    listen() {
      const keys = {
        ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play", f: "flip",
      };
      document.addEventListener("keydown", (event) => {
        const isField = event.target.closest("input, select, summary, a");
        if (event.ctrlKey || event.altKey || event.metaKey || (isField && event.key !== "f")) return;
        if (/^[0-9]$/.test(event.key)) {
          this.setSpeed(Number(event.key));
        } else if (keys[event.key]) {
          // A space on a button presses it.
          if (event.key === " " && event.target.closest("button")) return;
          this.act(keys[event.key]);
          event.preventDefault();
        }
      });
      for (const button of document.querySelectorAll("button[data-act]")) {
        button.addEventListener("click", () => this.act(button.dataset.act));
      }
      this.element("slider").addEventListener("input", (event) => this.go(Number(event.target.value)));
      this.element("speed").addEventListener("input", (event) => this.setSpeed(Number(event.target.value)));
      this.element("layout").addEventListener("change", (event) => {
        this.layout = event.target.checked;
        this.cells.forEach((_, cell) => this.draw(cell));
        this.go(this.board.ply);
      });
      this.element("chart").addEventListener("click", (event) => {
        const { left, width } = event.currentTarget.getBoundingClientRect();
        this.go(Math.ceil(((event.clientX - left) / width) * (this.game.plies.length + 1)) - 1);
      });
    }
  }

  return { parseAddress, addressOf, parts, showMessage, Board, scoreAt, leftAt, leads, words, barHeights, Viewer };
})();
