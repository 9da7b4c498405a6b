"use strict";

// The page is loaded again while the run goes on. What the reader did to it lives in the entry of the browser's
// history, which a reload keeps, and which a page from a file has too.
(() => {
  const SECONDS = 2;
  const parts = [...document.querySelectorAll("details")];
  const boxes = [...document.querySelectorAll(".scroll")];
  const pause = document.getElementById("pause");
  const kept = history.state ?? {};
  let paused = kept.paused === true;

  for (const part of parts) {
    part.open = kept.open?.[part.id] ?? part.open;
  }
  boxes.forEach((box) => { box.scrollLeft = kept.across?.[box.ariaLabel] ?? 0; });
  if (kept.down !== undefined) {
    history.scrollRestoration = "manual";
    scrollTo(0, kept.down);
  }
  if (kept.focus) {
    document.getElementById(kept.focus)?.focus({ preventScroll: true });
  }
  if (!pause) {
    return;
  }

  const keep = () => history.replaceState({
    paused,
    down: scrollY,
    open: Object.fromEntries(parts.map((part) => [part.id, part.open])),
    across: Object.fromEntries(boxes.map((box) => [box.ariaLabel, box.scrollLeft])),
    focus: document.activeElement?.id,
  }, "");
  const label = () => { pause.textContent = paused ? "go on refreshing" : "stop refreshing"; };
  const refresh = () => {
    keep();
    if (!paused && !document.hidden && getSelection().isCollapsed) {
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
