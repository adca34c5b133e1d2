// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// An open file of the system, closed when it goes away.
///
/// Foundation's own calls to write a file neither sync it nor say which system error stopped them; the store needs both.
struct OpenFile: ~Copyable {
  private let descriptor: Int32
  private let path: String

  /// Opens a file; it is not handed on to child processes.
  /// - Parameters:
  ///   - path: which file or folder.
  ///   - flags: of open(2).
  ///   - mode: the permissions of a new file.
  init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(FileError) {
    let descriptor = open(path, flags | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw FileError(path: path) }
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// The size in bytes.
  func size() throws(FileError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(path: path) }
    return Int(status.st_size)
  }

  /// Writes all bytes at the present position.
  func write(_ bytes: [UInt8]) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileError(path: path) }
      written += count
    }
  }

  /// Reads up to a number of bytes, fewer only where the file ends.
  func read(_ limit: Int) throws(FileError) -> [UInt8] {
    var failure: FileError?
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
      while filled < limit {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let count = Foundation.read(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        if count < 0 { failure = FileError(path: path) }
        guard count > 0 else { return }
        filled += count
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Waits until what was written is on the disk; of a folder: until its names are.
  func sync() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError(path: path) }
  }

  /// Takes the file's advisory lock for as long as the file is open, and says whether nobody else had it.
  func lock() throws(FileError) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw FileError(path: path) }
    return false
  }

  /// Gives the file's advisory lock up, also where the descriptor was copied.
  func unlock() {
    _ = flock(descriptor, LOCK_UN)
  }
}
