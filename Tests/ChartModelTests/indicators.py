"""Writes indicators.json: candles of a seeded random walk, and their indicators as NumPy computes them.

    pip install numpy && python Tests/ChartModelTests/indicators.py
"""

import json
import pathlib

import numpy as np

COUNT = 200
random = np.random.default_rng(20261127)
closes = 4_500_000 + np.cumsum(random.integers(-4000, 4001, COUNT))
opens = np.concatenate([closes[:1], closes[:-1]])
highs = np.maximum(opens, closes) + random.integers(0, 1500, COUNT)
lows = np.minimum(opens, closes) - random.integers(0, 1500, COUNT)


def fading(values, length, weight):
    """The mean of the first `length` values, then each new one has a weight."""
    means = np.full(len(values), np.nan)
    means[length - 1] = np.mean(values[:length])
    for at in range(length, len(values)):
        means[at] = means[at - 1] + (values[at] - means[at - 1]) * weight
    return means


def late(values, by):
    """`values` behind as many places without one."""
    return np.concatenate([np.full(by, np.nan), values])


def exponential(values, length):
    return fading(values, length, 2 / (length + 1))


def wilder(values, length):
    return fading(values, length, 1 / length)


windows = np.lib.stride_tricks.sliding_window_view(closes, 20)
middle = late(windows.mean(axis=1), 19)
deviation = late(windows.std(axis=1), 19)
changes = np.diff(closes)
gains, losses = wilder(np.maximum(changes, 0), 14), wilder(np.maximum(-changes, 0), 14)
macd = exponential(closes, 12) - exponential(closes, 26)
signal = late(exponential(macd[25:], 9), 25)
before = np.concatenate([closes[:1], closes[:-1]])
ranges = np.max([highs - lows, np.abs(highs - before), np.abs(lows - before)], axis=0)
ranges[0] = highs[0] - lows[0]

values = {
    "upper": middle + 2.5 * deviation, "middle": middle, "lower": middle - 2.5 * deviation,
    "rsi": late(10_000 * gains / (gains + losses), 1),
    "macd": macd, "signal": signal, "histogram": macd - signal, "atr": wilder(ranges, 14),
}
rows = {name: [None if np.isnan(value) else round(float(value), 3) for value in column]
        for name, column in values.items()}
candles = np.stack([highs, lows, closes], axis=1).tolist()
pathlib.Path(__file__).with_name("indicators.json").write_text(
    json.dumps({"candles": candles, "values": rows}, separators=(",", ":")) + "\n")
