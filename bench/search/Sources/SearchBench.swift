// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser

/// Measures in-process search of Longbox and of SQLite's FTS5; `bench/searching.py` runs it.
@main
struct SearchBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search-bench",
    abstract: "Measures Longbox's search beside SQLite's FTS5 on the same texts.",
    subcommands: [Prepare.self, Ask.self]
  )
}
