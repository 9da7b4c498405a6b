"use strict";

// Draws boards. It knows no game: the page has the boards, the pieces, and the letters on the cells.
const boards = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  // A cell is ten units wide. A hexagon has its corners on top and below.
  const CELL = 10;
  const RISE = (CELL * Math.sqrt(3)) / 2;
  const CORNERS = [[0, -1], [0.866, -0.5], [0.866, 0.5], [0, 1], [-0.866, 0.5], [-0.866, -0.5]]
    .map(([x, y]) => [(x * RISE * 2) / 3, (y * RISE * 2) / 3]);

  // The outline of each shape around the middle of its cell. Those that are not listed have none.
  const DISC = "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z";
  const OUTLINES = {
    disc: DISC,
    ring: DISC,
    square: "M-3.4 -3.4h6.8v6.8h-6.8z",
    triangle: "M0 -4L4 3.2H-4z",
    hexagon: "M-2 -3.5h4l2 3.5l-2 3.5h-4l-2 -3.5z",
    star: "M0 -4.2L1.1 -1.4L4 -1.3L1.7 .5L2.5 3.4L0 1.8L-2.5 3.4L-1.7 .5L-4 -1.3L-1.1 -1.4z",
    cross: "M-3.4 -2.2L-2.2 -3.4L0 -1.2L2.2 -3.4L3.4 -2.2L1.2 0L3.4 2.2L2.2 3.4L0 1.2L-2.2 3.4L-3.4 2.2L-1.2 0z",
  };

  function svg(name, attributes, parent) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  }

  function points(corners, [x, y] = [0, 0]) {
    return corners.map(([dx, dy]) => `${(x + dx).toFixed(2)},${(y + dy).toFixed(2)}`).join(" ");
  }

  // The room for labels, by their longest.
  function room(labels) {
    return 3.6 + 2.4 * Math.max(0, ...labels.map((label) => [...label].length));
  }

  // Where the middle of each cell is, and each label, and the lines along the sides.
  function layout(board) {
    const { columns, rows } = board;
    const isHex = board.cells === "hexagons";
    const left = room(board.row_labels);
    const top = isHex && board.slant === "left" ? 2 : 6;
    const [halfWide, halfHigh] = isHex ? [CELL / 2, -CORNERS[0][1]] : [CELL / 2, CELL / 2];
    const shift = (row) => {
      if (!isHex) return 0;
      return ((board.slant === "left" ? rows - 1 - row : row) * CELL) / 2;
    };
    const x = (row, column) => left + halfWide + CELL * column + shift(row);
    const y = (row) => top + halfHigh + (isHex ? RISE : CELL) * row;
    const cells = [];
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) cells.push([x(row, column), y(row)]);
    }
    const labels = board.row_labels.map((label, row) => [x(row, 0) - halfWide - 1.3 - (left - 3) / 2, y(row), label]);
    // The columns of hexagons go on aslant to their labels.
    const [labelRow, aslant, beyond] = isHex && board.slant === "left"
      ? [rows - 1, -CELL / 2, halfHigh + 3]
      : [0, isHex ? -CELL / 2 : 0, -halfHigh - 3];
    board.column_labels.forEach((label, column) => {
      labels.push([x(labelRow, column) + aslant, y(labelRow) + beyond, label]);
    });
    return {
      width: Math.max(x(0, columns - 1), x(rows - 1, columns - 1)) + halfWide + 1.5,
      height: y(rows - 1) + halfHigh + (isHex && board.slant === "left" ? 6 : 1.5),
      cells,
      labels,
      sides: board.sides ? sides(board, (row, column) => [x(row, column), y(row)]) : [],
    };
  }

  // The lines along the sides of a board: a colour, and points.
  function sides(board, middle) {
    const [last, end] = [board.rows - 1, board.columns - 1];
    const square = [[-5, -5], [5, -5], [5, 5], [-5, 5]];
    const edges = {
      squares: [[0, 1], [1, 2], [2, 3], [3, 0]].map((edge) => edge.map((at) => square[at])),
      left: [[5, 0, 1], [0, 1, 2], [4, 3, 2], [5, 4, 3]].map((edge) => edge.map((at) => CORNERS[at])),
      right: [[5, 0, 1], [1, 2, 3], [4, 3, 2], [0, 5, 4]].map((edge) => edge.map((at) => CORNERS[at])),
    }[board.cells === "hexagons" ? board.slant : "squares"];
    const lines = [];
    board.sides.forEach((colour, side) => {
      if (colour === "none") return;
      const isRow = side % 2 === 0;
      for (let along = 0; along <= (isRow ? end : last); along += 1) {
        const cell = [[0, along], [along, end], [last, along], [along, 0]][side];
        lines.push([colour, points(edges[side], middle(...cell))]);
      }
    });
    return lines;
  }

  // The lines that meet in a point of a board.
  function crossing(board, cell) {
    const [row, column] = [Math.floor(cell / board.columns), cell % board.columns];
    const [up, down] = [row === 0 ? 0 : -5, row === board.rows - 1 ? 0 : 5];
    const [left, right] = [column === 0 ? 0 : -5, column === board.columns - 1 ? 0 : 5];
    return `M0 ${up}V${down}M${left} 0H${right}`;
  }

  // The empty board in an element of SVG; the elements of its cells.
  function draw(board, element) {
    const { width, height, cells, labels, sides: lines } = layout(board);
    element.replaceChildren();
    element.setAttribute("viewBox", `0 0 ${width.toFixed(2)} ${height.toFixed(2)}`);
    for (const [colour, along] of lines) svg("polyline", { class: `side colour-${colour}`, points: along }, element);
    for (const [x, y, label] of labels) {
      svg("text", { class: "label", x: x.toFixed(2), y: y.toFixed(2) }, element).textContent = label;
    }
    return cells.map(([x, y], cell) => {
      const group = svg("g", { transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})` }, element);
      if (board.cells === "hexagons") svg("polygon", { class: "ground", points: points(CORNERS) }, group);
      else svg("rect", { class: "ground", x: -5, y: -5, width: 10, height: 10 }, group);
      if (board.cells === "points") svg("path", { class: "lines", d: crossing(board, cell) }, group);
      return group;
    });
  }

  // The piece of a letter. A letter without one is drawn as it is, and a few stand for nothing.
  function pieceOf(pieces, letter) {
    const known = pieces.find((piece) => piece.letter === letter);
    if (known) return known;
    const isEmpty = ".-_ ".includes(letter);
    return { letter, shape: "none", colour: "none", glyph: isEmpty ? "" : letter, name: isEmpty ? "empty" : letter };
  }

  const GLYPH_SIZES = [0, 4.8, 4, 3, 2.3];

  // Puts a piece on a cell, in place of the one that is there. `flags` are further classes.
  function put(element, piece, flags) {
    const { shape, glyph = "" } = piece;
    for (const old of element.querySelectorAll(".piece, .face, .mark, text, title")) old.remove();
    element.dataset.letter = piece.letter;
    element.setAttribute("class", ["cell", `shape-${shape}`, `colour-${piece.colour}`, ...flags].join(" "));
    if (OUTLINES[shape]) svg("path", { class: "piece", d: OUTLINES[shape] }, element);
    if (shape === "ring") svg("circle", { class: "face", r: 3.3 }, element);
    if (flags.includes("marked")) svg("path", { class: "mark", d: DISC }, element);
    const length = [...glyph].length;
    if (length > 0) {
      const isAlone = shape === "none" || shape === "block";
      // The letter helps where a browser has no font for the glyph.
      const hasLetter = !isAlone && /[^\x20-\x7e]/.test(glyph);
      const size = hasLetter ? 3.2 : (GLYPH_SIZES[length] ?? 2) * (isAlone ? 1.25 : 1);
      svg("text", { class: "glyph", y: hasLetter ? -1.5 : 0, "font-size": size }, element).textContent = glyph;
      if (hasLetter) svg("text", { class: "letter", y: 1.7 }, element).textContent = piece.letter;
    }
    svg("title", {}, element).textContent = piece.name;
  }

  return { layout, draw, pieceOf, put, svg };
})();
