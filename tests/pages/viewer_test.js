"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const vm = require("node:vm");

const script = path.join(__dirname, "../../src/pages/assets/viewer.js");
const viewer = vm.runInThisContext(`${fs.readFileSync(script, "utf8")};viewer`);

const game = {
  seats: ["red", "blue"],
  start: "....",
  left_us: [9_000_000, 8_000_000],
  plies: [
    { seat: 0, action: "a1", changes: [[0, ".", "r"]] },
    { seat: 1, action: "b1", public: "a1", changes: [[0, "r", "."], [1, ".", "b"]], wall_us: 250_000, left_us: 7_750_000 },
    { seat: 0, action: "pass", changes: [], wall_us: 1_000_000 },
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

test("a board goes to any ply, and back", () => {
  const board = new viewer.Board(game);
  const letters = ["....", "r...", ".b..", ".b.."];
  for (const ply of [3, 0, 2, 1, 3, 2, 0, 1, -5, 99]) {
    board.go(ply);
    const there = Math.max(0, Math.min(ply, 3));
    assert.strictEqual(board.ply, there);
    assert.strictEqual(board.letters.join(""), letters[there]);
  }
  board.go(2);
  assert.deepStrictEqual(board.last(), [0, 1]);
  assert.deepStrictEqual([...board.go(1)].sort(), [0, 1]);
});

test("clocks and points hold until another ply says so", () => {
  assert.strictEqual(viewer.leftAt(game, 0, 1), 8_000_000);
  assert.strictEqual(viewer.leftAt(game, 1, 1), 8_000_000);
  assert.strictEqual(viewer.leftAt(game, 3, 1), 7_750_000);
  assert.strictEqual(viewer.leftAt(game, 3, 0), 9_000_000);
  assert.strictEqual(viewer.leftAt({ plies: [], left_us: [null, 5] }, 0, 0), null);
  const counted = { score: [0, 0], plies: [{}, { score: [0, 5] }, {}, { score: [7, 5] }] };
  assert.deepStrictEqual([0, 1, 2, 3, 4].map((ply) => viewer.scoreAt(counted, ply)), [[0, 0], [0, 0], [0, 5], [0, 5], [7, 5]]);
  assert.deepStrictEqual(viewer.leads(counted), [0, -5, -5, 2]);
});

test("a ply in words", () => {
  assert.strictEqual(viewer.words(game, 0), "the start");
  assert.strictEqual(viewer.words(game, 1), "1. red a1 — opening");
  assert.strictEqual(viewer.words(game, 2), "2. blue b1 (a1) — 250.0 ms");
  assert.strictEqual(viewer.words(game, 3), "3. red pass — 1.000 s");
});

test("the longest ply has the highest bar", () => {
  assert.deepStrictEqual(viewer.barHeights(game), [0, 0.5, 1]);
  assert.deepStrictEqual(viewer.barHeights({ plies: [] }), []);
});

test("a ply of both seats at once has the words, clocks and times of both", () => {
  const beside = { seat: 1, action: "paper", public: "wins", wall_us: 3_000, left_us: 4_000_000 };
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
  assert.deepStrictEqual(viewer.barHeights(atOnce), [0.5, 1]);
});
