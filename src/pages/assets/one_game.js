// A page with one game in it.
(() => {
  const { boards, game } = JSON.parse(document.getElementById("data").textContent);
  const page = new viewer.Viewer(boards);
  const show = () => page.show(game, viewer.parseAddress(location.hash)?.ply ?? null);
  show();
  addEventListener("hashchange", show);
})();
