// Longbox
// SPDX-License-Identifier: MIT

import Crypto
public import Foundation

extension VAPIDKeys {
  /// The keys can't be had.
  public enum FileProblem: Error, Equatable, Sendable {
    /// The file can't be made, read or written.
    case unusable(path: String, reason: String)
    /// The file holds no key.
    case damaged(path: String)
  }

  /// The file's name in the data folder: PKCS #8 in PEM, which other tools read as well.
  public static var fileName: String { "vapid.pem" }

  /// Reads the keys that are kept, and makes them where there are none yet.
  ///
  /// The file is its owner's alone (0600), and there whole or not at all.
  /// - Parameter folder: the data folder, which one process at a time may write.
  public static func kept(in folder: URL) throws(FileProblem) -> VAPIDKeys {
    if let keys = try stored(in: folder) { return keys }
    let keys = VAPIDKeys()
    try keys.write(to: folder.appending(path: fileName).path)
    return keys
  }

  /// Reads the keys that are kept; nothing where there are none.
  /// - Parameter folder: the data folder.
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
    // What a kill left of an earlier try.
    unlink(fresh)
    let file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system(fresh) }
    defer { close(file) }
    let bytes = Array((privateKey.pemRepresentation + "\n").utf8)
    guard Foundation.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
      throw .system(fresh)
    }
    guard rename(fresh, path) == 0 else { throw .system(path) }
    // The name is on the disk once the folder is.
    let folder = open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { throw .system(path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw .system(path) }
  }
}

extension VAPIDKeys.FileProblem {
  /// What the call of the system that has just failed says.
  fileprivate static func system(_ path: String) -> Self {
    .unusable(path: path, reason: String(cString: strerror(errno)))
  }
}

extension VAPIDKeys.FileProblem: CustomStringConvertible {
  /// A sentence or two that say what is wrong and what to do.
  public var description: String {
    switch self {
    case .unusable(let path, let reason):
      "Longbox can't use \(path), the key for notifications: \(reason). Check that you may read and write there."
    case .damaged(let path):
      "\(path) holds no key for notifications. Put back a copy of it; without one, move it away to start anew: "
        + "readers then have to switch notifications on again."
    }
  }
}
