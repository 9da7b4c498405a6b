"use strict";

// Tables of the class `sortable`: a click on a heading sorts the rows, and words in a box choose some of them.
(() => {
  const FILTERED = 10;
  const FROM_THE_LEAST = ["#", "place", "game"];
  const UNITS = { "": 1, "%": 1, "µs": 1e-6, ms: 1e-3, s: 1, KiB: 2 ** -10, MiB: 1, GiB: 2 ** 10 };

  // The number that a cell begins with, in the unit after it. `undefined` is a cell of words.
  function numberIn(text) {
    const [, sign, digits, unit] = text.match(/^([+\-−]?)([\d.]+|∞) ?(\S*)$/u) ?? [];
    const value = digits === "∞" ? Infinity : Number(digits);
    return Object.hasOwn(UNITS, unit) ? (sign === "-" || sign === "−" ? -value : value) * UNITS[unit] : undefined;
  }

  function compare(one, other) {
    const [a, b] = [numberIn(one), numberIn(other)];
    return a === undefined || b === undefined ? one.localeCompare(other, undefined, { numeric: true }) : a - b;
  }

  function sort(table, rows, at) {
    const headings = [...table.tHead.rows[0].cells];
    const text = (row) => row.cells[at].textContent.trim();
    const was = headings[at].ariaSort;
    // Numbers begin with the largest, except for places and numbers of games.
    const isFalling = rows.some((row) => numberIn(text(row)) !== undefined)
      && !FROM_THE_LEAST.includes(headings[at].textContent.trim());
    const order = [isFalling, !isFalling].map((falling) => (falling ? "descending" : "ascending"));
    const next = order[was ? order.indexOf(was) + 1 : 0];
    headings.forEach((heading) => heading.removeAttribute("aria-sort"));
    table.classList.toggle("sorted", next !== undefined);
    if (next) headings[at].ariaSort = next;
    const sign = next === "descending" ? -1 : 1;
    // Cells without text stay at the end, and equal rows in the order of the page.
    const sorted = next === undefined ? rows : [...rows].sort((one, other) => {
      const [a, b] = [text(one), text(other)];
      return a === "" || b === "" ? (a === "") - (b === "") : sign * compare(a, b);
    });
    table.tBodies[0].append(...sorted);
  }

  function addFilter(table, rows) {
    const label = Object.assign(document.createElement("label"), { className: "filter", textContent: "show rows with " });
    const input = Object.assign(document.createElement("input"), { type: "search" });
    const count = document.createElement("output");
    label.append(input, " ", count);
    (table.closest(".scroll") ?? table).before(label);
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
      const shown = rows.filter((row) => !row.hidden).length;
      count.textContent = words.length > 0 ? `${shown} of ${rows.length}` : "";
    });
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    const rows = [...table.tBodies[0].rows];
    if (rows.length > FILTERED) addFilter(table, rows);
    if (rows.length < 2) continue;
    [...table.tHead.rows[0].cells].forEach((heading, at) => {
      if (heading.classList.contains("strip") || heading.textContent.trim() === "") return;
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => sort(table, rows, at));
    });
  }
})();
