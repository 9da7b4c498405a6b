// A page for all games of a run. The games lie in files that are loaded when one of them is wanted.
(() => {
  const { perFile, drawn, lost: losses, run } = JSON.parse(document.getElementById("data").textContent);
  const page = new viewer.Viewer();
  const files = new Map();
  const chooser = document.getElementById("chooser");
  const missing = document.getElementById("missing");
  const lost = new Map(losses);
  const neighbours = ["game-before", "game-after", "game-lost"].map((name) => document.getElementById(name));
  const wanted = () => viewer.parseAddress(location.hash) ?? { id: 0, ply: null };
  let shown = null;

  // The last game before a game, and the first one after it, among those that are drawn.
  function beside(id) {
    const last = drawn.filter(([first]) => first < id).at(-1);
    const next = drawn.find(([, last]) => last > id);
    return [last && Math.min(last[1], id - 1), next && Math.max(next[0], id + 1)];
  }

  // The next game that a loser of this one lost, or anybody, where nobody lost this one.
  function nextLost(id, { players }) {
    const losers = players.filter((player) => lost.get(player)?.includes(id));
    const games = (losers.length > 0 ? losers : [...lost.keys()]).flatMap((player) => lost.get(player));
    const later = games.filter((game) => game > id);
    return later.length > 0 ? Math.min(...later) : undefined;
  }

  // The commands that show a game again, and the files with the bots' output.
  function commands({ id, seats, output, end }) {
    const files = seats.flatMap((seat, at) => (output[at] === "" ? [] : `${seat}'s output is in \`${run}/${output[at]}\``));
    const [how, does] = end.termination === "handshake" ? ["--transcript", "shows what was told to"] : ["--into", "plays it into"];
    const shown = `In a terminal: \`referee replay ${run} ${id}\`, and \`--seat ${seats[0]} ${how}\` ${does} ${seats[0]}'s bot`;
    return [shown, ...files].join("; ");
  }

  // Each file calls this with its number, its games, and the tables with their boards and pieces.
  globalThis.refereeGames = (number, games, tables) => {
    files.set(number, new Map(games.map((game) => [game.id, { game, tables }])));
  };

  function show() {
    const { id, ply } = wanted();
    const found = files.get(Math.floor(id / perFile))?.get(id);
    chooser.value = id;
    const others = [...beside(id), found && nextLost(id, found.game)];
    others.forEach((other, at) => {
      neighbours[at].disabled = other === undefined;
      neighbours[at].value = other;
    });
    missing.hidden = found !== undefined;
    document.getElementById("stage").hidden = found === undefined;
    if (found === undefined) {
      const drawing = ` Where its log is kept, \`referee replay RUN ${id} --html FILE\` draws it.`;
      viewer.showMessage(missing, `Game ${id} is not among these pages.${run === null ? "" : drawing}`);
      return;
    }
    if (run !== null) {
      document.getElementById("commands").hidden = false;
      viewer.showMessage(document.getElementById("commands"), commands(found.game));
    }
    if (shown === id) page.go(ply ?? 0);
    else page.show(found.game, ply, found.tables);
    shown = id;
  }

  function load() {
    const file = Math.floor(wanted().id / perFile);
    if (files.has(file)) {
      show();
      return;
    }
    const script = document.createElement("script");
    script.src = `games/${file}.js`;
    script.addEventListener("load", show);
    script.addEventListener("error", () => {
      files.set(file, new Map());
      show();
    });
    document.head.append(script);
  }

  document.getElementById("choose").hidden = false;
  chooser.addEventListener("change", () => {
    location.hash = `#g${Math.max(0, Math.trunc(Number(chooser.value) || 0))}`;
  });
  for (const button of neighbours) {
    button.addEventListener("click", () => { location.hash = `#g${button.value}`; });
  }
  document.addEventListener("keydown", (event) => {
    const at = ["p", "n", "l"].indexOf(event.key);
    const isOther = event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select");
    if (at >= 0 && !isOther) neighbours[at].click();
  });
  addEventListener("hashchange", load);
  load();
})();
