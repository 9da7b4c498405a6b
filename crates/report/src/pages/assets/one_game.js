// A page with one game in it.
(() => {
  const { tables, game } = JSON.parse(document.getElementById("data").textContent);
  const page = new viewer.Viewer();
  const show = () => page.show(game, viewer.parseAddress(location.hash)?.ply ?? null, tables);
  show();
  addEventListener("hashchange", show);
})();
