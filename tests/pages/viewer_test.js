"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const vm = require("node:vm");

const scripts = ["board.js", "charts.js", "viewer.js"].map((name) => path.join(__dirname, "../../crates/report/src/pages/assets", name));
const text = scripts.map((file) => fs.readFileSync(file, "utf8")).join("");
const { boards, viewer } = vm.runInThisContext(`${text};({ boards, viewer })`);

const game = {
  seats: ["red", "blue"],
  views: [{
    start: { board: "a", letters: "....", text: ["empty"] },
    steps: [
      { cells: [[0, "r"]] },
      { cells: [[0, "."], [1, "b"]], marks: [1], text: [] },
      {},
      { position: { board: "b", letters: "é" } },
    ],
  }],
  left_us: [9_000_000, 8_000_000],
  plies: [
    { seat: 0, action: "a1" },
    { seat: 1, action: "b1", public: "a1", wall_us: 250_000, left_us: 7_750_000 },
    { seat: 0, action: "pass", wall_us: 1_000_000 },
  ],
};

test("an address names a game and a ply", () => {
  assert.deepStrictEqual(viewer.parseAddress("#g42p17"), { id: 42, ply: 17 });
  assert.deepStrictEqual(viewer.parseAddress("#g0"), { id: 0, ply: null });
  for (const other of ["", "#", "#g", "#g1p", "#gxp1", "#g1p1x", "g1p1"]) {
    assert.strictEqual(viewer.parseAddress(other), null);
  }
  assert.strictEqual(viewer.addressOf(42, 17), "#g42p17");
});

test("what stands between backticks is code", () => {
  const cases = {
    "": [""],
    "no code": ["no code"],
    "`a` is none of `b`": ["", "a", " is none of ", "b", ""],
    "a `b` c ` d": ["a ", "b", " c ` d"],
    "a `` b": ["a `` b"],
  };
  for (const [message, parts] of Object.entries(cases)) assert.deepStrictEqual(viewer.parts(message), parts);
});

test("what bots wrote stands beside their plies, and at the end", () => {
  const plies = [{ seat: 0, action: "a1", wrote: "hm" }, { seat: 1, action: "b1" }];
  const end = { result: "red wins", termination: "crash", why: "gone", forfeited: [1], failed_us: [0, 1_500_000], wrote: ["", "no!"] };
  const told = { seats: ["red", "blue"], plies, end };
  assert.deepStrictEqual(viewer.wrote(told, 0), []);
  assert.deepStrictEqual(viewer.wrote(told, 1), [["red wrote before this action:", "hm"]]);
  assert.deepStrictEqual(viewer.wrote(told, 2), [["blue wrote after its last action:", "no!"]]);
  assert.strictEqual(viewer.ending(told), "red wins after 2 plies (crash: gone; blue's failed action took 1.500 s)");
  const named = { ...told, id: 4, players: ["ada", "eve"] };
  assert.strictEqual(viewer.headline(named), "game 4: ada (red) – eve (blue): red wins");
  assert.deepStrictEqual(viewer.failures(told), ["3. blue failed: crash — 1.500 s"]);
  const gone = [...plies, { seat: 1, action: "" }];
  assert.deepStrictEqual(viewer.failures({ ...told, plies: gone }), []);
});

test("a view has a position after any ply", () => {
  const [view] = game.views;
  const at = (ply) => viewer.positionAt(view, ply);
  assert.deepStrictEqual([0, 1, 2, 3, 4].map((ply) => at(ply).letters.join("")), ["....", "r...", ".b..", ".b..", "é"]);
  assert.deepStrictEqual([0, 1, 2, 3, 4].map((ply) => at(ply).changed), [[], [0], [0, 1], [], []]);
  assert.deepStrictEqual([1, 2, 3, 4].map((ply) => at(ply).marks), [[], [1], [1], []]);
  assert.deepStrictEqual([0, 1, 2].map((ply) => at(ply).text), [["empty"], ["empty"], []]);
  assert.deepStrictEqual([3, 4].map((ply) => at(ply).board), ["a", "b"]);
  assert.deepStrictEqual(viewer.positionAt({ start: { text: ["alone"] }, steps: [] }, 0).board, null);
});

test("cells that a seat sees otherwise are concealed from it", () => {
  const seen = (letters) => ({ letters: [...letters] });
  assert.deepStrictEqual(viewer.concealed(seen("abc"), [seen("abc"), seen("a?c"), seen("??c")]), [0, 1]);
  assert.deepStrictEqual(viewer.concealed(seen("abc"), []), []);
});

const board = (cells, slant) => ({
  cells, slant, columns: 3, rows: 2, column_labels: ["a", "b", "c"], row_labels: ["2", "1"], sides: ["red", "none", "red", "blue"],
});

test("cells lie in rows of squares or aslant", () => {
  const at = (cells, slant) => {
    const { cells: [first, , third, next], width, height } = boards.layout(board(cells, slant));
    assert.ok(third[0] < width && next[1] < height);
    return [third[0] - first[0], third[1] - first[1], next[0] - first[0], next[1] - first[1]].map(Math.round);
  };
  assert.deepStrictEqual(at("squares"), [20, 0, 0, 10]);
  assert.deepStrictEqual(at("points"), [20, 0, 0, 10]);
  assert.deepStrictEqual(at("hexagons", "right"), [20, 0, 5, 9]);
  assert.deepStrictEqual(at("hexagons", "left"), [20, 0, -5, 9]);
});

test("each label is beside its row or column, and each side has a line for each of its cells", () => {
  for (const [cells, slant] of [["squares"], ["hexagons", "left"], ["hexagons", "right"]]) {
    const { labels, sides, cells: middles } = boards.layout(board(cells, slant));
    assert.deepStrictEqual(labels.map(([, , label]) => label), ["2", "1", "a", "b", "c"]);
    for (const row of [0, 1]) {
      assert.strictEqual(labels[row][1], middles[row * 3][1]);
      assert.ok(labels[row][0] < middles[row * 3][0] - 5);
    }
    assert.deepStrictEqual(sides.map(([colour]) => colour), ["red", "red", "red", "red", "red", "red", "blue", "blue"]);
  }
});

test("a letter without a piece is drawn as it is", () => {
  const pieces = [{ letter: "x", shape: "cross", colour: "red", name: "cross" }];
  assert.strictEqual(boards.pieceOf(pieces, "x"), pieces[0]);
  assert.strictEqual(boards.pieceOf(pieces, "7").glyph, "7");
  assert.strictEqual(boards.pieceOf(pieces, ".").glyph, "");
});

test("clocks and points hold until another ply says so", () => {
  assert.strictEqual(viewer.leftAt(game, 0, 1), 8_000_000);
  assert.strictEqual(viewer.leftAt(game, 1, 1), 8_000_000);
  assert.strictEqual(viewer.leftAt(game, 3, 1), 7_750_000);
  assert.strictEqual(viewer.leftAt(game, 3, 0), 9_000_000);
  assert.strictEqual(viewer.leftAt({ plies: [], left_us: [null, 5] }, 0, 0), null);
  const counted = { rules_points: [0, 0], plies: [{}, { rules_points: [0, 5] }, {}, { rules_points: [7, 5] }] };
  assert.deepStrictEqual([0, 1, 2, 3, 4].map((ply) => viewer.rulesPointsAt(counted, ply)), [[0, 0], [0, 0], [0, 5], [0, 5], [7, 5]]);
});

test("a ply in words", () => {
  assert.strictEqual(viewer.words(game, 0), "the start");
  assert.strictEqual(viewer.words(game, 1), "1. red a1 — opening");
  assert.strictEqual(viewer.words(game, 2), "2. blue b1 (a1) — 250.0 ms");
  assert.strictEqual(viewer.words(game, 3), "3. red pass — 1.000 s");
});

test("a ply in words has what its bot thought, and all that it reported is beside it", () => {
  const reported = [["score", 31], ["depth", 14], ["__proto__", 1e15]];
  const thinking = { seats: ["red", "blue"], plies: [{ seat: 1, action: "b1", wall_us: 9_000, reported, score_and_depth: "+0.31/14" }] };
  assert.strictEqual(viewer.words(thinking, 1), "1. blue b1 — 9.0 ms, +0.31/14");
  assert.strictEqual(viewer.reports(thinking, 1), "blue reported score 31, depth 14, __proto__ 1000000000000000");
  assert.strictEqual(viewer.reports(thinking, 0), "");
  assert.strictEqual(viewer.reports(game, 1), "");
});

test("a ply of both seats at once has the words and clocks of both", () => {
  const beside = [{ seat: 1, action: "paper", public: "wins", wall_us: 3_000, left_us: 4_000_000 }];
  const atOnce = {
    seats: ["left", "right"],
    left_us: [9_000_000, 9_000_000],
    plies: [
      { seat: 0, action: "rock", changes: [], wall_us: 1_000, left_us: 5_000_000, beside },
      { seat: 0, action: "draw", changes: [], wall_us: 12_000 },
    ],
  };
  assert.strictEqual(viewer.words(atOnce, 1), "1. left rock — 1.0 ms; right paper (wins) — 3.0 ms");
  assert.deepStrictEqual([0, 1].map((seat) => viewer.leftAt(atOnce, 2, seat)), [5_000_000, 4_000_000]);
});

test("the place of a seat has its forfeit, and a game of two has no places", () => {
  const end = { places: [1, 8, 8, 2, 3, 4, 5, 6], forfeited: [1, 2] };
  assert.deepStrictEqual([...end.places.keys()].map((seat) => viewer.placeOf({ end }, seat)), [
    "1st", "8th, forfeited", "8th, forfeited", "2nd", "3rd", "4th", "5th", "6th",
  ]);
  assert.strictEqual(viewer.placeOf({ end: { forfeited: [0] } }, 0), "");
});
