// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Writes the log's lines to stderr, with control characters escaped.
///
/// A line may have text from the network, which must not forge other lines, or command the terminal that shows them.
struct LogLines: TextOutputStream, Sendable {
  /// Writes a line with its end.
  var output: @Sendable (Data) -> Void = { try? FileHandle.standardError.write(contentsOf: $0) }

  /// Writes one line; `StreamLogHandler` writes each with its end.
  func write(_ line: String) {
    let end = line.unicodeScalars.last == "\n" ? 1 : 0
    let text = String(line.unicodeScalars.dropLast(end))
    output(Data((SafeText.escapedLine(text) + "\n").utf8))
  }
}
