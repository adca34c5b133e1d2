// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// One process's exclusive right to change a data folder: an advisory lock (flock(2)), which the system
/// releases when the process ends.
final class FolderLock: Sendable {
  private let file: OpenFile

  /// Takes the lock.
  /// - Parameter place: the folder, which must exist.
  init(_ place: StorePlace) throws {
    file = try OpenFile(place.lock.path, O_RDWR | O_CREAT)
    guard try file.lock() else {
      throw StoreError.inUse(folder: place.folder.path, by: LockHolder.named(in: place.lock))
    }
    LockHolder.note(in: file)
  }

  /// Releases the lock, even if a child process that is just starting has a copy of the descriptor.
  func release() {
    file.unlock()
  }

  deinit { release() }
}

/// The process that holds a data folder's lock, according to the lock file.
enum LockHolder {
  /// Maximum length that is read, in bytes.
  private static let mostBytes = 100

  /// Writes this process into the lock file, such as `longbox serve (process 1234)`.
  ///
  /// On a full disk the file becomes empty, so it never names a wrong process.
  static func note(in file: borrowing OpenFile, _ process: ProcessInfo = .processInfo) {
    let words = process.arguments
    let program = words.first.map { URL(filePath: $0).lastPathComponent } ?? process.processName
    // Further arguments may be secret.
    let command = words.dropFirst().first.flatMap { $0.allSatisfy(\.isLetter) ? " \($0)" : nil } ?? ""
    try? file.replace(Array("\(program)\(command) (process \(process.processIdentifier))\n".utf8))
  }

  /// The process that a lock file names; nil if it names none.
  static func named(in file: URL) -> String? {
    guard let bytes = try? OpenFile(file.path, O_RDONLY).read(mostBytes), !bytes.isEmpty else { return nil }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard line.allSatisfy({ (0x20..<0x7F).contains($0) }), !line.isEmpty else { return nil }
    return String(decoding: line, as: UTF8.self)
  }
}
