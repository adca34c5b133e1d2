// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxReaders
import LongboxStore

/// The folder of a static copy, with a list of its files.
///
/// A file is written under a temporary name and then renamed, so web servers never send a part of it. Only listed files
/// are removed. During a run a journal lists the files that it writes, so the next run knows them even after a crash.
struct StaticCopyFolder {
  static let listName = "longbox-copy.json"
  static let journalName = "longbox-copy.journal"
  private static let newEnding = ".longbox-new"
  /// Files that people and tools put into such a folder; they are never changed.
  private static let tolerated: Set<String> = [".git", "CNAME"]
  /// The folders with files whose names contain a hash or version of their content.
  static let immutable = ["assets", "pictures", "thumbnails", "archive", "explanations"]

  struct File: Codable, Equatable {
    /// A hash of its content; empty if unknown.
    var hash: String
    var size: Int
    /// Whether it belongs to the previous version.
    var isRetired: Bool?
  }

  /// The files of a pack, with a hash of everything that they depend on.
  private struct MadePack: Codable {
    var inputs: String
    var pack: StaticCopyManifest.Pack?
  }

  /// The files of an archive, with a hash of everything that they depend on.
  private struct MadeSegments: Codable {
    var inputs: String
    var segments: StaticCopyManifest.Segments
  }

  private struct List: Codable {
    var format = "longbox-copy"
    var version = 1
    var archiveRevisions: [Int] = []
    var indexRevisions: [Int] = []
    var files: [String: File] = [:]
    /// The results of the last run: packs by number, archives by the start of their files' names.
    var packs: [String: MadePack]?
    var segments: [String: MadeSegments]?
  }

  private let location: URL
  /// The folder itself, locked until the end of the run.
  private let lock: LockedFile
  private let journal: LockedFile
  private var list: List
  private var wanted: [String: File] = [:]
  private var packs: [String: MadePack] = [:]
  private var segments: [String: MadeSegments] = [:]
  private(set) var written = 0
  private(set) var writtenBytes = 0
  private(set) var removed = 0

  /// The published revisions of the archive, in ascending order.
  var archiveRevisions: [Int] {
    get { list.archiveRevisions }
    set { list.archiveRevisions = newValue }
  }
  /// The same for the index of explanations.
  var indexRevisions: [Int] {
    get { list.indexRevisions }
    set { list.indexRevisions = newValue }
  }
  /// The files of this version.
  var files: [String: File] { wanted }
  /// The number of files of the previous version.
  private(set) var retired = 0

  /// Opens a folder, or creates it.
  /// - Throws: `StaticCopyProblem` if it holds other files, is in use, or can't be used.
  init(_ location: URL) throws(StaticCopyProblem) {
    self.location = location
    let listFile = location.appending(path: Self.listName)
    do {
      try Self.makeFolder(location)
    } catch {
      throw .disk(file: location.path, reason: error.localizedDescription)
    }
    lock = try LockedFile(Self.open(location, O_RDONLY | O_DIRECTORY), in: location)
    list = List()
    if let bytes = try? PrivateFile.read(listFile) {
      guard let known = try? JSONDecoder().decode(List.self, from: Data(bytes)), known.format == list.format,
        known.version == list.version, known.files.allSatisfy({ Self.isInside($0.key) && $0.value.size >= 0 })
      else { throw .unreadableList(file: listFile.path) }
      list = known
    }
    let journalFile = location.appending(path: Self.journalName)
    // An interrupted run may have written these files, completely or in part.
    let begun = String(decoding: (try? PrivateFile.read(journalFile)) ?? [], as: UTF8.self)
    for path in begun.split(separator: "\n").map(String.init) where Self.isInside(path) {
      list.files[path] = File(hash: "", size: 0)
    }
    try Self.check(location, knows: list.files)
    // NFS locks only files that are open for writing.
    journal = try LockedFile(Self.open(journalFile, O_WRONLY | O_CREAT | O_APPEND), in: location)
  }

  /// Whether a path stays in the folder.
  private static func isInside(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
  }

  /// - Throws: `StaticCopyProblem.foreignFile` if there is a file that isn't in the list.
  private static func check(_ location: URL, knows files: [String: File]) throws(StaticCopyProblem) {
    let found = FileManager.default.enumerator(atPath: location.path)
    while let path = found?.nextObject() as? String {
      if tolerated.contains(path) {
        found?.skipDescendants()
        continue
      }
      guard found?.fileAttributes?[.type] as? FileAttributeType != .typeDirectory else { continue }
      let name = path.hasSuffix(newEnding) ? String(path.dropLast(newEnding.count)) : path
      guard files[name] != nil || name == listName || name == journalName else {
        throw .foreignFile(folder: location.path, file: path)
      }
    }
  }

  private static func open(_ file: URL, _ flags: Int32) throws(StaticCopyProblem) -> FileHandle {
    let descriptor = Foundation.open(file.path, flags | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .disk(file: file.path, reason: String(cString: strerror(errno))) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Keeps an immutable file of the last run; returns false if there is none.
  mutating func keep(_ path: String) -> Bool {
    guard has(path), var file = list.files[path] else { return false }
    file.isRetired = nil
    wanted[path] = file
    return true
  }

  /// Whether the last run wrote a file.
  func had(_ path: String) -> Bool { list.files[path] != nil }

  /// Whether a file of the last run still has its size.
  private func has(_ path: String) -> Bool {
    guard let file = list.files[path], !file.hash.isEmpty else { return false }
    return size(of: path) == file.size
  }

  /// Keeps the files of a pack, if its inputs are those of the last run.
  /// - Returns: nil if the pack must be made. The inner value is nil if the pack has no explanations, and so no file.
  mutating func keepPack(_ name: String, inputs: String, pages: [String]) -> StaticCopyManifest.Pack?? {
    guard let made = list.packs?[name], made.inputs == inputs else { return nil }
    let paths = pages + [made.pack?.file].compactMap { $0 }
    guard paths.allSatisfy(has) else { return nil }
    for path in paths { _ = keep(path) }
    packs[name] = made
    return .some(made.pack)
  }

  /// Records a pack for the next run.
  mutating func note(_ pack: StaticCopyManifest.Pack?, as name: String, inputs: String) {
    packs[name] = MadePack(inputs: inputs, pack: pack)
  }

  /// Keeps the files of an archive, if its inputs are those of the last run; nil if it must be made.
  mutating func keepSegments(_ name: String, inputs: String) -> StaticCopyManifest.Segments? {
    guard let made = list.segments?[name], made.inputs == inputs else { return nil }
    let paths = [made.segments.whole] + made.segments.deltas.values
    guard paths.allSatisfy(has) else { return nil }
    for path in paths { _ = keep(path) }
    segments[name] = made
    return made.segments
  }

  /// Records the files of an archive for the next run.
  mutating func note(_ made: StaticCopyManifest.Segments, as name: String, inputs: String) {
    segments[name] = MadeSegments(inputs: inputs, segments: made)
  }

  /// Makes a folder that others may read, with those above it, unless it exists.
  private static func makeFolder(_ folder: URL) throws {
    guard !FileManager.default.fileExists(atPath: folder.path) else { return }
    try makeFolder(folder.deletingLastPathComponent())
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
  }

  /// Writes a file, unless it has this content already.
  mutating func put(_ path: String, _ bytes: [UInt8]) throws(StaticCopyProblem) {
    let file = File(hash: EncodedBody.hash(of: bytes), size: bytes.count)
    wanted[path] = file
    if let known = list.files[path], known.hash == file.hash, size(of: path) == file.size { return }
    let target = location.appending(path: path)
    let new = location.appending(path: path + Self.newEnding)
    do {
      try journal.handle.write(contentsOf: Data("\(path)\n".utf8))
      try Self.makeFolder(target.deletingLastPathComponent())
      try Data(bytes).write(to: new)
      // The command's umask makes files private, but a web server must read these.
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: new.path)
    } catch {
      throw .disk(file: target.path, reason: error.localizedDescription)
    }
    guard rename(new.path, target.path) == 0 else {
      throw .disk(file: target.path, reason: String(cString: strerror(errno)))
    }
    written += 1
    writtenBytes += bytes.count
  }

  /// Writes a file with a hash of its content in its name; returns its path.
  mutating func put(named start: String, _ ending: String, _ bytes: [UInt8]) throws(StaticCopyProblem)
    -> String
  {
    let path = start + EncodedBody.hash(of: bytes) + ending
    try put(path, bytes)
    return path
  }

  /// Removes obsolete files, stores the list, and unlocks the folder.
  ///
  /// An obsolete file with a hash or version in its name stays until the next run that changes something, because pages
  /// that were loaded before this run need it.
  mutating func finish() throws(StaticCopyProblem) {
    let old = list.files.filter { wanted[$0.key] == nil }
    let isChanged = written > 0 || old.contains { $0.value.isRetired != true }
    var kept = wanted
    for (path, var file) in old {
      let isImmutable = Self.immutable.contains { path.hasPrefix("\($0)/") }
      if isImmutable, !isChanged || file.isRetired != true {
        file.isRetired = true
        kept[path] = file
        retired += 1
      } else {
        try remove(path)
      }
    }
    list.files = kept
    list.packs = packs
    list.segments = segments
    let file = location.appending(path: Self.listName)
    do {
      let data = try JSONEncoder.stable.encode(list)
      if (try? Data(contentsOf: file)) != data { try data.write(to: file, options: .atomic) }
      try FileManager.default.removeItem(at: location.appending(path: Self.journalName))
      lock.unlock()
    } catch {
      throw .disk(file: file.path, reason: error.localizedDescription)
    }
  }

  /// Removes a file, and folders that become empty.
  private mutating func remove(_ path: String) throws(StaticCopyProblem) {
    let target = location.appending(path: path).path
    guard unlink(target) == 0 || errno == ENOENT else {
      throw .disk(file: target, reason: String(cString: strerror(errno)))
    }
    removed += 1
    // An interrupted run may have left a temporary file.
    unlink(target + Self.newEnding)
    var parts = path.split(separator: "/").dropLast()
    while !parts.isEmpty, rmdir(location.appending(path: parts.joined(separator: "/")).path) == 0 {
      parts = parts.dropLast()
    }
  }

  private func size(of path: String) -> Int? {
    let facts = try? FileManager.default.attributesOfItem(atPath: location.appending(path: path).path)
    return (facts?[.size] as? NSNumber)?.intValue
  }
}

/// A file or folder that is locked for a run.
///
/// It is unlocked before it is closed: a child process that is just starting has a copy of the descriptor, which would keep
/// the lock.
private final class LockedFile: Sendable {
  let handle: FileHandle

  /// Takes the lock.
  /// - Throws: `StaticCopyProblem.inUse` if another run has it.
  init(_ handle: FileHandle, in folder: URL) throws(StaticCopyProblem) {
    self.handle = handle
    guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw .inUse(folder: folder.path)
    }
  }

  func unlock() { _ = flock(handle.fileDescriptor, LOCK_UN) }

  deinit { unlock() }
}

/// Why a static copy can't be written.
public enum StaticCopyProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The folder holds files that Longbox didn't write.
  case foreignFile(folder: String, file: String)
  /// Another run is writing to the folder.
  case inUse(folder: String)
  /// The list of the copy's files can't be read.
  case unreadableList(file: String)
  /// A file can't be written or removed.
  case disk(file: String, reason: String)
  /// The web application's files are missing.
  case noWebApplication
  /// There is no comic to publish.
  case nothingStored

  /// A sentence or two that say what is wrong and what to do.
  public var description: String {
    switch self {
    case .foreignFile(let folder, let file):
      "The folder \(folder) has a file that Longbox did not write, \(file). Name an empty or a new folder, or move that file "
        + "away: Longbox removes old files there, and must not remove yours."
    case .inUse(let folder): "Another “longbox publish” is writing to \(folder). Wait until it has finished."
    case .unreadableList(let file):
      "\(file), the list of the copy's files, can't be read. Remove the whole folder and publish again."
    case .disk(let file, let reason): "\(file) can't be written or removed: \(reason)"
    case .noWebApplication:
      "The files of the web application are missing. Build them with “make web”, or install Longbox again."
    case .nothingStored:
      "No comic is stored yet. Start “longbox serve” or “longbox import” first, or name another folder with --data."
    }
  }
}
