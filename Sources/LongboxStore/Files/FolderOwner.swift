// Longbox
// SPDX-License-Identifier: MIT

import CFiles
package import Foundation

/// The user and group to whom a data folder belongs.
///
/// Root may run a command on the folder of a service, and the service's user could have put links there. With root's rights,
/// such a command would change any file of the machine, or give it to that user. So it takes the owner's rights first.
package struct FolderOwner {
  private let folder: URL
  private let user: uid_t
  private let group: gid_t

  /// The owner of a folder, or of the nearest one above it, if it is missing.
  ///
  /// If a link on the way belongs to a user, that user counts: the link may lead to any folder, root's or another user's.
  package init(of folder: URL) throws {
    self.folder = folder
    var place = folder.standardizedFileURL
    var status = stat()
    while lstat(place.path, &status) != 0 {
      let above = place.deletingLastPathComponent().standardizedFileURL
      guard errno == ENOENT, above.path != place.path else { throw FileError(path: place.path) }
      place = above
    }
    var target = stat()
    if let link = Self.usersLink(onTheWayTo: place.path) {
      status = link
    } else if status.st_mode & S_IFMT == S_IFLNK, stat(place.path, &target) == 0 {
      status = target
    }
    user = status.st_uid
    // A folder in root's group gives its user none of that group's rights.
    group = status.st_gid == 0 && user != 0 ? user : status.st_gid
  }

  /// The first link on the way to a path that doesn't belong to root; nil if there is none.
  private static func usersLink(onTheWayTo path: String) -> stat? {
    var (place, links) = ("", 0)
    var rest = path.split(separator: "/")[...]
    while let part = rest.popFirst() {
      if part == ".." { place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)]) }
      if part == "." || part == ".." { continue }
      var status = stat()
      guard lstat("\(place)/\(part)", &status) == 0 else { return nil }
      guard status.st_mode & S_IFMT == S_IFLNK else {
        place += "/\(part)"
        continue
      }
      guard status.st_uid == 0 else { return status }
      links += 1
      // Linux follows no more.
      guard links <= 40,
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(place)/\(part)")
      else { return nil }
      if target.hasPrefix("/") { place = "" }
      rest = target.split(separator: "/") + rest
    }
    return nil
  }

  /// Whether the folder belongs to another user, and this process has root's rights.
  package var isOther: Bool { geteuid() == 0 && user != 0 }

  /// Gives this process the owner's rights in place of root's; does nothing if it has other rights already.
  /// - Parameter forGood: whether ``allowing(_:_:_:)`` must not bring root's rights back.
  /// - Throws: an error with the folder and the system's reason.
  package func takeRights(forGood: Bool) throws {
    guard isOther else { return }
    var groups = [group]
    let isDone =
      setgroups(1, &groups) == 0
      && (forGood
        ? setgid(group) == 0 && setuid(user) == 0 : setegid(group) == 0 && seteuid(user) == 0)
    guard isDone else { throw FileError(path: folder.path) }
  }

  /// Runs work on a path that the person who runs the command has named, such as a backup.
  ///
  /// If the present rights aren't enough, and root runs the command, the work has root's rights. Those are never used where
  /// the data folder's owner may do the same, because that user could replace what is there in between.
  /// - Parameters:
  ///   - mode: what the work needs to do: `R_OK` or `W_OK`.
  ///   - location: the file or folder.
  package static func allowing<Value>(_ mode: Int32, _ location: URL, _ work: () throws -> Value)
    rethrows -> Value
  {
    let present = regainRoot(for: mode, location)
    defer { giveUpRoot(for: present) }
    return try work()
  }

  /// The same for asynchronous work.
  ///
  /// No other work on files may run during it, because the rights are those of the process.
  package static func allowing<Value: Sendable>(
    _ mode: Int32,
    _ location: URL,
    _ work: () async throws -> Value
  ) async rethrows -> Value {
    let present = regainRoot(for: mode, location)
    defer { giveUpRoot(for: present) }
    return try await work()
  }

  /// Brings root's rights back, if the present ones don't suffice; returns the user to become again.
  private static func regainRoot(for mode: Int32, _ location: URL) -> uid_t? {
    let present = geteuid()
    guard present != 0, getuid() == 0, faccessat(AT_FDCWD, location.path, mode, AT_EACCESS) != 0 else {
      return nil
    }
    return seteuid(0) == 0 ? present : nil
  }

  private static func giveUpRoot(for user: uid_t?) {
    guard let user else { return }
    precondition(seteuid(user) == 0, "root's rights can't be given up")
  }

  /// Makes a folder with permissions 0700 that belongs to the user whose rights this process has.
  ///
  /// Where root alone may make one, as beside the folder of a service, root makes it and gives it away.
  package static func makeFolder(_ folder: URL) throws {
    guard try !isMade(folder) else { return }
    let (user, group) = (geteuid(), getegid())
    try allowing(W_OK, folder.deletingLastPathComponent()) {
      guard mkdir(folder.path, 0o700) == 0, lchown(folder.path, user, group) == 0 else {
        throw FileError(path: folder.path)
      }
    }
  }

  /// Makes a folder with the present rights; returns false if they don't suffice.
  private static func isMade(_ folder: URL) throws(FileError) -> Bool {
    do {
      try Folder.make(folder)
      return true
    } catch  where error.number == EACCES {
      return false
    }
  }

  /// Removes a folder with everything in it, if there is one.
  package static func removeFolder(_ folder: URL) throws {
    var status = stat()
    guard lstat(folder.path, &status) == 0 else { return }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    // The content is removed with the present rights in any case.
    for name in isFolder ? try FileManager.default.contentsOfDirectory(atPath: folder.path) : [] {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
    try allowing(W_OK, folder.deletingLastPathComponent()) {
      guard (isFolder ? rmdir(folder.path) : unlink(folder.path)) == 0 else {
        throw FileError(path: folder.path)
      }
    }
  }
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
