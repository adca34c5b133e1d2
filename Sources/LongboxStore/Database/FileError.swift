// Longbox
// SPDX-License-Identifier: MIT

import CFiles
package import Foundation

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

/// Why files at a path can't be changed, or are not safe there.
package enum FilePlace {
  /// Who owns a file or folder, who this process is, and what to do, if this process may not write there; nil if it may, or
  /// if there is neither the file nor its folder.
  /// - Parameters:
  ///   - path: the data folder, a folder above it, or a file or folder in it.
  ///   - folder: the data folder.
  package static func missingRights(at path: String, in folder: URL) -> String? {
    var status = stat()
    var place = path
    // It may be there, in a folder that this process may not enter.
    let isMissing = stat(place, &status) != 0 && errno == ENOENT
    if stat(place, &status) != 0 {
      place = URL(filePath: path).deletingLastPathComponent().standardizedFileURL.path
      guard stat(place, &status) == 0 else { return nil }
    }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let needed = isFolder ? R_OK | W_OK | X_OK : R_OK | W_OK
    guard faccessat(AT_FDCWD, place, needed, AT_EACCESS) != 0, errno == EACCES else { return nil }
    let (owner, user) = (status.st_uid, geteuid())
    guard owner != user else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      return
        "\(place) belongs to \(named(owner)), but has the mode \(mode): chmod u+rw\(isFolder ? "x" : "") \(place)"
    }
    let ownership = "\(place) belongs to \(named(owner)), and this process runs as \(named(user))."
    if isMissing, !path.hasPrefix(folder.path + "/") {
      return
        "\(ownership) Make the folder: sudo install --directory --owner \(user) --mode 700 \(folder.path)"
    }
    return
      "\(ownership) Run it as the owner, or give the folder to this user: sudo chown -R \(user) \(folder.path)"
  }

  /// A user's name and number, such as `longbox (uid 104)`; a container's users often have no name.
  private static func named(_ user: uid_t) -> String {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer -> String? in
      guard let start = buffer.baseAddress, getpwuid_r(user, &entry, start, buffer.count, &found) == 0,
        let name = found?.pointee.pw_name
      else { return nil }
      return String(cString: name)
    }
    return name.map { "\($0) (uid \(user))" } ?? "uid \(user)"
  }

  /// The kind of a folder's file system, if it is one of a network or of another program, as people call it; nil for others.
  package static func remoteFileSystem(of folder: URL) -> String? {
    remoteFileSystem(of: UInt32(truncatingIfNeeded: longbox_file_system(folder.path)))
  }

  /// The same for a number of statfs(2).
  static func remoteFileSystem(of kind: UInt32) -> String? {
    switch kind {
    case 0x6969: "NFS"
    case 0x517B, 0xFF53_4D42, 0xFE53_4D42: "SMB"
    case 0x6573_5546: "FUSE"
    case 0x0102_1997: "9P"
    case 0x786F_4256: "VirtualBox's shared folders"
    case 0x00C3_6400: "Ceph"
    case 0x5346_414F, 0x6B41_4653: "AFS"
    default: nil
    }
  }
}
