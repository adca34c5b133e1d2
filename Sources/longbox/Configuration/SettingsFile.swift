// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxServer
import LongboxStore

extension Settings {
  /// The file with the settings that let other devices in.
  var setupFile: URL { data.appending(path: Self.fileName) }

  /// Writes the settings that let other devices in; other settings in the file stay.
  /// - Throws: `SetupError` if the file isn't one that the set-up can change; an error of the system.
  func writeSetup(names: [String]) throws {
    let old =
      try PrivateFile.read(setupFile).map { String(decoding: $0, as: UTF8.self) }
      ?? "# Written by the set-up for other devices. Options and environment variables take precedence.\n"
    let changes: [String: String?] = [
      "host": isLoopback ? "0.0.0.0" : host,
      "port": "\(port)",
      "tls": "auto",
      "hostNames": names.isEmpty ? nil : names.joined(separator: ","),
    ]
    guard let text = SettingsFile.changing(old, changes) else {
      throw SetupError(
        description: """
          \(setupFile.path) has a line that is no “key: value”, so the set-up can't change it. Write these settings there \
          yourself: \(SettingsFile.lines(changes).joined(separator: ", ")). Or move the file away, and try again.
          """
      )
    }
    try PrivateFile.write(Array(text.utf8), to: setupFile, isSynced: true)
  }

  /// Lets other devices in while the server runs.
  /// - Parameter read: reads the settings again.
  func networkSetup(read: @escaping @Sendable () async throws -> Settings) -> NetworkSetup {
    NetworkSetup { names in
      _ = try HouseholdSetup(in: data, hostNames: names, at: Date())
      try writeSetup(names: names)
      let settings = try await read()
      guard !settings.isLoopback else {
        throw SetupError(
          description: """
            The settings were written to \(setupFile.path), but an option, an environment variable such as LONGBOX_HOST, \
            or another file with settings keeps Longbox on this machine. Start it without that.
            """
        )
      }
      return settings.server(setup: settings.networkSetup(read: read))
    }
  }
}

/// Changes single settings in the text of a YAML file, and keeps its other lines and comments.
enum SettingsFile {
  /// The text with other values for some settings of the first level.
  /// - Parameter changes: values by key; a setting with nil is removed.
  /// - Returns: nil if a line of the first level isn't `key: value`.
  static func changing(_ text: String, _ changes: [String: String?]) -> String? {
    var kept: [Substring] = []
    var isRemoving = false
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      switch line.first {
      case "#", nil:
        kept.append(line)
        continue
      case " ", "\t", "-":
        // The line belongs to the setting above it, or begins the document ("---").
        break
      default:
        guard let key = key(of: line) else { return nil }
        isRemoving = changes.keys.contains(key)
      }
      if !isRemoving { kept.append(line) }
    }
    while kept.last?.isEmpty == true { kept.removeLast() }
    return (kept.map(String.init) + lines(changes)).map { $0 + "\n" }.joined()
  }

  /// A line for each setting that has a value, in the order of keys.
  static func lines(_ changes: [String: String?]) -> [String] {
    changes.sorted { $0.key < $1.key }.compactMap { key, value in value.map { "\(key): \"\($0)\"" } }
  }

  private static func key(of line: Substring) -> String? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let key = line[..<colon].filter { $0 != "\"" && $0 != "'" && $0 != " " }
    return key.isEmpty || key.contains("{") ? nil : String(key)
  }
}

/// Why the set-up has no effect; the description is a sentence.
struct SetupError: Error, CustomStringConvertible {
  let description: String
}
