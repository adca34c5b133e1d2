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
