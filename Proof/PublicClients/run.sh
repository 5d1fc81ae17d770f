#!/usr/bin/env bash
# Public clients of BitMEX, Kraken, Coinbase, OKX, Bybit and Binance, unchanged but for the address, against
# `livetape simulate`, and compared with a `livetape serve` that reads the same simulator.
# They are installed from PyPI into .build/clients. Not part of `make test`.
set -uo pipefail
cd "$(dirname "$0")/../.."
here=Proof/PublicClients
program=${LIVETAPE_BIN:-.build/debug/livetape}

# environment NAME PACKAGE… : a Python environment with these packages.
environment() {
  local folder=.build/clients/$1
  shift
  [ -x "$folder/bin/python" ] || python3 -m venv "$folder" || return 1
  echo "clients: installing $*"
  "$folder/bin/pip" -q --disable-pip-version-check install --no-compile "$@"
}

environment ccxt-4.5.70 ccxt==4.5.70 || exit 1
environment ccxt-4.5.90 ccxt==4.5.90 || exit 1
environment bitmex-ws bitmex-ws==1.5.0 || exit 1
environment cryptofeed cryptofeed==2.4.1 || exit 1

folder=$(mktemp -d)
started=()
trap 'kill "${started[@]}" 2>/dev/null; wait; rm -rf "$folder"' EXIT

# start NAME ARGUMENTS… : runs the program in the background and sets `address` to the first one that it prints.
start() {
  local log=$folder/$1.log
  shift
  "$program" "$@" >"$log" 2>&1 &
  started+=($!)
  for _ in $(seq 300); do
    address=$(grep -oE '127\.0\.0\.1:[0-9]+' "$log" | head -n 1)
    [ -n "$address" ] && return
    sleep 0.1
  done
  cat "$log"
  exit 1
}
start venues simulate --port 0 --exchange-port 0 --seed 7
at=$address
start server serve --port 0 --data "$folder/data" \
  --url "kraken=ws://$at/kraken/v2" --url "coinbase=ws://$at/coinbase/advanced" \
  --url "okx=ws://$at/okx/ws/v5/public" --url "bybit=ws://$at/bybit/v5/public/spot" \
  --url "bybit-linear=ws://$at/bybit-linear/v5/public/linear" --url "binance=ws://$at/binance/stream"
server=$address

passed=0
failed=0
# client ENVIRONMENT SCRIPT ARGUMENTS…
client() {
  local name=$1 script=$2
  shift 2
  if timeout 120 ".build/clients/$name/bin/python" "$here/$script" "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "clients: $name $script $* FAILED"
  fi
}
client ccxt-4.5.70 bitmex_ccxt.py "$at"
client ccxt-4.5.90 kraken_ccxt.py "$at"
client bitmex-ws bitmex_ws.py "$at"
for venue in kraken coinbase okx bybit bybit-linear binance; do client ccxt-4.5.90 venue_ccxt.py "$venue" "$at" "$server"; done
for venue in bitmex okx binance; do client cryptofeed cryptofeed_books.py "$venue" "$at"; done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
