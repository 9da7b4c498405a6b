"use strict";

// The page is loaded again while the run goes on. Which of its parts are open lives in the entry of the browser's history,
// which a reload keeps, and which a page from a file has too.
(() => {
  const SECONDS = 2;
  const parts = [...document.querySelectorAll("details")];
  const pause = document.getElementById("pause");
  const kept = history.state ?? {};
  let paused = kept.paused === true;

  parts.forEach((part, at) => { part.open = kept.open?.[at] ?? part.open; });

  const label = () => { pause.textContent = paused ? "go on refreshing" : "stop refreshing"; };
  const refresh = () => {
    history.replaceState({ paused, open: parts.map((part) => part.open) }, "");
    const isUsed = document.activeElement?.matches("input") || !getSelection().isCollapsed;
    if (!paused && !document.hidden && !isUsed) {
      location.reload();
    }
  };
  pause.addEventListener("click", () => {
    paused = !paused;
    label();
    refresh();
  });
  label();
  pause.hidden = false;
  setInterval(refresh, SECONDS * 1000);
})();
