#!/usr/bin/env bash
# Checks format, types, and the Swift tests of targets that differ from a commit.
#   scripts/check.sh [COMMIT]    HEAD unless named
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/preflight.sh 4
targets=$({ git diff --name-only "${1:-HEAD}" && git ls-files --others --exclude-standard; } |
  sed -nE 's,^(Sources/[^/]+|Tests|Apps|Apps/Tests|Proof)/([^/]+)/.*,\2,p' | sed -E 's/(Tests)?$/Tests/' | sort -u)
scripts/lint.sh
scripts/build-wasm.sh
scripts/build-page.sh
swift build --build-tests
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
# shellcheck disable=SC2086
scripts/unprivileged.sh scripts/swift-tests.sh "$log" RepositoryRulesTests $targets
grep -ahoE 'Test run with .*' "$log"/*.log
