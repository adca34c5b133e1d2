// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser

/// Measures search in process, Longbox's beside SQLite's FTS5: what `bench/search/` runs.
@main
struct SearchBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search-bench",
    abstract: "Measures Longbox's search beside SQLite's FTS5 on the same texts.",
    subcommands: [Prepare.self, Ask.self]
  )
}
