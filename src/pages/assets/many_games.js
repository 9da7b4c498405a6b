// A page for all games of a run. The games lie in files that are loaded when one of them is wanted.
(() => {
  const { perFile } = JSON.parse(document.getElementById("data").textContent);
  const page = new viewer.Viewer();
  const files = new Map();
  const chooser = document.getElementById("chooser");
  const missing = document.getElementById("missing");
  const wanted = () => viewer.parseAddress(location.hash) ?? { id: 0, ply: null };
  let shown = null;

  // Each file calls this with its number, its games, and the tables with their boards and pieces.
  globalThis.refereeGames = (number, games, tables) => {
    files.set(number, new Map(games.map((game) => [game.id, { game, tables }])));
  };

  function show() {
    const { id, ply } = wanted();
    const found = files.get(Math.floor(id / perFile))?.get(id);
    chooser.value = id;
    missing.hidden = found !== undefined;
    document.getElementById("stage").hidden = found === undefined;
    if (found === undefined) {
      viewer.showMessage(
        missing,
        `Game ${id} is not among these pages. Where its log is kept, \`referee replay RUN ${id} --html FILE\` draws it.`,
      );
      return;
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
  addEventListener("hashchange", load);
  load();
})();
