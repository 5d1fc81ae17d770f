# The two commands are `make run` and `make test`; the others are for people who work on Livetape.
SHELL := /bin/bash
BROWSER_TESTS := Tests/BrowserTests

.PHONY: run build test test-all check lint format bench load page-measures fuzz clients autobahn screenshots ios-previews \
  deb test-deb clean

## Build everything and serve the page on simulated venues. ARGS are handed to `livetape serve`.
run: build
	@exec .build/release/livetape serve $(ARGS)

build:
	@scripts/build.sh

## Format, Swift tests, and the page in a real browser. Installs what is missing and says so.
test:
	@scripts/test.sh

## All of that with the full counts of kills, seeds and messages, the fuzz targets, the previews and
## the tests of the stand-ins.
test-all:
	@scripts/test.sh all

## Format, types, and the Swift tests of the targets that differ from a commit; COMMIT is HEAD unless named.
check:
	@scripts/check.sh $(COMMIT)

lint:
	@scripts/lint.sh

format:
	swift format -i -r Sources Apps Proof Tests Web/*.swift Package.swift

## Measure; prints ratios against plain versions of the same work.
bench:
	cd Proof/Benchmarks && swift run -c release MarketBenchmarks $(ARGS)
	cd Proof/Benchmarks && swift run -c release OrdersBenchmark
	cd Proof/Benchmarks/Matching && swift run -c release MatchingBenchmark
	@$(MAKE) build
	python3 Proof/Benchmarks/LatencyBenchmark/run.py
	@$(BROWSER_TESTS)/prepare.sh
	$(BROWSER_TESTS)/.venv/bin/python Proof/Benchmarks/ChartBenchmark/run.py

## Pages that never read, a flood, a soak with faults: is anything left behind? ARGS="soak --minutes 60".
load: build
	python3 Proof/Benchmarks/LoadBenchmark/run.py $(ARGS)

## First values, weight, frames and memory of the page in Chromium, as Markdown tables.
page-measures: build
	@$(BROWSER_TESTS)/prepare.sh
	$(BROWSER_TESTS)/.venv/bin/python Proof/Benchmarks/PageMeasures/run.py $(ARGS)

## Fuzz every parser and the whole stack. SECONDS_EACH is the time of each target; TARGETS names some
## of them, or all `parsers` or the `stack`.
fuzz:
	@Proof/Fuzz/run.sh $(or $(SECONDS_EACH),60) $(TARGETS)

## Public clients of six book venues against the simulated venues; installs them from PyPI.
clients:
	swift build --product livetape
	@Proof/PublicClients/run.sh

## The Autobahn test suite against both ends of our WebSocket; needs a Python 2.7.
autobahn:
	LIVETAPE_ALL=1 swift build --product websocket-echo
	@Proof/Autobahn/run.sh

## Pictures of every screen at three widths in both themes, into .build/screenshots.
screenshots: build
	@$(BROWSER_TESTS)/screenshots.sh .build/screenshots

## Pages and pictures of every screen of the iOS apps, into .build/ios-previews; for Linux.
ios-previews:
	@scripts/ios-previews.sh .build/ios-previews

## A Debian package, into .build/deb: the release with the Swift runtime in it, and a systemd unit.
deb:
	@scripts/preflight.sh 2
	@scripts/apt-install.sh libsqlite3-dev libssl-dev dpkg-dev \
	  libcurl4-openssl-dev libxml2-dev zlib1g-dev
	@scripts/build-wasm.sh
	@scripts/build-page.sh
	@scripts/make-deb.sh

## Installs the package into a fresh root, runs it there, kills it and starts it again. Needs root.
test-deb:
	@scripts/apt-install.sh debootstrap curl
	@Tests/PackageTests/run.sh

clean:
	rm -rf .build .build-* Proof/Benchmarks/{,*/}.build .venv
