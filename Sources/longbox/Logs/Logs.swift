// Longbox
// SPDX-License-Identifier: MIT

import Logging

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

  /// The logger of a module.
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
