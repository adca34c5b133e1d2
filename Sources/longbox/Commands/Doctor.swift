// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Logging
import LongboxServer
import LongboxUpstream

struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the store, the machine and the sources, and say what to do.",
    discussion: """
      Works beside a running server and without one, and changes nothing. Each line is ok, warning or problem. Exits with 0 if all \
      are ok, with 1 if the worst is a warning, and with 2 if there is a problem.
      """
  )

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @OptionGroup var options: Options

  func run() async throws {
    try await reportingErrors {
      let settings = try await DataFolder.settings(options)
      var logger = Logger(label: "longbox")
      logger.logLevel = .critical
      let connections = HTTPConnections(connectTimeout: .seconds(5), readTimeout: .seconds(5))
      let examination = Examination(
        of: settings.store,
        settings: settings.server(),
        sources: settings.sourceQuestions(over: connections, logger: logger),
        refusedHosts: { [data = settings.data] in
          guard let health = try? await ServerClient(of: data)?.get("/healthz") else { return nil }
          return RefusedHosts(health: health.body)
        }
      )
      let diagnosis = await examination.diagnosis()
      try? await connections.close()
      let console = Console()
      if json {
        try console.writeJSON(diagnosis)
      } else {
        for line in diagnosis.lines { Self.show(line, on: console) }
      }
      switch diagnosis.worst {
      case .ok: return
      case .warning: throw ExitCode(1)
      case .problem: throw ExitCode(2)
      }
    }
  }

  /// Writes a line; on a terminal, continuation lines are aligned with the text after the level.
  private static func show(_ finding: String, on console: Console) {
    let line = SafeText.line(finding)
    guard console.isTerminal, !line.hasPrefix(" ") else { return console.write(line) }
    let level = line.prefix { $0 != " " }
    let text = line.dropFirst(level.count).drop { $0 == " " }
    let indent = line.count - text.count
    let lines = TextWrapping.wrapped(String(text), to: max(console.window.columns - indent, 1))
    for (index, part) in lines.enumerated() {
      console.write(
        (index == 0 ? "" : String(repeating: " ", count: indent)) + (index == 0 ? line.prefix(indent) : "")
          + part
      )
    }
  }
}
