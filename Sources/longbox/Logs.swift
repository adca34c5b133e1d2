// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxReaders

/// How much each module logs, and in which form.
struct Logs: Sendable {
  /// A module with a level of its own.
  enum Module: String, CaseIterable, Sendable {
    /// HTTP, certificates, backups.
    case server
    /// Comics, explanations and albums, and looking for new ones.
    case catalog
    /// Requests to xkcd and the other sources.
    case sources
    /// Notifications.
    case push
  }

  /// The form of a line.
  enum Format: String, Sendable {
    case text, json
  }

  var format = Format.text
  var level = Logger.Level.notice
  var levels: [Module: Logger.Level] = [:]

  /// Makes text loggers write through ``LogLines``.
  ///
  /// Call it once, before any logger is made.
  static func begin() {
    LoggingSystem.bootstrap { StreamLogHandler(label: $0, stream: LogLines()) }
  }

  func logger(of module: Module) -> Logger {
    let label = "longbox.\(module.rawValue)"
    var logger =
      switch format {
      case .text: Logger(label: label)
      case .json: Logger(label: label) { JSONLogHandler(label: $0) }
      }
    logger.logLevel = levels[module] ?? level
    return logger
  }
}

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
