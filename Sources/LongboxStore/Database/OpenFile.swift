// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// An open file, closed on deinit.
///
/// The store needs open(2)'s flags, flock(2), fsync(2) and the system's error number.
struct OpenFile: ~Copyable {
  private let descriptor: Int32
  private let path: String

  /// Opens a regular file or a folder; child processes don't inherit it.
  ///
  /// Anything else is refused, because a pipe or a device may never end. Opening a pipe doesn't wait for its other end.
  /// What is opened for writing must not be a link.
  /// - Parameters:
  ///   - path: the file or folder.
  ///   - flags: of open(2).
  ///   - mode: the permissions of a new file.
  ///   - byRoot: whether root's rights may be used to read it, see ``FolderOwner/allowing(_:_:_:)``.
  init(_ path: String, _ flags: Int32, mode: mode_t = 0o600, byRoot: Bool = false) throws(FileError) {
    let writes = flags & O_ACCMODE != O_RDONLY
    let flags = flags | O_CLOEXEC | O_NONBLOCK | (writes ? O_NOFOLLOW : 0)
    let descriptor =
      byRoot
      ? FolderOwner.allowing(R_OK, URL(filePath: path)) { open(path, flags, mode) } : open(path, flags, mode)
    // A pipe without a reader can't be opened for writing, nor can a socket.
    guard descriptor >= 0 else { throw errno == ENXIO ? FileError(special: path) : FileError(path: path) }
    guard Self.isFileOrFolder(descriptor) else {
      close(descriptor)
      throw FileError(special: path)
    }
    self.descriptor = descriptor
    self.path = path
  }

  private static func isFileOrFolder(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  deinit { close(descriptor) }

  func size() throws(FileError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(path: path) }
    return Int(status.st_size)
  }

  func write(_ bytes: [UInt8]) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileError(path: path) }
      written += count
    }
  }

  /// Reads up to a number of bytes; fewer only at the end of the file.
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

  /// Reads the whole file.
  func readAll() throws(FileError) -> [UInt8] {
    let size = try size()
    return try read(size)
  }

  /// Replaces the file's content; if that fails, it may be empty.
  func replace(_ bytes: [UInt8]) throws(FileError) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw FileError(path: path)
    }
    try write(bytes)
  }

  /// Waits until the file's bytes, or a folder's names, are on the disk.
  func sync() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError(path: path) }
  }

  /// Takes the file's advisory lock until the file is closed; returns whether it was free.
  func lock() throws(FileError) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw FileError(path: path) }
    return false
  }

  /// Releases the file's advisory lock, even if the descriptor was copied.
  func unlock() {
    _ = flock(descriptor, LOCK_UN)
  }
}
