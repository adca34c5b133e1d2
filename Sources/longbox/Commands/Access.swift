// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxReaders
import LongboxStore

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
