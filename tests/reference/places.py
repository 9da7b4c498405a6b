"""A fit of games with places by brute force, to compare ours with: tests/it/ratings_reference.rs.

Reads games as JSON from standard input and writes figures as JSON. The log posterior of docs/ratings.md is written down once more, as a sum over every set that could have been chosen. Its
maximum is found from numerical derivatives alone; the covariance comes from a numerical Hessian, and the
leverage of blocks from eigenvalues. With the argument `choix`, that library fits the strengths instead.
"""

import itertools
import json
import sys

import numpy as np

ELO = 400 / np.log(10)
PRIOR, SEAT_PRIOR, TIE_PRIOR = 1000 / ELO, 400 / ELO / np.sqrt(2), 3.0


def choices(game):
    """The chosen set and the players who were left, by seat, the best first."""
    left = list(range(len(game["players"])))
    while len(left) > 1:
        best = min(game["places"][seat] for seat in left)
        chosen = [seat for seat in left if game["places"][seat] == best]
        below = [seat for seat in left if seat not in chosen]
        if not all(game["forfeited"][seat] for seat in chosen):
            yield chosen, left
        elif below:
            for seat in chosen:
                yield [seat], [seat, *below]
        left = below


class Model:
    def __init__(self, data):
        games, self.players = data["games"], data["players"]
        tables = sorted({len(game["players"]) for game in games}) if data["seats"] else []
        self.seats_at, at = {}, self.players
        for seats in tables:
            self.seats_at[seats] = at
            at += seats
        sizes = sorted({len(chosen) for game in games for chosen, _ in choices(game)} - {1})
        self.ties_at = {size: at + index for index, size in enumerate(sizes)}
        self.size = at + len(sizes)
        self.precision = np.array(
            [PRIOR**-2] * self.players
            + [SEAT_PRIOR**-2] * (at - self.players)
            + [TIE_PRIOR**-2] * len(sizes)
        )
        self.blocks = {}
        for game in games:
            self.blocks.setdefault(game["block"], []).append(self.terms(game))

    def row(self, game, chosen):
        """The log weight of a set as a linear function of all parameters."""
        row, seats = np.zeros(self.size), len(game["players"])
        for seat in chosen:
            row[game["players"][seat]] += 1 / len(chosen)
            if seats in self.seats_at:
                row[self.seats_at[seats] + seat] += 1 / len(chosen)
        if len(chosen) > 1:
            row[self.ties_at[len(chosen)]] += 1
        return row

    def terms(self, game):
        """For each choice, the row of the chosen set and the rows of all that were possible."""
        terms = []
        for chosen, left in choices(game):
            sets = [
                self.row(game, one)
                for size in range(1, len(left) + 1)
                if size == 1 or size in self.ties_at
                for one in itertools.combinations(left, size)
            ]
            terms.append((self.row(game, chosen), np.array(sets)))
        return terms

    def games_log_likelihood(self, games, x):
        return sum(
            row @ x - np.logaddexp.reduce(rows @ x) for terms in games for row, rows in terms
        )

    def log_posterior(self, x):
        games = sum(self.games_log_likelihood(games, x) for games in self.blocks.values())
        return games - 0.5 * self.precision @ (x * x)


def gradient(function, x, step=1e-5):
    units = np.eye(len(x)) * step
    return np.array([(function(x + unit) - function(x - unit)) / (2 * step) for unit in units])


def hessian(function, x, step=1e-3):
    def slope(at):
        return gradient(function, at, step)

    units = np.eye(len(x)) * step
    found = np.array([(slope(x + unit) - slope(x - unit)) / (2 * step) for unit in units])
    return (found + found.T) / 2


def maximum(function, size):
    """By the method of Broyden, Fletcher, Goldfarb and Shanno."""
    x, inverse = np.zeros(size), np.eye(size) * 0.05
    slope = gradient(function, x)
    for _ in range(500):
        step = inverse @ slope
        while function(x + step) < function(x) and np.abs(step).max() > 1e-10:
            step /= 2
        x = x + step
        after = gradient(function, x)
        change = slope - after
        slope = after
        if np.abs(slope).max() < 1e-6 or np.abs(step).max() <= 1e-10:
            break
        if step @ change > 0:
            left = np.eye(size) - np.outer(step, change) / (step @ change)
            inverse = left @ inverse @ left.T + np.outer(step, step) / (step @ change)
    return x


def root(matrix):
    values, vectors = np.linalg.eigh(matrix)
    return vectors @ np.diag(np.sqrt(np.maximum(values, 0))) @ vectors.T


def student(freedom):
    """The 97.5 % quantile, by the trapezoidal rule and bisection."""
    if freedom > 1e6:
        return 1.959963984540054
    freedom = max(freedom, 1.0)
    half = np.linspace(0, np.pi / 2, 200001)
    # With t = sqrt(f) tan(a), the density in a is cos(a)^(f - 1).
    density = np.cos(half) ** (freedom - 1)
    area = np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2)])
    angle = np.interp(0.95 * area[-1], area, half)
    return np.sqrt(freedom) * np.tan(angle)


def moderate(model, x, information):
    """As `x`, but with strengths, and seats of a table, as far apart as without their errors."""
    moderate, own = x.copy(), np.diag(information)
    if all(len(games) == 1 for games in model.blocks.values()):
        return moderate
    groups = [(0, model.players)] + [(at, count) for count, at in model.seats_at.items()]
    for at, count in groups:
        group = slice(at, at + count)
        values, weights = x[group], own[group]
        mean = np.average(values, weights=weights)
        by_games = 1 - model.precision[group] / weights
        errors = np.sum(by_games * (1 - weights / weights.sum()) ** 2)
        apart = np.sum(weights * (values - mean) ** 2)
        if apart > 0:
            moderate[group] = mean + np.sqrt(max(0, 1 - errors / apart)) * (values - mean)
    return moderate


def fourth_cumulant(games, x, told):
    """Of a sum of the derivatives of a block: of its choices, each given the ones before it."""
    found = 0.0
    for terms in games:
        for _, rows in terms:
            weights = np.exp(rows @ x - np.logaddexp.reduce(rows @ x))
            off = rows @ told - weights @ (rows @ told)
            found += weights @ off**4 - 3 * (weights @ off**2) ** 2
    return found


def brute_force(data):
    model = Model(data)
    x = maximum(model.log_posterior, model.size)
    near = moderate(model, x, -hessian(model.log_posterior, x))
    all_known = -hessian(model.log_posterior, near)
    inverse = np.linalg.inv(all_known)
    middle, informations = np.diag(model.precision), []
    for games in model.blocks.values():
        of_block = lambda at, games=games: model.games_log_likelihood(games, at)
        information = -hessian(of_block, near)
        if len(games) == 1:
            middle = middle + information
            continue
        informations.append((information, games))
        # A f = (I - Φ K)^(-1/2) f, by eigenvalues of the symmetric root of K.
        of_root = root(inverse)
        values, vectors = np.linalg.eigh(of_root @ information @ of_root)
        grown = vectors @ np.diag((1 - values) ** -0.5) @ vectors.T
        back = np.linalg.inv(of_root)
        slope = back @ grown @ of_root @ gradient(of_block, x)
        # Beside its own blocks, each player has two that end as expected.
        share = max(information[at, at] / all_known[at, at] for at in range(model.players))
        square = np.outer(slope, slope)
        middle = middle + (square + 2 * share * information) / (1 + 2 * share)
    covariance = inverse @ middle @ inverse
    nu = np.exp(x[model.ties_at[2]]) if 2 in model.ties_at else 0.0
    draws = nu / (2 + nu)
    scale = ELO * (1 - draws)

    def freedom(weights):
        told = inverse @ weights
        variance = told @ weights
        squares = sum((told @ one @ told) ** 2 for one, _ in informations)
        fourths = sum(fourth_cumulant(games, near, told) for _, games in informations)
        if squares <= 0:
            return len(informations) - 1 if informations else np.inf
        found = variance**2 / squares - 1
        if found <= 0:
            return 2
        return 2 + 1 / (1 / found + fourths / (2 * variance**2))

    def figure(weights):
        value, degrees = weights @ x, freedom(weights)
        weights = weights.copy()
        if 2 in model.ties_at:
            weights[model.ties_at[2]] -= draws * value
        error = np.sqrt(weights @ covariance @ weights)
        return [scale * value, scale * error * student(degrees)]

    players = np.eye(model.size)[: model.players]
    mean = players.mean(axis=0)
    seats = {}
    for count, at in model.seats_at.items():
        units = np.eye(model.size)[at : at + count]
        seats[str(count)] = [
            figure(unit - units.mean(axis=0)) for unit in units
        ]
    return {
        "ratings": [figure(unit - mean) for unit in players],
        "differences": [
            figure(players[0] - players[at]) for at in range(1, model.players)
        ],
        "seats": seats,
        "ties": {str(size): float(np.exp(x[at])) for size, at in model.ties_at.items()},
    }


def by_choix(data):
    import choix

    rankings = [
        [player for _, player in sorted(zip(game["places"], game["players"]))]
        for game in data["games"]
    ]
    # Its penalty is alpha times the sum of squares.
    strengths = choix.opt_rankings(data["players"], rankings, alpha=PRIOR**-2 / 2, tol=1e-9)
    strengths = strengths - strengths.mean()
    return {"ratings": list(ELO * strengths)}


if __name__ == "__main__":
    data = json.load(sys.stdin)
    print(json.dumps(by_choix(data) if "choix" in sys.argv else brute_force(data)))
