// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxReaders

/// Writes each line as a JSON object to stderr: `time`, `level`, `module`, `message`, and perhaps `request` and `details`.
struct JSONLogHandler: LogHandler {
  private struct Line: Encodable {
    let time: Date
    let level: String
    let module: String
    let message: String
    /// The number of the request, which is also in its response and in the access log.
    let request: String?
    let details: [String: String]?
  }

  /// The logger metadata with the number of a request, by Hummingbird's name.
  private static let requestKey = "hb.request.id"

  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.notice
  private let module: String
  private let write: @Sendable (Data) -> Void

  /// Makes a handler.
  /// - Parameters:
  ///   - label: the logger's label; the part after the last dot is the module.
  ///   - write: writes a line with its end.
  init(
    label: String,
    write: @escaping @Sendable (Data) -> Void = { try? FileHandle.standardError.write(contentsOf: $0) }
  ) {
    module = label.split(separator: ".").last.map(String.init) ?? label
    self.write = write
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var details = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues(\.description)
    if let error = event.error { details["error"] = "\(error)" }
    let request = details.removeValue(forKey: Self.requestKey)
    let line = Line(
      time: Date(),
      level: event.level.rawValue,
      module: module,
      message: event.message.description,
      request: request,
      details: details.isEmpty ? nil : details
    )
    let encoder = JSONEncoder.stable
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
    guard let bytes = try? encoder.encode(line) else { return }
    write(Data((SafeText.escapedJSON(String(decoding: bytes, as: UTF8.self)) + "\n").utf8))
  }
}
