// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxServer

extension Settings {
  /// The file with the settings that let other devices in.
  var setupFile: URL { data.appending(path: Self.fileName) }

  /// Writes the settings that let other devices in.
  func writeSetup(names: [String]) throws {
    var lines = [
      "# Written by the set-up for other devices. Options and environment variables take precedence.",
      "host: \"\(isLoopback ? "0.0.0.0" : host)\"",
      "port: \"\(port)\"",
      "tls: \"auto\"",
    ]
    if !names.isEmpty { lines.append("hostNames: \"\(names.joined(separator: ","))\"") }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: setupFile, options: .atomic)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: setupFile.path)
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

/// Why the set-up has no effect; the description is a sentence.
private struct SetupError: Error, CustomStringConvertible {
  let description: String
}
