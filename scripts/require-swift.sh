#!/usr/bin/env bash
# Checks for the Swift 6.3 toolchain and the Debian packages that a build needs; installs the latter.
set -euo pipefail

if ! command -v swift >/dev/null; then
  echo "livetape: no Swift toolchain found; install Swift 6.3 from https://www.swift.org/install" >&2
  exit 1
fi
version=$(swift --version 2>/dev/null | grep -oE 'Swift version [0-9]+\.[0-9]+' | grep -oE '[0-9]+\.[0-9]+' | head -n 1)
if [ "$(printf '%s\n6.3\n' "${version:-0}" | sort -V | head -n 1)" != "6.3" ]; then
  echo "livetape: Swift ${version:-of an unknown version} found, but 6.3 or later is needed" >&2
  exit 1
fi
