# Longbox
# SPDX-License-Identifier: MIT
#
# One word for each thing that is done often; the work itself stands in scripts/.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run run-recorded test check lint format wasm web bench screenshots pictures samples dist clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build for release and serve on http://127.0.0.1:8353
	@scripts/run.sh

run-recorded: ## The same, with recorded data in place of xkcd.com (LONGBOX_SHARED, or ../shared)
	@scripts/run-recorded.sh

test: ## Everything CI asks: import rules, web code, wasm and its budget, Swift tests, browser tests
	@scripts/test.sh

check: lint test ## Lint, then test

lint: ## Formatting, shell scripts, web code, who may import whom
	@scripts/lint.sh

format: ## Format all Swift in place
	@swift format --in-place --parallel --recursive Package.swift Sources Tests Web bench/search/Sources

wasm: ## Build the service worker's WebAssembly and hold it to its budget
	@scripts/install-prerequisites.sh wasm
	@scripts/build-wasm.sh

web: ## Build the pages' scripts and styles and the service worker into Web/dist, and check them
	@scripts/install-prerequisites.sh web test
	@scripts/build-web.sh
	@scripts/check-web.sh

bench: ## Measure, each figure beside its peer in the same run
	@scripts/bench.sh

screenshots: ## Every page at four sizes, light and dark, into screenshots/
	@scripts/screenshots.sh

pictures: ## The README's pictures, of the sample box
	@scripts/screenshots.sh --readme

samples: ## Draw the sample box anew
	@scripts/samples.sh

dist: ## Pack the release build into dist/
	@scripts/dist.sh

clean: ## Remove what was built; the data folder of a server is left alone
	@rm -rf .build .build-wasm .build-release .venv dist screenshots Web/dist/*
