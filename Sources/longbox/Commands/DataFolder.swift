// Longbox
// SPDX-License-Identifier: MIT

import Configuration
import Foundation
import Logging
import LongboxReaders
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

/// Opens the store for commands about signing in, beside a running server or without one.
enum Access {
  /// The access control of a store, loaded.
  static func control(in location: StoreLocation) async throws -> AccessControl {
    let access = AccessControl(store: try await store(in: location), logger: Logger(label: "longbox"))
    try await access.load()
    return access
  }

  /// Opens the store.
  ///
  /// Without a server it is opened for writing, which also creates or updates it.
  private static func store(in location: StoreLocation) async throws -> Store {
    do {
      return try await DataFolder.open(location)
    } catch StoreError.inUse {
      return try await Store.openForAccess(location)
    }
  }

  /// The passphrase in a file, without the end of its line.
  /// - Throws: `ReaderError.missing` if Longbox can't read the file, or if it has more than 4,096 bytes.
  static func passphrase(in file: String) throws -> String {
    let path = NSString(string: file).expandingTildeInPath
    let contents = FolderOwner.allowing(R_OK, URL(filePath: path)) {
      FileManager.default.contents(atPath: path)
    }
    guard let bytes = contents, bytes.count <= 4096 else {
      throw ReaderError.missing(
        "Longbox can't read a passphrase from \(file). The file must be readable, and at most 4,096 bytes long."
      )
    }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Asks for a new passphrase twice, without showing it.
  static func promptForNewPassphrase() throws -> String {
    let first = try prompt("New passphrase: ")
    try PassphraseError.check(first)
    guard try prompt("Repeat the passphrase: ") == first else {
      throw AccessProblem(description: "The two passphrases differ. Nothing was changed.")
    }
    return first
  }

  /// Asks for a passphrase, without showing it.
  static func prompt(_ text: String) throws -> String {
    try FolderOwner.allowing(R_OK, URL(filePath: "/dev/tty")) {
      // Without a terminal, getpass(3) reads standard input, and takes its end for an empty answer.
      guard let terminal = fopen("/dev/tty", "r+") else { throw noTerminal }
      fclose(terminal)
      guard let answer = getpass(text) else { throw noTerminal }
      return String(cString: answer).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  private static var noTerminal: AccessProblem {
    AccessProblem(description: "There is no terminal to ask for the passphrase. Use --passphrase-file.")
  }
}

/// Why a command about signing in failed.
struct AccessProblem: Error, CustomStringConvertible {
  let description: String
}
