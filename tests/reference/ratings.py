"""Ratings by other people's optimisers, to compare ours with: tests/it/ratings_reference.rs.

    python3 -m venv venv && venv/bin/pip install numpy scipy choix
    venv/bin/python tests/reference/ratings.py > tests/reference/ratings.json

Each data set is a list of [first, second, wins, draws, losses] with the results of the first seat.
`scipy` maximises the log posterior of docs/ratings.md, written down once more below without a
derivative by hand; the intervals come from a numerical Hessian of it. Sets without draws and without
an advantage are fitted by `choix` too, and must agree with `scipy` before they are printed. Two
players have a closed form, which is checked likewise.
"""

import json
import random

import choix
import numpy as np
from scipy.optimize import minimize

ELO = 400 / np.log(10)
Z95 = 1.959963984540054


def log_posterior(x, games, players, seats, draws):
    """Minus it, so that it can be minimised."""
    theta, gamma, delta = x[:players], x[players], x[players + 1]
    total = 0.5 * np.sum((theta * ELO / 1000) ** 2)
    if seats:
        total += 0.5 * (gamma * ELO / 400) ** 2
    else:
        gamma = 0.0
    if draws:
        total += 0.5 * (delta / 3) ** 2
    for first, second, wins, drawn, losses in games:
        eta = theta[first] - theta[second] + gamma
        weights = [eta / 2, delta if draws else -np.inf, -eta / 2]
        norm = np.logaddexp.reduce(weights)
        total -= wins * (weights[0] - norm) + losses * (weights[2] - norm)
        if drawn:
            total -= drawn * (weights[1] - norm)
    return total


def hessian(function, x, step=1e-3):
    """Fourth-order central differences."""
    size = len(x)
    result = np.zeros((size, size))

    def second(direction):
        f = [function(x + k * step * direction) for k in (-2, -1, 0, 1, 2)]
        return (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * step**2)

    eye = np.eye(size)
    for i in range(size):
        result[i, i] = second(eye[i])
    for i in range(size):
        for j in range(i):
            both = second(eye[i] + eye[j])
            result[i, j] = result[j, i] = (both - result[i, i] - result[j, j]) / 2
    return result


def fit(games, players, seats):
    draws = any(game[3] for game in games)
    free = list(range(players)) + ([players] if seats else []) + ([players + 1] if draws else [])

    def function(values):
        x = np.zeros(players + 2)
        x[free] = values
        return log_posterior(x, games, players, seats, draws)

    best = np.zeros(len(free))
    for method in ("BFGS", "Nelder-Mead", "BFGS") if len(free) < 6 else ("BFGS", "BFGS"):
        best = minimize(function, best, method=method, tol=1e-13).x
    for _ in range(8):  # Newton with numerical derivatives, for the last digits
        h = 1e-4
        gradient = np.array(
            [
                (8 * (function(best + h * e) - function(best - h * e))
                 - (function(best + 2 * h * e) - function(best - 2 * h * e))) / (12 * h)
                for e in np.eye(len(free))
            ]
        )
        best = best - np.linalg.solve(hessian(function, best), gradient)
    covariance = np.linalg.inv(hessian(function, best))
    return best, covariance, free, draws


def in_elo(best, covariance, free, draws, players, combination):
    """The delta method, with the scale's slope by differences."""
    combination = np.asarray(combination)

    def value(values):
        x = np.zeros(players + 2)
        x[free] = values
        nu = np.exp(x[players + 1]) if draws else 0.0
        return ELO * (1 - nu / (2 + nu)) * (combination @ x[: players + 1])

    h = 1e-5
    slope = np.array([(value(best + h * e) - value(best - h * e)) / (2 * h) for e in np.eye(len(free))])
    return float(value(best)), float(Z95 * np.sqrt(slope @ covariance @ slope))


def reference(name, players, games, seats=True):
    best, covariance, free, draws = fit(games, players, seats)

    def elo(combination):
        return in_elo(best, covariance, free, draws, players, combination)

    mean = np.full(players, 1 / players)
    unit = np.eye(players + 1)
    ratings = [elo(unit[i] - np.append(mean, 0)) for i in range(players)]
    differences = [
        [i, j, *elo(unit[i] - unit[j])] for i in range(players) for j in range(i)
    ]
    if not draws and not seats:
        pairs = [p for a, b, w, _, l in games for p in [(a, b)] * w + [(b, a)] * l]
        other = choix.opt_pairwise(players, pairs, alpha=(ELO / 1000) ** 2 / 2, tol=1e-12)
        other = ELO * (other - other.mean())
        assert np.allclose(other, [rating[0] for rating in ratings], atol=0.01), name
    if name == "two, closed form":
        # 30 to 10: 400 log10(3) Elo, error (400 / ln 10) / sqrt(n p q), but for the weak prior.
        assert abs(differences[0][2] + 400 * np.log10(3)) < 2.0
        assert abs(differences[0][3] / (Z95 * ELO / np.sqrt(40 * 0.75 * 0.25)) - 1) < 0.02
    return {
        "name": name,
        "players": players,
        "games": games,
        "seats": seats,
        "ratings": ratings,
        "differences": differences,
        "advantage": elo(unit[players]) if seats else None,
    }


def simulated(seed, players, rounds, spread, gamma, nu, density=1.0):
    chance = random.Random(seed)
    theta = [chance.gauss(0, spread) for _ in range(players)]
    counts = {}
    for _ in range(rounds):
        for a in range(players):
            for b in range(players):
                if a == b or chance.random() > density:
                    continue
                eta = theta[a] - theta[b] + gamma
                weights = [np.exp(eta / 2), nu, np.exp(-eta / 2)]
                result = chance.choices((0, 1, 2), weights)[0]
                counts.setdefault((a, b), [0, 0, 0])[result] += 1
    return [[a, b, *wdl] for (a, b), wdl in sorted(counts.items())]


SETS = [
    reference("two, closed form", 2, [[0, 1, 15, 0, 5], [1, 0, 5, 0, 15]], seats=False),
    reference("two, draws and seats", 2, [[0, 1, 30, 45, 15], [1, 0, 22, 50, 18]]),
    reference("a clean sweep", 3, [[0, 1, 10, 0, 0], [1, 2, 7, 0, 3], [2, 0, 0, 0, 9]]),
    reference("everything drawn", 3, [[0, 1, 0, 10, 0], [1, 2, 0, 4, 0], [2, 0, 0, 7, 0]]),
    reference("two groups that never met", 5, [[0, 1, 5, 1, 3], [1, 0, 4, 1, 4], [2, 3, 6, 2, 2], [3, 4, 5, 0, 5], [4, 2, 1, 0, 3]]),
    reference("always the same seat", 3, [[0, 1, 12, 3, 5], [1, 2, 9, 2, 4], [0, 2, 10, 1, 2]]),
    reference("a cycle", 3, [[0, 1, 18, 0, 6], [1, 2, 17, 0, 7], [2, 0, 19, 0, 5]], seats=False),
    reference("a chain", 8, [[i, i + 1, 6, 3, 4] for i in range(7)]),
    reference("six, decisive", 6, simulated(1, 6, 10, 0.8, 0.0, 0.0), seats=False),
    reference("six, seats", 6, simulated(2, 6, 8, 0.8, 0.5, 0.0)),
    reference("eight, draws and seats", 8, simulated(3, 8, 6, 1.0, 0.3, 1.0)),
    reference("twelve, many draws", 12, simulated(4, 12, 3, 1.2, 0.2, 4.0)),
    reference("ten, wide apart and sparse", 10, simulated(5, 10, 4, 3.0, 0.4, 0.5, 0.4)),
    reference("sixteen, sparse, decisive", 16, simulated(6, 16, 3, 1.0, 0.0, 0.0, 0.5), seats=False),
]


def rounded(value):
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, (list, tuple)):
        return [rounded(part) for part in value]
    return value


print("[")
print(",\n".join(json.dumps({key: rounded(value) for key, value in one.items()}) for one in SETS))
print("]")
