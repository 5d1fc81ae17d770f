"""A process's resource use, second by second, and whether it is flat; from /proc."""

import os
import pathlib
import statistics
import time


class Watch:
    def __init__(self, name, process):
        self.name = name
        self._process = process
        self._pid = process.pid
        self.samples = []

    def sample(self):
        """Adds a sample; fails when the process has ended."""
        self._process.check()
        status = {}
        for line in pathlib.Path(f"/proc/{self._pid}/status").read_text().splitlines():
            name, _, value = line.partition(":")
            status[name] = value.split()
        self.samples.append({
            "at": time.monotonic(), "memory": int(status["VmRSS"][0]) / 1024, "threads": int(status["Threads"][0]),
            "descriptors": len(os.listdir(f"/proc/{self._pid}/fd")), "processor": self._process.processor_seconds()})

    def latest(self, figure):
        return self.samples[-1][figure]

    def core(self, first=0):
        """The share of a core since a sample."""
        begin, end = self.samples[first], self.samples[-1]
        return (end["processor"] - begin["processor"]) / max(1e-9, end["at"] - begin["at"])

    def course(self, figure, warm_up):
        """The course of a figure after warm-up."""
        start = self.samples[0]["at"] + warm_up
        kept = [one for one in self.samples if one["at"] >= start] or self.samples
        values = [one[figure] for one in kept]
        quarter = max(1, len(values) // 4)
        return {
            "first": statistics.median(values[:quarter]), "last": statistics.median(values[-quarter:]),
            "most": max(values), "slope": slope([one["at"] / 3600 for one in kept], values)}


def slope(times, values):
    """The least-squares slope; 0 for a single value."""
    middle, mean = statistics.fmean(times), statistics.fmean(values)
    spread = sum((time - middle) ** 2 for time in times)
    return sum((time - middle) * (value - mean) for time, value in zip(times, values)) / spread if spread else 0.0


def percentile(values, share):
    """The value that `share` percent do not exceed; NaN without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))] if ordered else float("nan")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])
