// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

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

/// Files that only their owner may read.
public enum PrivateFile {
  /// Replaces a file atomically with one that has permissions 0600, whatever the umask.
  ///
  /// - Parameters:
  ///   - bytes: the new content.
  ///   - location: the file. Only one task at a time may write it.
  ///   - isSynced: whether to wait for the disk; otherwise the file may be empty after a power cut, or the old one be back.
  /// - Throws: an error with the path and the system's reason.
  public static func write(_ bytes: [UInt8], to location: URL, isSynced: Bool = false) throws {
    let fresh = location.path + ".new"
    // A file that a killed process left may have other permissions.
    unlink(fresh)
    do {
      let file = try OpenFile(fresh, O_WRONLY | O_CREAT | O_EXCL)
      try file.write(bytes)
      if isSynced { try file.sync() }
      guard rename(fresh, location.path) == 0 else { throw FileError(path: location.path) }
      if isSynced { try syncName(of: location) }
    } catch {
      unlink(fresh)
      throw error
    }
  }

  /// Writes a new file with permissions 0600, and waits for the disk.
  /// - Throws: an error with the path and the system's reason, also if there is such a file; that stays as it is.
  public static func create(_ bytes: [UInt8], at location: URL) throws {
    let file = try OpenFile(location.path, O_WRONLY | O_CREAT | O_EXCL)
    do {
      try file.write(bytes)
      try file.sync()
      try syncName(of: location)
    } catch {
      unlink(location.path)
      throw error
    }
  }

  /// Reads a file; nil if there is none.
  /// - Throws: an error with the path and the system's reason, also if something else is there, such as a pipe.
  public static func read(_ location: URL) throws -> [UInt8]? {
    do {
      return try OpenFile(location.path, O_RDONLY).readAll()
    } catch  where error.number == ENOENT {
      return nil
    }
  }

  /// Waits until the name of a file that was just written is on the disk.
  private static func syncName(of location: URL) throws {
    try OpenFile(location.deletingLastPathComponent().path, O_RDONLY).sync()
  }
}

enum Folder {
  /// Makes a folder and its missing parents, with permissions 0700.
  ///
  /// An existing folder keeps its permissions; the files inside are private in any case.
  static func make(_ folder: URL) throws(FileError) {
    if mkdir(folder.path, 0o700) == 0 { return }
    switch errno {
    case EEXIST:
      var status = stat()
      guard stat(folder.path, &status) == 0 else { throw FileError(path: folder.path) }
      guard status.st_mode & S_IFMT == S_IFDIR else { throw FileError(path: folder.path, number: ENOTDIR) }
    case ENOENT:
      let parent = folder.deletingLastPathComponent()
      guard parent.path != folder.path else { throw FileError(path: folder.path) }
      try make(parent)
      guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST else { throw FileError(path: folder.path) }
    default:
      throw FileError(path: folder.path)
    }
  }

  /// Syncs a folder and all folders in it, so their entries are on the disk.
  static func sync(_ folder: URL) throws(FileError) {
    try OpenFile(folder.path, O_RDONLY).sync()
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    for path in names.map({ folder.appending(path: $0).path }) {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
      try OpenFile(path, O_RDONLY).sync()
    }
  }
}

/// A failed system call on a file or folder.
package struct FileError: Error, CustomStringConvertible {
  let path: String
  /// The system's error number; 0 if no call has failed.
  let number: Int32
  /// The system's text for the error, such as "Permission denied".
  package let reason: String

  /// Takes the error number of the call that has just failed.
  /// - Parameter path: the file or folder of the call.
  init(path: String, number: Int32 = errno) {
    self.path = path
    self.number = number
    reason = String(cString: strerror(number))
  }

  /// Something else is in the place of a file or a folder.
  init(special path: String) {
    self.path = path
    number = 0
    reason = "it is neither a file nor a folder"
  }

  package var description: String { "\(path): \(reason)" }

  var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }
}
