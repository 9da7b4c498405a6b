// Shows a recorded game on its board. It knows no rules: the page says which letters stand on the cells
// at the start, what each ply changed, and how each letter looks.
const viewer = (() => {
  const { actions, span } = charts;

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

  // A view of a game after some plies: the key of its board, the letters on the cells, marks, text, and the cells that
  // the last ply changed.
  function positionAt(view, ply) {
    const whole = ({ board = null, letters = "", marks = [], text = [] }) =>
      ({ board, letters: [...letters], marks, text, changed: [] });
    let now = whole(view.start);
    for (const step of view.steps.slice(0, ply)) {
      if (step.position !== undefined) {
        now = whole(step.position);
        continue;
      }
      const { cells = [], marks = now.marks, text = now.text } = step;
      for (const [cell, letter] of cells) now.letters[cell] = letter;
      now = { ...now, marks, text, changed: cells.map(([cell]) => cell) };
    }
    return now;
  }

  // The cells of a position on which some other view of it has another letter.
  function concealed(position, others) {
    const isHidden = (letter, cell) => others.some(({ letters }) => letters[cell] !== letter);
    return position.letters.flatMap((letter, cell) => (isHidden(letter, cell) ? [cell] : []));
  }

  // The points of the seats after some plies.
  function rulesPointsAt(game, ply) {
    for (let at = ply; at > 0; at -= 1) {
      if (game.plies[at - 1].rules_points !== undefined) return game.plies[at - 1].rules_points;
    }
    return game.rules_points;
  }

  // What a seat has left on its clock after some plies; null without a limit.
  function leftAt(game, ply, seat) {
    for (let at = ply; at > 0; at -= 1) {
      const own = actions(game.plies[at - 1]).find((action) => action.seat === seat);
      if (own?.left_us !== undefined) return own.left_us;
    }
    return game.left_us[seat];
  }

  // The place of a seat at the end, in words; none in a game of two.
  function placeOf({ end }, seat) {
    if (end.places === undefined) return "";
    const place = end.places[seat];
    return `${["1st", "2nd", "3rd"][place - 1] ?? `${place}th`}${end.forfeited.includes(seat) ? ", forfeited" : ""}`;
  }

  function seconds(micros) {
    return `${(micros / 1e6).toFixed(3)} s`;
  }

  // One ply in words.
  function words(game, ply) {
    if (ply === 0) return "the start";
    const said = actions(game.plies[ply - 1]).map((action) => {
      const { public: shown, wall_us: wall, score_and_depth: score } = action;
      if (action.action === "") return `${game.seats[action.seat]} has left${wall === undefined ? "" : ` — ${span(wall)}`}`;
      const time = wall === undefined ? "opening" : span(wall);
      const thought = score === undefined ? "" : `, ${score}`;
      return `${game.seats[action.seat]} ${action.action}${shown ? ` (${shown})` : ""} — ${time}${thought}`;
    });
    return `${ply}. ${said.join("; ")}`;
  }

  // All values that were reported with a ply, in words.
  function reports(game, ply) {
    const said = ply === 0 ? [] : actions(game.plies[ply - 1]).filter(({ reported }) => reported !== undefined);
    return said.map(({ seat, reported }) =>
      `${game.seats[seat]} reported ${reported.map(([name, number]) => `${name} ${number}`).join(", ")}`).join("; ");
  }

  // What the bots wrote besides their answers: for each, whose words they are, and the words.
  function wrote(game, ply) {
    const said = ply === 0 ? [] : actions(game.plies[ply - 1]).filter((action) => action.wrote !== undefined);
    const found = said.map((action) => [`${game.seats[action.seat]} wrote before this action:`, action.wrote]);
    if (ply < game.plies.length) return found;
    const last = game.end.wrote.map((words, seat) => [`${game.seats[seat]} wrote after its last action:`, words]);
    return [...found, ...last.filter(([, words]) => words !== "")];
  }

  // The end of a game in words.
  function ending({ end, plies, seats }) {
    const failed = end.forfeited.filter((seat) => end.failed_us[seat] > 0);
    const times = failed.map((seat) => `${seats[seat]}'s failed action took ${span(end.failed_us[seat])}`);
    const why = [`${end.termination}: ${end.why}`, ...times].join("; ");
    return `${end.result} after ${plies.length} plies (${why})`;
  }

  // A game in a few words: who played, and who won.
  function headline({ id, players, seats, end }) {
    const seated = players.map((player, seat) => `${player} (${seats[seat]})`);
    return `game ${id}: ${seated.join(" – ")}: ${end.result}`;
  }

  // The actions that failed at the end of a game, in words. Seats that left before have their entries.
  function failures({ end, plies, seats }) {
    const hasLeft = (seat) => plies.flatMap(actions).some((action) => action.seat === seat && action.action === "");
    return end.forfeited.filter((seat) => !hasLeft(seat)).map((seat) => {
      const time = end.failed_us[seat] > 0 ? ` — ${span(end.failed_us[seat])}` : "";
      return `${plies.length + 1}. ${seats[seat]} failed: ${end.termination}${time}`;
    });
  }

  // The milliseconds between two plies for each speed from 0 to 9.
  const DELAYS = [4000, 2000, 1500, 1000, 700, 500, 350, 200, 100, 40];

  // The page with one game on it.
  class Viewer {
    constructor() {
      this.element = (name) => document.getElementById(name);
      this.speed = 4;
      this.timer = null;
      this.view = 0;
      this.ply = 0;
      this.listen();
    }

    // Shows a game, whose boards and pieces are in the tables.
    show(game, ply, tables) {
      this.game = game;
      this.boards = tables.boards;
      this.pieces = tables.pieces[game.pieces];
      this.board = undefined;
      const select = this.element("view");
      select.replaceChildren(...game.views.map(({ name }, view) => new Option(name, view)));
      this.view = Math.min(this.view, game.views.length - 1);
      select.value = this.view;
      this.element("views").hidden = game.views.length === 1;
      this.element("slider").max = game.plies.length;
      this.element("heading").textContent = headline(game);
      document.title = headline(game);
      this.element("terms").textContent = `${game.game}${game.options ? `: ${game.options}` : ""}`;
      charts.coloursOf(game.seats).forEach((colour, seat) => {
        this.element("stage").style.setProperty(`--seat-${seat}`, `var(--seat-${colour})`);
      });
      this.element("places").hidden = game.end.places === undefined;
      this.element("seats").replaceChildren(...game.seats.map((_, seat) => this.row(seat)));
      showMessage(this.element("end"), ending(game));
      this.list();
      this.element("reports").hidden = !game.plies.flatMap(actions).some(({ reported }) => reported !== undefined);
      charts.show(game, this.element("charts"), this.element("more-charts"));
      this.go(ply ?? game.plies.length);
    }

    // The row of a seat in the table of players.
    row(seat) {
      const { seats, players, plan, end } = this.game;
      const row = document.createElement("tr");
      Object.assign(row, { id: `row-${seat}`, className: `seat-${seat}` });
      const cell = (name, kind = "td") => Object.assign(document.createElement(kind), { id: `${name}-${seat}` });
      const head = Object.assign(cell("seat", "th"), { scope: "row", textContent: seats[seat] });
      const player = cell("player");
      player.append(plan === undefined ? players[seat] : Object.assign(document.createElement("a"), {
        href: `player-${plan[seat]}.html`, textContent: players[seat],
      }));
      row.append(head, player, cell("clock"), cell("points"), ...(end.places === undefined ? [] : [cell("place")]));
      return row;
    }

    // Draws the position after the current ply.
    draw() {
      const { views } = this.game;
      const position = positionAt(views[this.view], this.ply);
      if (position.board !== this.board) {
        this.board = position.board;
        this.element("board").toggleAttribute("hidden", this.board === null);
        this.cells = this.board === null ? [] : boards.draw(this.boards[this.board], this.element("board"));
        this.drawn = [];
      }
      const isWhole = views.length > 1 && this.view === views.length - 1;
      const others = isWhole ? views.slice(0, -1).map((view) => positionAt(view, this.ply)) : [];
      const flags = { changed: position.changed, marked: position.marks, concealed: concealed(position, others) };
      const sets = Object.entries(flags).map(([flag, cells]) => [flag, new Set(cells)]);
      this.cells.forEach((element, cell) => {
        const letter = position.letters[cell];
        const own = sets.filter(([, cells]) => cells.has(cell)).map(([flag]) => flag);
        const look = [letter, ...own].join(" ");
        if (this.drawn[cell] === look) return;
        this.drawn[cell] = look;
        boards.put(element, boards.pieceOf(this.pieces, letter), own);
      });
      this.element("text").textContent = position.text.join("\n");
      this.element("text").hidden = position.text.length === 0;
    }

    go(to) {
      const { game } = this;
      const ply = Math.max(0, Math.min(to, game.plies.length));
      this.ply = ply;
      this.draw();
      const atEnd = ply === game.plies.length;
      this.element("slider").value = ply;
      this.element("words").textContent = words(game, ply);
      this.element("reports").textContent = reports(game, ply);
      this.element("wrote").replaceChildren(...wrote(game, ply).flatMap(([whose, words]) => {
        const [title, text] = ["p", "pre"].map((name) => document.createElement(name));
        Object.assign(title, { className: "quiet", textContent: whose });
        Object.assign(text, { tabIndex: 0, textContent: words });
        return [title, text];
      }));
      this.element("here").setAttribute("href", addressOf(game.id, ply));
      this.element("end").hidden = !atEnd;
      const points = rulesPointsAt(game, ply);
      game.seats.forEach((_, seat) => {
        const left = leftAt(game, ply, seat);
        this.element(`clock-${seat}`).textContent = left === null ? "" : seconds(left);
        this.element(`points-${seat}`).textContent = points ? `${points[seat]} points` : "";
        const next = atEnd ? [] : actions(game.plies[ply]);
        this.element(`row-${seat}`).classList.toggle("to-act", next.some((action) => action.seat === seat));
        this.element(`row-${seat}`).classList.toggle("forfeited", atEnd && game.end.forfeited.includes(seat));
        if (game.end.places !== undefined) this.element(`place-${seat}`).textContent = atEnd ? placeOf(game, seat) : "";
      });
      for (const element of document.querySelectorAll("#plies [aria-current]")) element.removeAttribute("aria-current");
      const entry = this.element(`ply-${ply}`);
      if (entry) {
        entry.setAttribute("aria-current", "step");
        const list = this.element("plies");
        list.scrollTop = entry.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
      charts.mark(ply);
      history.replaceState(null, "", addressOf(game.id, ply));
    }

    list() {
      const list = this.element("plies");
      list.replaceChildren();
      const add = (id, text, ply) => {
        const button = Object.assign(document.createElement("button"), { type: "button", id, textContent: text });
        button.addEventListener("click", () => this.go(ply));
        const item = document.createElement("li");
        item.append(button);
        list.append(item);
      };
      const { length } = this.game.plies;
      this.game.plies.forEach((_, index) => add(`ply-${index + 1}`, words(this.game, index + 1), index + 1));
      failures(this.game).forEach((text, at) => add(`failure-${at}`, text, length));
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
      if (this.ply === this.game.plies.length) this.go(0);
      this.element("play").textContent = "stop";
      this.timer = setInterval(() => {
        this.go(this.ply + 1);
        if (this.ply === this.game.plies.length) this.stop();
      }, DELAYS[this.speed]);
    }

    setSpeed(speed) {
      this.speed = speed;
      this.element("speed").value = speed;
      if (this.playing()) this.play();
    }

    // Shows the game as others see it.
    see(view) {
      this.view = view;
      this.element("view").value = view;
      this.draw();
    }

    act(action) {
      const { ply } = this;
      switch (action) {
        case "first": return this.go(0);
        case "back": return this.go(ply - 1);
        case "on": return this.go(ply + 1);
        case "last": return this.go(this.game.plies.length);
        case "play": return this.playing() ? this.stop() : this.play();
        case "view": return this.see((this.view + 1) % this.game.views.length);
        case "flip": return document.body.classList.toggle("flipped");
        default: return undefined;
      }
    }

    listen() {
      const keys = {
        ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play", f: "flip", v: "view",
      };
      document.addEventListener("keydown", (event) => {
        const isField = event.target.closest("input, select, summary, a");
        if (event.ctrlKey || event.altKey || event.metaKey || (isField && !"fv".includes(event.key))) return;
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
      this.element("view").addEventListener("change", (event) => this.see(Number(event.target.value)));
      document.addEventListener("click", (event) => {
        const graph = event.target.closest(".graph");
        if (graph === null) return;
        const { left, width } = graph.getBoundingClientRect();
        this.go(Math.ceil(((event.clientX - left) / width) * charts.places(this.game)) - 1);
      });
    }
  }

  return {
    parseAddress, addressOf, parts, showMessage, positionAt, concealed, rulesPointsAt, placeOf, leftAt, words, reports, wrote, ending,
    headline, failures, Viewer,
  };
})();
