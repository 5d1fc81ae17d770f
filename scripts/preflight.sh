#!/usr/bin/env bash
# Checks what a build needs before it begins: the toolchain, disk space and memory.
#   scripts/preflight.sh GIGABYTES    the size of the build folder
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "livetape: $*" >&2
  exit 1
}

command -v swift >/dev/null ||
  fail "no Swift toolchain found; install Swift 6.3 from https://www.swift.org/install"
version=$(swift --version 2>/dev/null | grep -oE 'Swift version [0-9]+\.[0-9]+' | grep -oE '[0-9]+\.[0-9]+' | head -n 1)
[ "$(printf '%s\n6.3\n' "${version:-0}" | sort -V | head -n 1)" = "6.3" ] ||
  fail "Swift ${version:-of an unknown version} found, but 6.3 or later is needed"

mebibytes=$((${1:-1} * 1024))
built=$(du -sm .build 2>/dev/null | cut -f 1 || true)
free=$(df -Pm . | awk 'NR == 2 {print $4}')
[ $((free + ${built:-0})) -ge "$mebibytes" ] ||
  fail "$free MB are free on the disk of $PWD, but the build needs $((mebibytes - ${built:-0})) MB more"

if [ -r /proc/meminfo ]; then
  memory=$(awk '/^(MemAvailable|SwapFree):/ {kib += $2} END {print int(kib / 1024)}' /proc/meminfo)
  [ "$memory" -ge 2048 ] || fail "$memory MB of memory are free, but the build needs 2,048 MB"
fi
