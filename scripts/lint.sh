#!/usr/bin/env bash
# Formatting and documentation rules: of the whole source, with no exception.
set -euo pipefail
cd "$(dirname "$0")/.."
apps=(Apps/Livetape Apps/LivetapeStocks)
swift format lint --strict --parallel -r Sources "${apps[@]}" Web/WebFiles.swift StandIns Package.swift
swift format lint --strict --parallel --configuration .swift-format-tests -r Tests "${apps[@]/%/Tests}"
echo "Formatting and documentation: no findings"
