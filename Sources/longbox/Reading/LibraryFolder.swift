// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxReaders
import LongboxStore

/// The folder in the user's configuration in which the terminal keeps its replica of the reader's library, as a phone does.
///
/// Its files are private: the key gives access to the library, and the session to the server.
struct LibraryFolder: Sendable {
  let location: URL

  /// - Parameters:
  ///   - server: another Longbox; nil for this machine's own.
  ///   - environment: the environment variables.
  /// - Throws: `ReaderError.disk` if there is no home folder.
  init(of server: ServerAddress?, environment: [String: String]) throws {
    location = try Self.base("XDG_CONFIG_HOME", ".config", environment)
      .appending(path: server?.folderName ?? "own", directoryHint: .isDirectory)
  }

  /// Longbox's folder below one of the XDG base directories.
  static func base(_ variable: String, _ usual: String, _ environment: [String: String]) throws -> URL {
    if let path = environment[variable], path.hasPrefix("/") {
      return URL(filePath: path, directoryHint: .isDirectory)
        .appending(path: "longbox", directoryHint: .isDirectory)
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw ReaderError.disk("There is no HOME to keep your library in. Set HOME or \(variable).")
    }
    return URL(filePath: home, directoryHint: .isDirectory)
      .appending(path: "\(usual)/longbox", directoryHint: .isDirectory)
  }

  private func file(_ name: String) -> URL { location.appending(path: name, directoryHint: .notDirectory) }

  /// The library's key, made at the first use.
  func key() throws -> ReaderKey {
    guard let text = text("key") else {
      let key = ReaderKey()
      try keep(key)
      return key
    }
    guard let key = ReaderKey(text: text) else {
      throw ReaderError.disk(
        "The file \(file("key").path) doesn’t contain a key. Put a copy back, or remove it for a new library."
      )
    }
    return key
  }

  func keep(_ key: ReaderKey) throws {
    try write(Array((key.text + "\n").utf8), as: "key")
  }

  /// The replica of the library; a new one if there is none.
  func replica() throws -> Replica {
    do {
      guard let bytes = try PrivateFile.read(file("library")) else {
        return Replica(device: .random(in: 1...UInt64.max))
      }
      return try Replica(decoding: bytes)
    } catch {
      throw ReaderError.disk(
        "Your library’s copy \(file("library").path) is damaged. Move it away: the server’s copy comes with the next command."
      )
    }
  }

  func keep(_ replica: Replica) throws { try write(replica.encoded(), as: "library") }

  /// The secret of this device's session at the server; nil if it never signed in.
  var session: String? { text("session") }

  func keep(session: String) throws { try write(Array((session + "\n").utf8), as: "session") }

  private func text(_ name: String) -> String? {
    (try? PrivateFile.read(file(name))).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  private func write(_ bytes: [UInt8], as name: String) throws {
    do {
      try make()
      try PrivateFile.write(bytes, to: file(name), isSynced: true)
    } catch {
      throw ReaderError.disk("Your library can’t be written to \(location.path): \(error)")
    }
  }

  private func make() throws {
    try FileManager.default.createDirectory(
      at: location,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  /// Runs work while no other command of this reader changes the folder.
  func locked<Value>(_ work: () async throws -> Value) async throws -> Value {
    do { try make() } catch {
      throw ReaderError.disk("Your library can’t be kept in \(location.path): \(error.localizedDescription)")
    }
    let descriptor = open(file("lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ReaderError.disk(
        "Your library can’t be kept in \(location.path): \(String(cString: strerror(errno)))."
      )
    }
    defer {
      // A child process that is just starting may have a copy of the descriptor, which would keep the lock.
      _ = flock(descriptor, LOCK_UN)
      close(descriptor)
    }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return try await work()
  }
}
