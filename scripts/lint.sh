#!/usr/bin/env bash
# Formatting and documentation rules: of the whole source, with no exception.
set -euo pipefail
cd "$(dirname "$0")/.."
swift format lint --strict --parallel -r Sources Web/WebFiles.swift StandIns Package.swift
swift format lint --strict --parallel --configuration .swift-format-tests -r Tests
echo "Formatting and documentation: no findings"
