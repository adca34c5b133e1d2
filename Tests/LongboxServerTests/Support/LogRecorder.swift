// Longbox
// SPDX-License-Identifier: MIT

import Logging
import Synchronization

@testable import LongboxServer

/// Records what is logged.
final class LogRecorder: Sendable {
  struct Line: Equatable {
    let text: String
    let count: String?
    let last: String?
  }

  private struct Handler: LogHandler {
    let recorder: LogRecorder
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.notice

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let line = Line(
        text: event.message.description,
        count: event.metadata?["count"]?.description,
        last: event.metadata?["last"]?.description
      )
      recorder.recorded.withLock { $0.append(line) }
    }
  }

  private let recorded = Mutex<[Line]>([])

  var lines: [Line] { recorded.withLock { $0 } }

  /// The number of lines for a kind of rejection.
  func count(of incident: Incident) -> Int { lines.count { $0.text == incident.sentence } }

  var logger: Logger { Logger(label: "test") { _ in Handler(recorder: self) } }
}
