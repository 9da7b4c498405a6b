// Graphs of a game, ply by ply: times, points, and the values that bots reported.
const charts = (() => {
  // How many names of values have a graph, and how many more are named.
  const MOST_GRAPHS = 6;
  const MOST_NAMES = 10;

  // The part of the height from the middle to the edge for scores. Only a mate is at the edge.
  const SCORES = 0.9;

  // Colours that are easily told apart, in the order of the seats. Seats that are named after a colour have it.
  const COLOURS = ["orange", "blue", "green", "purple", "pink", "teal", "brown", "grey"];

  function coloursOf(seats) {
    const named = seats.map((seat) => (seat === "yellow" ? "orange" : seat));
    const own = named.map((name, at) =>
      ([...COLOURS, "red"].includes(name) && named.indexOf(name) === at ? name : undefined));
    const free = COLOURS.filter((colour) => !own.includes(colour));
    return own.map((colour) => colour ?? free.shift());
  }

  function seatsOf(game) {
    return game.seats.map((_, seat) => seat);
  }

  // The actions of a ply: one, or several where seats act at once.
  function actions(ply) {
    return [ply, ...(ply.beside ?? [])];
  }

  // What a bot reported with an action under a name.
  function reported(action, name) {
    return action.reported?.find(([known]) => known === name)?.[1];
  }

  // Nodes per second, from the time in milliseconds.
  function speed(action) {
    const [nodes, time] = ["nodes", "time"].map((name) => reported(action, name));
    return nodes !== undefined && time > 0 ? (1000 * nodes) / time : undefined;
  }

  // Actions with a number, which `read` gives. Each has its seat and its place along the axis of plies.
  function points(game, read) {
    return game.plies.flatMap((ply, index) => {
      const all = actions(ply);
      const width = 0.8 / all.length;
      return all.flatMap((action, at) => {
        const number = read(action);
        return number === undefined ? [] : [{ seat: action.seat, x: index + 0.1 + at * width, width, number }];
      });
    });
  }

  function most(numbers) {
    return numbers.reduce((one, other) => Math.max(one, other), 0);
  }

  // A bar for each action with a number, and for `others`, from 0 to 1 high. A square root keeps small numbers visible beside
  // large ones.
  function bars(game, read, others = []) {
    const found = [...points(game, read), ...others];
    const largest = most(found.map(({ number }) => number));
    const height = (number) => Math.sqrt(Math.max(0, number) / (largest || 1));
    return { largest, bars: found.map(({ number, ...bar }) => ({ ...bar, height: height(number) })) };
  }

  // The times of the actions that failed, with places after the last ply.
  function failures({ plies, end }) {
    const seats = [...end.failed_us.keys()].filter((seat) => end.failed_us[seat] > 0);
    const width = 0.8 / seats.length;
    return seats.map((seat, at) => ({ seat, x: plies.length + 0.1 + at * width, width, number: end.failed_us[seat], failed: true }));
  }

  // The places of a graph: the start, each ply, and a failed action.
  function places(game) {
    return game.plies.length + (failures(game).length > 0 ? 2 : 1);
  }

  // Numbers of a seat in plies that follow each other on its side: an action without a number ends a run.
  function runs(game, seat, read) {
    const found = [[]];
    game.plies.forEach((ply, index) => {
      const own = actions(ply).find((action) => action.seat === seat);
      if (own === undefined) return;
      const number = read(own);
      if (number === undefined) found.push([]);
      else found.at(-1).push([index + 1, number]);
    });
    return found.filter((run) => run.length > 0);
  }

  // Expected points by a score in hundredths of a pawn, from -1 to 1, as lichess.org has them for its graphs.
  function chances(score) {
    return 2 / (1 + Math.exp(-0.00368208 * score)) - 1;
  }

  // The largest score of each seat in either direction.
  function largestScores(game) {
    return seatsOf(game).map((seat) => {
      const own = points(game, (action) => reported(action, "score")).filter((point) => point.seat === seat);
      return most(own.map(({ number }) => Math.abs(number)));
    });
  }

  // The height from -1 to 1 of the score of an action: of two seats as the first one sees it, of more as the bot sees itself.
  function scoreHeights(game) {
    const largest = largestScores(game);
    const ownUnit = (score, seat) => Math.sign(score) * Math.sqrt(Math.abs(score) / (largest[seat] || 1));
    return (action) => {
      const side = game.seats.length === 2 && action.seat === 1 ? -1 : 1;
      const [mate, score] = ["mate", "score"].map((name) => reported(action, name));
      if (mate !== undefined) return mate > 0 ? side : -side;
      if (score === undefined) return undefined;
      return side * SCORES * (game.pawns ? chances(score) : ownUnit(score, action.seat));
    };
  }

  // The points of a seat at the start and after each ply, as heights from 0 to 1 of the range of all seats.
  function pointHeights(game, seat) {
    const scores = [game.score];
    for (const ply of game.plies) scores.push(ply.score ?? scores.at(-1));
    const all = scores.flat();
    const least = -most(all.map((score) => -score));
    return scores.map((score) => (score[seat] - least) / Math.max(1, most(all) - least));
  }

  // The names of values that have no graph of their kind, those reported most often first.
  function otherNames(game) {
    const counts = new Map();
    for (const action of game.plies.flatMap(actions)) {
      for (const [name] of action.reported ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const own = ["score", "mate", "depth"];
    if (points(game, speed).length > 0) own.push("nodes", "time");
    for (const name of own) counts.delete(name);
    return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
  }

  // A number in few letters, such as 1.23M.
  function brief(number) {
    return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(number);
  }

  // Short times are told in milliseconds.
  function span(micros) {
    return micros < 1e6 ? `${(micros / 1e3).toFixed(1)} ms` : `${(micros / 1e6).toFixed(3)} s`;
  }

  function element(name, properties, parent) {
    const made = Object.assign(document.createElement(name), properties);
    parent.append(made);
    return made;
  }

  function path(run, y) {
    const steps = run.map(([ply, height], at) => `${at === 0 ? "M" : "L"}${ply - 0.5} ${y(height)}`);
    // A step of no length is a dot.
    return steps.join("") + (run.length === 1 ? "h0" : "");
  }

  // One graph of a game: `ticks` with heights from 0 to 1 and labels, then bars, then lines of [seat, [[ply, height]]].
  function draw(game, { kind, name, words, size, ticks, bars: columns = [], lines = [] }, parent) {
    const figure = element("figure", { className: "chart by-ply" }, parent);
    Object.assign(figure.dataset, { kind, name });
    element("figcaption", { textContent: words }, figure);
    const plot = element("div", { className: "plot" }, figure);
    const y = (height) => Number((size - 2 - height * (size - 10)).toFixed(2));
    const scale = boards.svg("svg", { class: "scale", height: size, "aria-hidden": "true" }, plot);
    const graph = boards.svg("svg", {
      class: "graph", height: size, role: "img", "aria-label": name, preserveAspectRatio: "none",
      viewBox: `-1 0 ${places(game)} ${size}`,
    }, plot);
    boards.svg("rect", { class: "cursor", x: -1, y: 0, width: 1, height: size }, graph);
    for (const [height, label, look = "grid"] of ticks) {
      boards.svg("path", { class: look, d: `M-1 ${y(height)}H${places(game) - 1}` }, graph);
      boards.svg("text", { class: "tick end", x: 56, y: y(height) }, scale).textContent = label;
    }
    for (const { seat, x, width, height, failed } of columns) {
      const look = failed ? "failed bar" : "bar";
      boards.svg("rect", { class: `${look} seat-${seat}`, x, y: y(height), width, height: y(0) - y(height) }, graph);
    }
    for (const [seat, run] of lines) {
      const look = run.length === 1 ? "line dot" : "line";
      boards.svg("path", { class: `${look} seat-${seat}`, d: path(run, y) }, graph);
    }
  }

  function linesOf(game, read) {
    return seatsOf(game).flatMap((seat) => runs(game, seat, read).map((run) => [seat, run]));
  }

  function drawScores(game, parent) {
    const height = scoreHeights(game);
    const part = (action) => {
      const found = height(action);
      return found === undefined ? undefined : (1 + found) / 2;
    };
    const lines = linesOf(game, part);
    if (lines.length === 0) return;
    const pawns = [300, 100, -100, -300].map((score) =>
      [(1 + SCORES * chances(score)) / 2, score > 0 ? `+${score / 100}` : `−${-score / 100}`]);
    const [first] = game.seats;
    const [name, side] = game.seats.length === 2
      ? [`scores of both bots as ${first} sees them`, `above the middle ${first} is better`]
      : ["scores of all bots, each for itself", "above the middle a bot expects more than its share"];
    const largest = largestScores(game).flatMap((score, seat) => (score > 0 ? `${brief(score)} for ${game.seats[seat]}` : []));
    const unit = game.pawns
      ? "In pawns, and large scores lie closer together."
      : `Each bot has a unit of its own (square root)${largest.length > 0 ? `; near the edge is ${largest.join(", ")}` : ""}.`;
    draw(game, {
      kind: "score",
      name,
      words: `${name}: ${side}. ${unit} M is a mate.`,
      size: 150,
      ticks: [[1, "+M"], ...(game.pawns ? pawns : []), [0.5, game.pawns ? "" : "0", "base"], [0, "−M"]],
      lines,
    }, parent);
  }

  // The failed actions among the times, in words.
  function failuresInWords(game) {
    const told = failures(game).map(({ seat, number }) => `${game.seats[seat]}'s failed action, ${span(number)}`);
    if (told.length === 0) return "";
    return `; dashed: ${told.join(", and ")}`;
  }

  // The time of each ply and of failed actions, and a line for the points of each seat.
  function drawTimes(game, parent) {
    const { largest, bars: columns } = bars(game, (action) => action.wall_us, failures(game));
    const failed = failuresInWords(game);
    const all = game.seats.length === 2 ? "both" : "all";
    const lines = game.score === undefined ? [] : seatsOf(game).map((seat) =>
      [seat, pointHeights(game, seat).map((height, ply) => [ply, height])]);
    draw(game, {
      kind: "time",
      name: `time of each ply${failed}`,
      words: `time of each ply (square root)${lines.length > 0 ? `, and the points of ${all} seats as lines` : ""}${failed}`,
      size: 90,
      ticks: columns.length > 0 ? [[1, span(largest)]] : [],
      bars: columns,
      lines,
    }, parent);
  }

  function drawBars(game, { kind, words, read, unit }, parent) {
    const { largest, bars: columns } = bars(game, read);
    if (columns.length === 0) return;
    draw(game, { kind, name: words, words, size: 60, ticks: [[1, `${brief(largest)}${unit}`]], bars: columns }, parent);
  }

  // The values of a name, on a scale that includes 0.
  function drawOther(game, name, parent) {
    const read = (action) => reported(action, name);
    const numbers = points(game, read).map(({ number }) => number);
    const [high, low] = [most(numbers), -most(numbers.map((number) => -number))];
    const part = (number) => (number - low) / (high - low || 1);
    const heights = (action) => {
      const number = read(action);
      return number === undefined ? undefined : part(number);
    };
    const ticks = [[part(0), high > 0 && low < 0 ? "" : "0", "base"]];
    if (high > 0) ticks.push([1, brief(high)]);
    if (low < 0) ticks.push([0, brief(low)]);
    draw(game, { kind: "other", name, words: name, size: 60, ticks, lines: linesOf(game, heights) }, parent);
  }

  function drawLegend(game, parent) {
    const list = element("ul", { className: "legend" }, parent);
    game.seats.forEach((seat, index) => {
      const item = element("li", {}, list);
      element("span", { className: `swatch seat-${index}` }, item);
      item.append(seat);
    });
  }

  // Draws scores and times into one element, and all other values into another.
  function show(game, main, more) {
    main.replaceChildren();
    more.replaceChildren();
    if (places(game) === 1) return;
    drawLegend(game, main);
    drawScores(game, main);
    drawTimes(game, main);
    const depth = (action) => reported(action, "depth");
    drawBars(game, { kind: "depth", words: "depth of each search (square root)", read: depth, unit: "" }, more);
    drawBars(game, { kind: "speed", words: "nodes per second (square root)", read: speed, unit: "/s" }, more);
    const names = otherNames(game);
    for (const name of names.slice(0, MOST_GRAPHS)) drawOther(game, name, more);
    const rest = names.slice(MOST_GRAPHS);
    if (rest.length > 0) element("p", { className: "quiet", textContent: restInWords(rest) }, more);
  }

  // The names without a graph, in words.
  function restInWords(names) {
    const told = names.slice(0, MOST_NAMES).join(", ");
    const others = names.length - MOST_NAMES;
    return `reported and not drawn: ${told}${others > 0 ? ` and ${others} more` : ""}`;
  }

  // Marks the last ply that is on the board.
  function mark(ply) {
    for (const cursor of document.querySelectorAll(".cursor")) cursor.setAttribute("x", ply - 1);
  }

  return {
    coloursOf, actions, points, speed, bars, failures, failuresInWords, places, runs, chances, scoreHeights, pointHeights, otherNames, restInWords, path, span, show, mark,
  };
})();
