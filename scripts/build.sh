#!/usr/bin/env bash
# Builds the release of `livetape` with its page, installs missing packages and reports it. Does
# nothing when no source has changed since the last build.
set -euo pipefail
cd "$(dirname "$0")/.."

started=.build/release-started
unfinished=$started.unfinished
# A deleted file changes its folder's time; what this script writes to Web is not a source.
if [ -x .build/release/livetape ] && [ -f "$started" ] &&
  [ -z "$(find Sources Package.swift scripts -newer "$started" -print -quit)" ] &&
  [ -z "$(find Web -path Web/page/built -prune -o -type f ! -name '*.wasm' -newer "$started" -print -quit)" ]; then
  exit 0
fi
scripts/preflight.sh 2
mkdir -p .build
touch "$unfinished"
scripts/apt-install.sh libsqlite3-dev libssl-dev
scripts/build-wasm.sh
scripts/build-page.sh
swift build -c release --product livetape
mv "$unfinished" "$started"
