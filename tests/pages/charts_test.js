"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const vm = require("node:vm");

const file = path.join(__dirname, "../../crates/report/src/pages/assets/charts.js");
const charts = vm.runInThisContext(`${fs.readFileSync(file, "utf8")};charts`);

// A ply of a seat with what its bot reported.
const ply = (seat, ...reported) => ({ seat, action: "a1", reported });
const read = (name) => (action) => action.reported?.find(([known]) => known === name)?.[1];
const rounded = (number) => (number === undefined ? undefined : Number(number.toFixed(3)));

test("the longest ply has the highest bar, and a ply of the opening has none", () => {
  const game = { plies: [{ seat: 0 }, { seat: 1, wall_us: 250 }, { seat: 0, wall_us: 1000 }] };
  const { largest, bars } = charts.bars(game, (action) => action.wall_us);
  assert.strictEqual(largest, 1000);
  assert.deepStrictEqual(bars.map(({ seat, x, height }) => [seat, x, height]), [[1, 1.1, 0.5], [0, 2.1, 1]]);
  assert.deepStrictEqual(charts.bars({ plies: [] }, read("depth")).bars, []);
});

test("both bars of a ply of both seats lie beside each other", () => {
  const game = { plies: [{ seat: 0, wall_us: 4, beside: [{ seat: 1, wall_us: 1 }] }] };
  const { bars } = charts.bars(game, (action) => action.wall_us);
  assert.deepStrictEqual(bars.map(({ seat, x, width, height }) => [seat, x, width, height]), [[0, 0.1, 0.4, 1], [1, 0.5, 0.4, 0.5]]);
});

test("an action that failed has a bar after the last ply, and words", () => {
  const game = (failed_us) => ({ seats: ["red", "blue"], plies: [{ seat: 0, wall_us: 100 }], end: { failed_us } });
  const { largest, bars } = charts.bars(game([0, 400]), (action) => action.wall_us, charts.failures(game([0, 400])));
  assert.strictEqual(largest, 400);
  assert.deepStrictEqual(bars.map(({ seat, x, height, failed }) => [seat, x, height, failed]), [[0, 0.1, 0.5, undefined], [1, 1.1, 1, true]]);
  assert.deepStrictEqual([[0, 0], [0, 400], [7, 9]].map((failed) => charts.places(game(failed))), [2, 3, 3]);
  assert.deepStrictEqual(charts.failures(game([7, 9])).map(({ x, width }) => [x, width]), [[1.1, 0.4], [1.5, 0.4]]);
  assert.strictEqual(charts.failuresInWords(game([0, 0])), "");
  assert.strictEqual(charts.failuresInWords(game([2500, 3e6])), "; dashed: red's failed action, 2.5 ms, and blue's failed action, 3.000 s");
});

test("numbers below zero have bars of no height", () => {
  const { bars } = charts.bars({ plies: [ply(0, ["depth", -3]), ply(1, ["depth", -1e15])] }, read("depth"));
  assert.deepStrictEqual(bars.map(({ height }) => height), [0, 0]);
});

test("an action without a number ends a line, and one of the other seat does not", () => {
  const game = { plies: [ply(0, ["a", 1]), ply(1), ply(0, ["a", 2]), ply(1, ["a", 9]), ply(0), ply(1), ply(0, ["a", 3])] };
  assert.deepStrictEqual(charts.runs(game, 0, read("a")), [[[1, 1], [3, 2]], [[7, 3]]]);
  assert.deepStrictEqual(charts.runs(game, 1, read("a")), [[[4, 9]]]);
  assert.strictEqual(charts.path([[1, 1], [3, 2]], (y) => 10 - y), "M0.5 9L2.5 8");
  assert.strictEqual(charts.path([[7, 3]], (y) => y), "M6.5 3h0");
});

const seats = ["red", "blue"];

test("scores are drawn as the first seat sees them, with a mate at the edge", () => {
  const heights = (game) => {
    const height = charts.scoreHeights(game);
    return game.plies.flatMap(charts.actions).map((action) => rounded(height(action)));
  };
  const plies = [
    ply(0, ["score", 100]), ply(1, ["score", 100]), ply(0, ["score", 2000]), ply(1, ["score", -1e15]),
    ply(0, ["mate", 3]), ply(1, ["mate", 3]), ply(0, ["score", 5], ["mate", -1]), ply(1, ["mate", 0]), ply(0, ["depth", 5]),
  ];
  assert.deepStrictEqual(heights({ pawns: true, seats, plies }), [0.164, -0.164, 0.899, 0.9, 1, -1, -1, 1, undefined]);
  const own = [ply(0, ["score", 1]), ply(1, ["score", 0.25]), ply(0, ["score", -4]), ply(1, ["score", 1])];
  assert.deepStrictEqual(heights({ seats, plies: own }), [0.45, -0.45, -0.9, -0.9]);
  assert.deepStrictEqual(heights({ seats, plies: [ply(0, ["score", 0])] }), [0]);
});

test("of more than two seats each score is drawn as its bot sees it", () => {
  const game = { seats: ["a", "b", "c"], plies: [0, 1, 2].map((seat) => ply(seat, ["score", seat === 1 ? -4 : 4])) };
  const height = charts.scoreHeights(game);
  assert.deepStrictEqual(game.plies.map((action) => rounded(height(action))), [0.9, -0.9, 0.9]);
  assert.strictEqual(charts.scoreHeights(game)(ply(2, ["mate", 3])), 1);
});

test("seats have the colours of their names, and all others the first ones that are free", () => {
  assert.deepStrictEqual(charts.coloursOf(["first", "second"]), ["orange", "blue"]);
  assert.deepStrictEqual(charts.coloursOf(["red", "blue"]), ["red", "blue"]);
  assert.deepStrictEqual(charts.coloursOf(["red", "green", "blue"]), ["red", "green", "blue"]);
  assert.deepStrictEqual(charts.coloursOf(["x", "blue", "yellow", "orange"]), ["green", "blue", "orange", "purple"]);
  assert.deepStrictEqual(charts.coloursOf(["__proto__", "constructor", "red"]), ["orange", "blue", "red"]);
  const eight = charts.coloursOf(Array.from({ length: 8 }, (_, seat) => `s${seat}`));
  assert.deepStrictEqual([new Set(eight).size, eight.includes(undefined)], [8, false]);
});

test("each seat of a ply has its bar, and each that failed has one at the end", () => {
  const beside = [{ seat: 1, wall_us: 1 }, { seat: 3, wall_us: 9 }];
  const game = { seats: ["a", "b", "c", "d"], plies: [{ seat: 0, wall_us: 4, beside }], end: { failed_us: [0, 5, 0, 7] } };
  const bars = charts.points(game, (action) => action.wall_us);
  assert.deepStrictEqual(bars.map(({ seat, number }) => [seat, number]), [[0, 4], [1, 1], [3, 9]]);
  assert.ok(bars.at(-1).x + bars.at(-1).width <= 0.9 + 1e-9);
  assert.deepStrictEqual(charts.failures(game).map(({ seat, x }) => [seat, x]), [[1, 1.1], [3, 1.5]]);
});

test("one pawn is seen, and twenty are less than a mate", () => {
  assert.ok(charts.chances(100) > 0.15 && charts.chances(300) > 0.45);
  assert.ok(charts.chances(2000) < 1 && charts.chances(2000) > charts.chances(1000));
  assert.strictEqual(charts.chances(-100), -charts.chances(100));
});

test("nodes per second need nodes and a time", () => {
  assert.strictEqual(charts.speed(ply(0, ["nodes", 500], ["time", 20])), 25_000);
  for (const reported of [[["nodes", 5]], [["time", 5]], [["nodes", 5], ["time", 0]], []]) {
    assert.strictEqual(charts.speed(ply(0, ...reported)), undefined);
  }
  assert.strictEqual(charts.speed({ seat: 0 }), undefined);
});

test("names without a graph of their kind are told by how often they were reported", () => {
  const game = { plies: [ply(0, ["once", 1], ["__proto__", 2], ["score", 3]), ply(1, ["__proto__", 4], ["nodes", 5], ["mate", 1])] };
  assert.deepStrictEqual(charts.otherNames(game), ["__proto__", "once", "nodes"]);
  game.plies.push(ply(0, ["nodes", 5], ["time", 1]));
  assert.deepStrictEqual(charts.otherNames(game), ["__proto__", "once"]);
  const names = Array.from({ length: 1000 }, (_, at) => `n${at}`);
  assert.strictEqual(charts.restInWords(names), `reported and not drawn: ${names.slice(0, 10).join(", ")} and 990 more`);
  assert.strictEqual(charts.restInWords(["a", "b"]), "reported and not drawn: a, b");
});

test("points hold until another ply says so", () => {
  const counted = { score: [0, 0], plies: [{}, { score: [0, 5] }, {}, { score: [7, 5] }] };
  assert.deepStrictEqual(charts.pointHeights(counted, 0), [0, 0, 0, 0, 1]);
  assert.deepStrictEqual(charts.pointHeights(counted, 1), [0, 0, 5 / 7, 5 / 7, 5 / 7]);
  assert.deepStrictEqual(charts.pointHeights({ score: [0, 0], plies: [{ score: [-1, 1] }] }, 0), [0.5, 0]);
});
