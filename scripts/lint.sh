#!/usr/bin/env bash
# Formatting and documentation rules: of the whole source, with no exception.
set -euo pipefail
cd "$(dirname "$0")/.."
shipped=(Sources Apps/Livetape Apps/LivetapeStocks Apps/StandIns Web/WebFiles.swift Package.swift)
tests=(Tests Apps/Fixtures Apps/Previews Apps/Tests Apps/LivetapeTests Apps/LivetapeStocksTests)
swift format lint --strict --parallel -r "${shipped[@]}"
swift format lint --strict --parallel --configuration .swift-format-tests -r "${tests[@]}"
echo "Formatting and documentation: no findings"
