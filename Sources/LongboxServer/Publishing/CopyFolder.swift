// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The folder of a static copy, with the list of the files in it.
///
/// A file is written under a temporary name and then renamed, so web servers never send half of it. Only listed files are
/// ever removed.
/// While a run goes on, a journal names what it writes, so that the next run knows these files even after a crash.
struct CopyFolder {
  static let listName = "longbox-copy.json"
  static let journalName = "longbox-copy.journal"
  private static let newEnding = ".longbox-new"
  /// What people and tools put into such a folder; it is left alone.
  private static let tolerated: Set<String> = [".git", "CNAME"]
  /// The folders of files whose names change with their content.
  private static let immutable = ["assets/", "pictures/", "thumbnails/", "archive/", "explanations/"]

  struct File: Codable, Equatable {
    /// A hash of its content; empty if unknown.
    var hash: String
    var size: Int
    /// Whether it belongs to the version before.
    var isRetired: Bool?
  }

  /// The files of comics that follow each other, with a hash of all that they depend on.
  private struct MadePack: Codable {
    var inputs: String
    var pack: CopyManifest.Pack?
  }

  /// The files of an archive, with a hash of all that they depend on.
  private struct MadeSegments: Codable {
    var inputs: String
    var segments: CopyManifest.Segments
  }

  private struct List: Codable {
    var format = "longbox-copy"
    var version = 1
    var archiveRevisions: [Int] = []
    var indexRevisions: [Int] = []
    var files: [String: File] = [:]
    /// What the last run need not make again: packs by number, archives by the start of their files' names.
    var packs: [String: MadePack]?
    var segments: [String: MadeSegments]?
  }

  private let location: URL
  private let journal: FileHandle
  private var list: List
  private var wanted: [String: File] = [:]
  private var packs: [String: MadePack] = [:]
  private var segments: [String: MadeSegments] = [:]
  private(set) var written = 0
  private(set) var writtenBytes = 0
  private(set) var removed = 0

  /// The revisions of the archive that were published, latest last.
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
  /// The number of files of the version before.
  private(set) var retired = 0

  /// Opens a folder, and makes it if there is none.
  /// - Throws: `CopyProblem` if it holds other files, is in use, or can't be used.
  init(_ location: URL) throws(CopyProblem) {
    self.location = location
    let listFile = location.appending(path: Self.listName)
    do {
      try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
    } catch {
      throw .disk(file: location.path, reason: error.localizedDescription)
    }
    list = List()
    if let data = try? Data(contentsOf: listFile) {
      guard let known = try? JSONDecoder().decode(List.self, from: data), known.format == list.format,
        known.version == list.version, known.files.keys.allSatisfy(Self.isInside)
      else { throw .unreadableList(file: listFile.path) }
      list = known
    }
    let journalFile = location.appending(path: Self.journalName)
    // A run that was cut off has written these, or begun to.
    let begun = (try? String(contentsOf: journalFile, encoding: .utf8)) ?? ""
    for path in begun.split(separator: "\n").map(String.init) where Self.isInside(path) {
      list.files[path] = File(hash: "", size: 0)
    }
    try Self.check(location, knows: list.files)
    journal = try Self.open(journalFile, in: location)
  }

  /// Whether a path stays in the folder.
  private static func isInside(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
  }

  /// - Throws: `CopyProblem.foreignFile` if there is a file that isn't in the list.
  private static func check(_ location: URL, knows files: [String: File]) throws(CopyProblem) {
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

  /// Opens the journal for this run alone.
  private static func open(_ file: URL, in location: URL) throws(CopyProblem) -> FileHandle {
    let descriptor = Foundation.open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .disk(file: file.path, reason: String(cString: strerror(errno))) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .inUse(folder: location.path) }
    return handle
  }

  /// Keeps a file of the last run whose name says its content; returns whether there is one.
  mutating func keep(_ path: String) -> Bool {
    guard has(path), var file = list.files[path] else { return false }
    file.isRetired = nil
    wanted[path] = file
    return true
  }

  /// Whether the last run had a file.
  func had(_ path: String) -> Bool { list.files[path] != nil }

  /// Whether a file is as the last run left it.
  private func has(_ path: String) -> Bool {
    guard let file = list.files[path], !file.hash.isEmpty else { return false }
    return size(of: path) == file.size
  }

  /// Keeps the files of a pack if what it depends on is the same as in the last run.
  /// - Returns: nil if it has to be made; a pack without explanations has no file.
  mutating func keepPack(_ name: String, inputs: String, pages: [String]) -> CopyManifest.Pack?? {
    guard let made = list.packs?[name], made.inputs == inputs else { return nil }
    let paths = pages + [made.pack?.file].compactMap { $0 }
    guard paths.allSatisfy(has) else { return nil }
    for path in paths { _ = keep(path) }
    packs[name] = made
    return .some(made.pack)
  }

  /// Notes a pack for the next run.
  mutating func note(_ pack: CopyManifest.Pack?, as name: String, inputs: String) {
    packs[name] = MadePack(inputs: inputs, pack: pack)
  }

  /// Keeps the files of an archive if what it depends on is the same as in the last run.
  mutating func keepSegments(_ name: String, inputs: String) -> CopyManifest.Segments? {
    guard let made = list.segments?[name], made.inputs == inputs else { return nil }
    let paths = [made.segments.whole] + made.segments.deltas.values
    guard paths.allSatisfy(has) else { return nil }
    for path in paths { _ = keep(path) }
    segments[name] = made
    return made.segments
  }

  /// Notes the files of an archive for the next run.
  mutating func note(_ made: CopyManifest.Segments, as name: String, inputs: String) {
    segments[name] = MadeSegments(inputs: inputs, segments: made)
  }

  /// Puts a file there, unless it is there already.
  mutating func put(_ path: String, _ bytes: [UInt8]) throws(CopyProblem) {
    let file = File(hash: EncodedBody.hash(of: bytes), size: bytes.count)
    wanted[path] = file
    if let known = list.files[path], known.hash == file.hash, size(of: path) == file.size { return }
    let place = location.appending(path: path)
    let new = location.appending(path: path + Self.newEnding)
    do {
      try journal.write(contentsOf: Data("\(path)\n".utf8))
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(bytes).write(to: new)
      // The commands' files are private, but these are for a web server.
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: new.path)
    } catch {
      throw .disk(file: place.path, reason: error.localizedDescription)
    }
    guard rename(new.path, place.path) == 0 else {
      throw .disk(file: place.path, reason: String(cString: strerror(errno)))
    }
    written += 1
    writtenBytes += bytes.count
  }

  /// Removes what the version before the last had, and pages that are no more; then stores the list.
  ///
  /// Files of the last version whose name has changed stay for one more run that changes something: pages that were
  /// loaded before this run need them.
  mutating func finish() throws(CopyProblem) {
    let old = list.files.filter { wanted[$0.key] == nil }
    let isChanged = written > 0 || old.contains { $0.value.isRetired != true }
    var kept = wanted
    for (path, var file) in old {
      let isImmutable = Self.immutable.contains { path.hasPrefix($0) }
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
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let file = location.appending(path: Self.listName)
    do {
      let data = try encoder.encode(list)
      if (try? Data(contentsOf: file)) != data { try data.write(to: file, options: .atomic) }
      try FileManager.default.removeItem(at: location.appending(path: Self.journalName))
    } catch {
      throw .disk(file: file.path, reason: error.localizedDescription)
    }
  }

  /// Removes a file, and the folders that it leaves empty.
  private mutating func remove(_ path: String) throws(CopyProblem) {
    let place = location.appending(path: path).path
    guard unlink(place) == 0 || errno == ENOENT else {
      throw .disk(file: place, reason: String(cString: strerror(errno)))
    }
    removed += 1
    // A run that was cut off may have left the beginning of the file.
    unlink(place + Self.newEnding)
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
