#!/usr/bin/env bash
# Builds the release page into Web/page/built: one script, one style, and the wasm, all under names
# with content hashes, and compressed. Takes a second; does nothing when it is up to date. Without
# it the server serves the modules in Web/page/assets.
set -euo pipefail
cd "$(dirname "$0")/.."

page=Web/page
built=$page/built

is_new() {
  [ -f "$built/sources.txt" ] \
    && [ -z "$(find "$page" scripts/bundle-page.py "$0" -path "$built" -prune -o \
      -newer "$built/sources.txt" -print -quit)" ]
}

if [ "${1:-}" != "--force" ] && is_new; then
  exit 0
fi

for tool in esbuild brotli python3; do
  command -v "$tool" >/dev/null || scripts/apt-install.sh "$tool" || {
    echo "build-page: $tool is missing; the page is served as modules, larger and slower" >&2
    rm -rf "$built"
    exit 0
  }
done
exec python3 scripts/bundle-page.py "$page" .build-page
