// A page for all games of a run. The games lie in files that are loaded when one of them is wanted.
(() => {
  const { boards, perFile } = JSON.parse(document.getElementById("data").textContent);
  const page = new viewer.Viewer(boards);
  const files = new Map();
  const chooser = document.getElementById("chooser");
  const missing = document.getElementById("missing");
  const wanted = () => viewer.parseAddress(location.hash) ?? { id: 0, ply: null };
  let shown = null;

  // Each file calls this with its number and its games.
  globalThis.refereeGames = (number, games) => {
    files.set(number, new Map(games.map((game) => [game.id, game])));
  };

  function show() {
    const { id, ply } = wanted();
    const game = files.get(Math.floor(id / perFile))?.get(id);
    chooser.value = id;
    missing.hidden = game !== undefined;
    document.getElementById("stage").hidden = game === undefined;
    if (game === undefined) {
      viewer.showMessage(
        missing,
        `Game ${id} is not among these pages. Where its log is kept, \`referee replay RUN ${id} --html FILE\` draws it.`,
      );
      return;
    }
    if (shown === id) page.go(ply ?? 0);
    else page.show(game, ply);
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
