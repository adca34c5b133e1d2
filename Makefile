# Longbox
# SPDX-License-Identifier: MIT
#
# Short names for common tasks; the work is done in scripts/.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# Builds for release, with longbox-replay for tests, unless LONGBOX_BINARIES is a folder with built programs.
BUILT = if [[ -z $${LONGBOX_BINARIES:-} ]]; then scripts/build-release.sh $(REPLAY); export LONGBOX_BINARIES=$$(swift build -c release --show-bin-path); fi
test-engines test-cluster soak: REPLAY = longbox-replay
.PHONY: help run run-recorded test test-engines test-cluster fuzz soak lint format wasm web bench screenshots pictures deb dist release test-package clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build for release and serve on http://127.0.0.1:8353; ARGUMENTS go to longbox serve
	@$(BUILT); exec "$$LONGBOX_BINARIES/longbox" serve $(ARGUMENTS)

run-recorded: ## Build and serve recorded data instead of xkcd.com (from LONGBOX_SHARED, or ../shared)
	@scripts/run-recorded.sh

test: ## Run what CI runs: lint, WebAssembly and its size budget, all tests, a short soak
	@scripts/test.sh

test-engines: ## Run Tests/Engines: reading, offline and sync in Chromium, Firefox and WebKit; ARGUMENTS go to pytest
	@scripts/install-prerequisites.sh test engines
	@$(BUILT); scripts/python.sh -m pytest Tests/Engines -n 2 --dist worksteal $(ARGUMENTS)

test-cluster: ## Kill, pause, cut off and replace three nodes on PostgreSQL while readers go on: 50,000 changes, as root; begins with the programs of LONGBOX_BINARIES_BEFORE, if that is set
	@scripts/install-prerequisites.sh test
	@$(BUILT); scripts/python.sh -m pytest Tests/Cluster --long $(ARGUMENTS)

fuzz: ## Feed random bytes to all readers of untrusted bytes, FUZZ_SECONDS (60) each
	@scripts/fuzz.sh

soak: ## Use a release build for SOAK_SECONDS (1800) while its sources fail, and look for what grows
	@scripts/install-prerequisites.sh test
	@$(BUILT); scripts/python.sh Tests/Soak/soak.py --seconds "$${SOAK_SECONDS:-1800}" $(ARGUMENTS)

lint: ## Check formatting, scripts, web code, imports, spelling and links, without a build
	@scripts/lint.sh

format: ## Format all Swift and Python code
	@scripts/install-prerequisites.sh lint
	@swift format --in-place --parallel --recursive Package.swift Fuzz/Package.swift Fuzz/Sources/fuzz Sources Tests Web bench/search/Sources
	@scripts/python.sh -m ruff format --quiet

wasm: ## Build the service worker's WebAssembly and check its size budget
	@scripts/install-prerequisites.sh wasm
	@scripts/build-wasm.sh

web: ## Build Web/dist (scripts, style sheets, service worker) and check the web code
	@scripts/install-prerequisites.sh web test
	@scripts/build-web.sh
	@scripts/checks/web.sh

bench: ## Run the benchmarks, each beside a comparable program
	@scripts/bench.sh

screenshots: ## Take screenshots of every state of every page, at five sizes, light and dark, into screenshots/; ENGINES=all: of three engines side by side
	@scripts/screenshots.sh $(if $(ENGINES),--engines $(ENGINES))

pictures: ## Take the README's screenshots, of the sample box
	@scripts/screenshots.sh --readme

deb: ## Build the Debian package in dist/, of a release build or of LONGBOX_BINARIES
	@scripts/build-deb.sh

dist: ## Pack the same into a tar.gz in dist/
	@scripts/dist.sh

release: ## Make package, tar.gz, bill of materials, notes and checksums in dist/
	@scripts/release.sh

test-package: ## Install, upgrade and purge the package of dist/ in a container with systemd, as root
	@scripts/test-package.sh

clean: ## Delete everything that was built; your data folder stays
	@rm -rf .build .build-wasm .venv dist screenshots Web/dist/*
