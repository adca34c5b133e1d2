// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import Foundation
import Logging

extension Settings {
  /// How much commands log.
  var logLevel: Logger.Level { logs.level }

  /// How much each module logs: a level, or several parts of which those with `=` are for one module.
  static func logs(_ reader: ConfigReader) throws -> Logs {
    var logs = Logs()
    let text = list(reader, "log") ?? "notice"
    let modules = Logs.Module.allCases.map(\.rawValue).joined(separator: ", ")
    let error = SettingsError(
      key: "log",
      value: text,
      expected:
        "one of debug, info, notice, warning, error, and perhaps levels of modules (\(modules)): notice,sources=debug"
    )
    for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard let level = words.last.flatMap(Logger.Level.init(rawValue:)), words.count <= 2 else {
        throw error
      }
      if words.count == 1 {
        logs.level = level
      } else {
        guard let module = Logs.Module(rawValue: words[0]) else { throw error }
        logs.levels[module] = level
      }
    }
    let format = reader.string(forKey: "logFormat", default: "text")
    guard let known = Logs.Format(rawValue: format.lowercased()) else {
      throw SettingsError(key: "logFormat", value: format, expected: "text or json")
    }
    logs.format = known
    return logs
  }

  /// Whether `/metrics` is answered to this machine.
  static func metrics(_ reader: ConfigReader) throws -> Bool {
    let reach = reader.string(forKey: "metrics", default: "off")
    switch reach.lowercased() {
    case "off", "false", "no": return false
    case "loopback": return true
    default: throw SettingsError(key: "metrics", value: reach, expected: "off or loopback")
    }
  }
}
