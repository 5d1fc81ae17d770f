#!/usr/bin/env python3
"""Counts the Autobahn suite's results: results.py INDEX…; fails unless all are right or informational."""

import collections
import json
import sys

EXPECTED_CASES = 247
FINE = {"OK", "INFORMATIONAL"}


def main(paths):
    bad = False
    for path in paths:
        with open(path) as file:
            ((agent, cases),) = json.load(file).items()
        counts = collections.Counter()
        for name, case in cases.items():
            counts[case["behavior"]] += 1
            for found in {case["behavior"], case["behaviorClose"]} - FINE:
                bad = True
                print(f"autobahn: {agent}, case {name}: {found}")
        said = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
        print(f"autobahn: {agent}: {len(cases)} cases, {said}")
        if len(cases) != EXPECTED_CASES:
            bad = True
            print(f"autobahn: {agent}: expected {EXPECTED_CASES} cases")
    return 1 if bad else 0


sys.exit(main(sys.argv[1:]))
