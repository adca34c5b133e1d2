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
    try keys.write(to: folder.appending(path: fileName).path)
    return keys
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
    do {
      return VAPIDKeys(try P256.Signing.PrivateKey(pemRepresentation: text))
    } catch {
      throw .damaged(path: path)
    }
  }

  private func write(to path: String) throws(FileProblem) {
    let fresh = path + ".new"
    // Left by a process that was killed while writing.
    unlink(fresh)
    let file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system(fresh) }
    defer { close(file) }
    let bytes = Array((privateKey.pemRepresentation + "\n").utf8)
    guard Foundation.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
      throw .system(fresh)
    }
    guard rename(fresh, path) == 0 else { throw .system(path) }
    // The new name is durable after the folder is synced.
    let folder = open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { throw .system(path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw .system(path) }
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
    }
  }
}
