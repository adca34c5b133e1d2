// Longbox
// SPDX-License-Identifier: MIT

import Crypto
public import Foundation

extension VAPIDKeys {
  /// Why the keys can't be loaded or stored.
  public enum FileProblem: Error, Equatable, Sendable {
    /// The file can't be created, read or written.
    case unusable(path: String, reason: String)
    /// The file contains no key.
    case damaged(path: String)
    /// The file contains another key than the database.
    case different(path: String)
    /// The database contains no key where it should.
    case unreadableInDatabase
  }

  /// The name of the file in the data folder: PKCS #8 in PEM, which other tools can read.
  public static var fileName: String { "vapid.pem" }

  /// Loads the stored keys, or creates and stores new ones.
  ///
  /// The file is readable by its owner only (0600) and written atomically.
  /// - Parameter folder: the data folder, which only one process at a time may write.
  public static func kept(in folder: URL) throws(FileProblem) -> VAPIDKeys {
    if let keys = try stored(in: folder) { return keys }
    let keys = VAPIDKeys()
    try keys.keep(in: folder)
    return keys
  }

  /// Stores the keys as a file.
  /// - Parameter folder: the data folder, which only one process at a time may write.
  public func keep(in folder: URL) throws(FileProblem) {
    try write(to: folder.appending(path: Self.fileName).path)
  }

  /// The keys as PKCS #8 in PEM.
  public var pem: String { privateKey.pemRepresentation + "\n" }

  /// Reads keys; nil if the text has none.
  public init?(pem: String) {
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else { return nil }
    self.init(key)
  }

  /// Loads the stored keys; nil if there are none.
  public static func stored(in folder: URL) throws(FileProblem) -> VAPIDKeys? {
    let path = folder.appending(path: fileName).path
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      if (error as? CocoaError)?.code == .fileReadNoSuchFile { return nil }
      throw .unusable(path: path, reason: error.localizedDescription)
    }
    guard let keys = VAPIDKeys(pem: text) else { throw .damaged(path: path) }
    return keys
  }

  private func write(to path: String) throws(FileProblem) {
    let fresh = path + ".new"
    // Left by a process that was killed while writing.
    unlink(fresh)
    do throws(FileProblem) {
      try writeNew(fresh)
      guard rename(fresh, path) == 0 else { throw FileProblem.system(path) }
    } catch {
      unlink(fresh)
      throw error
    }
    // The new name is durable after the folder is synced.
    let folder = open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { throw .system(path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw .system(path) }
  }

  /// Writes the keys to a file that must not exist, and waits for the disk.
  private func writeNew(_ path: String) throws(FileProblem) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system(path) }
    defer { close(file) }
    let bytes = Array(pem.utf8)
    var written = 0
    // After a short write, the next one reports the reason.
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw .system(path) }
      written += count
    }
    guard fsync(file) == 0 else { throw .system(path) }
  }
}

extension VAPIDKeys.FileProblem {
  /// The error of the system call that just failed.
  fileprivate static func system(_ path: String) -> Self {
    .unusable(path: path, reason: String(cString: strerror(errno)))
  }
}

extension VAPIDKeys.FileProblem: CustomStringConvertible {
  /// One or two sentences that say what is wrong and what to do.
  public var description: String {
    switch self {
    case .unusable(let path, let reason):
      "Longbox can't use \(path), the key for notifications: \(reason). Check that you may read and write there."
    case .damaged(let path):
      "\(path) holds no key for notifications. Put back a copy of it; without one, move it away to start again: "
        + "readers then have to switch notifications on again."
    case .different(let path):
      "\(path) holds another key for notifications than the database, which all nodes use. Move it away to use the database's; "
        + "readers who subscribed with the file's key have to switch notifications on again."
    case .unreadableInDatabase:
      "The database holds no readable key for notifications in the table “secret”. Restore a backup of it."
    }
  }
}
