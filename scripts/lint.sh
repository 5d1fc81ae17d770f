#!/usr/bin/env bash
# Formatting and documentation rules: of the whole source, with no exception; and the types of the
# page's modules.
set -euo pipefail
cd "$(dirname "$0")/.."
apps=(Apps/Livetape Apps/LivetapeStocks)
swift format lint --strict --parallel -r Sources "${apps[@]}" Web/WebFiles.swift StandIns Package.swift
swift format lint --strict --parallel --configuration .swift-format-tests -r Tests "${apps[@]/%/Tests}"
echo "Formatting and documentation: no findings"

# Types, and what is imported or declared without use. Debian's own linter of JavaScript, ESLint 6,
# can't read private members.
if command -v tsc >/dev/null || scripts/apt-install.sh node-typescript; then
  tsc --project Web/jsconfig.json
  echo "Types of the page: no findings"
else
  echo "Types of the page: NOT CHECKED (no TypeScript compiler: apt-get install node-typescript)" >&2
fi
