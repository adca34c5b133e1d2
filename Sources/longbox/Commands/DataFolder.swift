// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import Foundation
import LongboxStore

/// Opens the data folder for commands.
enum DataFolder {
  /// Maximum wait for another command.
  static let timeout = Duration.seconds(5)

  /// Reads the settings of a command about the data folder, and takes the rights of the folder's owner if root runs it.
  ///
  /// The server and the commands for reading don't: root's own files belong to those as well.
  /// - Parameters:
  ///   - options: the command's options.
  ///   - further: further settings that the command line gives.
  ///   - needsRoot: whether the command also needs a file that root names, such as a backup.
  static func settings(
    _ options: Options,
    further: [AbsoluteConfigKey: ConfigValue] = [:],
    needsRoot: Bool = false
  ) async throws -> Settings {
    let settings = try await Settings.read(options, further: further)
    try takeRights(of: settings.data, needsRoot: needsRoot)
    return settings
  }

  /// Takes the rights of a folder's owner if root runs the command.
  static func takeRights(of folder: URL, needsRoot: Bool = false) throws {
    try FolderOwner(of: folder).takeRights(forGood: !needsRoot)
  }

  /// Opens the folder, and waits while another command has it open.
  ///
  /// If a server has it open, this fails at once, because a server runs for long.
  /// - Throws: `StoreError`, also if root would change another user's folder.
  static func open(_ location: StoreLocation) async throws(StoreError) -> Store {
    if let owner = try? FolderOwner(of: location.folder), owner.isOther {
      throw .unusable(
        path: location.folder.path,
        reason: "it belongs to another user",
        advice: "Run this as that user, not as root."
      )
    }
    return try await Store.open(location, within: timeout) { _ in ServerAddress(of: location.folder) == nil }
  }
}
