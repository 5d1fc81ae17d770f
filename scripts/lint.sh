#!/usr/bin/env bash
# Formatting and documentation rules for the whole source, and types of the page's modules.
set -euo pipefail
cd "$(dirname "$0")/.."
shipped=(Sources Apps/{Briefs,Livetape,LivetapeStocks,PhoneApp,PhoneStores,StandIns,StocksApp}
  Proof Web/*.swift Package.swift)
tests=(Tests Apps/Fixtures Apps/Previews Apps/Tests Apps/LivetapeTests Apps/LivetapeUITests
  Apps/LivetapeStocksTests)
# In batches: the formatter keeps all files of a run open, and a user may have 1,024 at a time.
lint() {
  local -n places=$1
  shift
  find "${places[@]}" -name .build -prune -o -name '*.swift' -print0 |
    xargs -0 -n 100 -P "$(nproc)" swift format lint --strict "$@"
}
lint shipped
lint tests --configuration .swift-format-tests
echo "Formatting and documentation: no findings"

# Types, and unused imports and declarations. Debian's JavaScript linter, ESLint 6, can't parse
# private members.
if command -v tsc >/dev/null || scripts/apt-install.sh node-typescript; then
  tsc --project Web/jsconfig.json
  echo "Types of the page: no findings"
else
  echo "Types of the page: NOT CHECKED (no TypeScript compiler: apt-get install node-typescript)" >&2
fi
