// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import HTTPTypes
public import LongboxCatalog
import LongboxCore
public import LongboxPages
import LongboxReaders
import LongboxStore

/// Writes Longbox as a static copy: an installable site of files for any host; see docs/publish.md.
///
/// A reader never gets parts of two versions. Files with a hash in their names are written first, then pages, then the
/// worker and `device.json`, which refer to them. Obsolete files are removed last.
public struct StaticCopy: Sendable {
  /// The settings of a copy.
  public struct Settings: Sendable {
    /// The folder to write.
    public var folder: URL
    /// The path below which the site is served.
    public var basePath: BasePath
    /// The pictures to include.
    public var pictures: Site.Pictures
    /// The program's version.
    public var version: String
    /// Identifies the build of the program; after another build, all pages are rendered again.
    public var build: String

    /// Creates settings.
    public init(
      folder: URL,
      basePath: BasePath = BasePath(),
      pictures: Site.Pictures = .all,
      version: String = "development",
      build: String = ""
    ) {
      self.folder = folder
      self.basePath = basePath
      self.pictures = pictures
      self.version = version
      self.build = build
    }
  }

  /// Called with the number of steps done, and the total.
  public typealias Progress = @Sendable (_ done: Int, _ total: Int) -> Void

  /// The number of earlier versions with deltas; a device with an older version fetches the whole archive.
  static let mostDeltas = 8

  let catalog: StoredCatalog
  let settings: Settings
  let assets: AssetController
  let site: Site

  /// Prepares a copy of a stored catalog.
  public init(of catalog: StoredCatalog, settings: Settings) {
    self.init(of: catalog, settings: settings, assets: AssetController(basePath: settings.basePath))
  }

  init(of catalog: StoredCatalog, settings: Settings, assets: AssetController) {
    self.catalog = catalog
    self.settings = settings
    self.assets = assets
    site = Site(isStaticCopy: true, pictures: settings.pictures)
  }

  /// Writes what has changed since the last run into the folder.
  /// - Throws: `CopyProblem`; `CatalogError.store` if the store can't be read.
  public func write(progress: Progress = { _, _ in }) async throws -> CopyReport {
    guard
      let script = try WorkerScript.bytes(
        assets: assets,
        version: settings.version,
        basePath: settings.basePath,
        site: site
      ), let manifest = assets.manifestInCopy
    else { throw CopyProblem.noWebApplication }
    guard catalog.archive.count > 0 else { throw CopyProblem.nothingStored }
    var folder = try CopyFolder(settings.folder)
    var report = CopyReport()
    let comics = self.comics
    report.comics = comics.count

    for name in assets.namesInCopy {
      guard let content = assets.content(of: name) else { throw CopyProblem.noWebApplication }
      try folder.put("assets/\(assets.version)/\(name)", content)
    }
    // The worker installs the manifest together with the other files of its version.
    try folder.put("assets/\(assets.version)/manifest.webmanifest", manifest)
    var device = try await manifestOfDevice(in: &folder)
    device.copy?.jpeg = comics.filter { $0.picture?.format == .jpeg }.map { $0.number.value }
    device.copy?.gif = comics.filter { $0.picture?.format == .gif }.map { $0.number.value }
    var pages = CopyPages(copy: self)
    var changed: [ArchivedComic] = []
    for start in stride(from: 0, to: (comics.last?.number.value ?? 0), by: CopyPack.length) {
      try Task.checkCancellation()
      let pack = try await CopyPack(after: start, in: catalog, of: inputs)
      let paths = pack.comics.flatMap { CopyPages.paths(of: $0.number) }
      if let kept = folder.keepPack(pack.name, inputs: pack.inputs, pages: paths) {
        device.copy?.packs[pack.name] = kept
      } else {
        changed += pack.comics
        let made = try put(pack, in: &folder, &pages)
        folder.note(made, as: pack.name, inputs: pack.inputs)
        device.copy?.packs[pack.name] = made
      }
      progress(min(start, comics.count), 3 * comics.count)
    }
    for (done, comic) in comics.enumerated() {
      report.missingPictures += try await putPictures(of: comic, in: &folder, pages.files)
      progress(comics.count + done, 3 * comics.count)
    }
    report.made = changed.count
    if let latest = comics.last?.number {
      pages.show([latest: shown(try await catalog.explanation(of: latest), of: latest)])
    }
    try put(pages, of: changed, in: &folder) { progress(2 * comics.count + $0, 3 * comics.count) }
    for (path, text) in CopyHost(settings.basePath).files { try folder.put(path, Array(text.utf8)) }
    try folder.put("manifest.webmanifest", manifest)
    try folder.put("sw.js", script)
    try folder.put("device.json", [UInt8](try JSONEncoder.stable.encode(device)))
    try folder.finish()
    report.take(folder)
    return report
  }

  /// The inputs of all comics' files, besides the comics themselves.
  private var inputs: String {
    [
      settings.version, settings.build, settings.basePath.text, "\(settings.pictures)", assets.version,
      HTTPFields.policyInPage,
    ].joined(separator: "\u{0}")
  }

  private var comics: [ArchivedComic] {
    var comics: [ArchivedComic] = []
    catalog.archive.visit { comic in
      comics.append(comic)
      return true
    }
    return comics
  }

  // The archive and the index of explanations

  private func manifestOfDevice(in folder: inout CopyFolder) async throws -> InstallManifest {
    let (archive, index) = (catalog.archive, catalog.explanationIndex)
    func copy(_ revision: Int, _ rules: Int) -> ArchiveCopy {
      ArchiveCopy(revision: revision, rules: rules, isSampleBox: archive.isSampleBox)
    }
    var manifest = InstallManifest(
      version: settings.version,
      assets: assets,
      archive: archive,
      explanationIndex: index,
      totals: try await catalog.explanationTotals()
    )
    folder.archiveRevisions = Self.revisions(folder.archiveRevisions, with: archive.revision)
    folder.indexRevisions = Self.revisions(folder.indexRevisions, with: index.revision)
    let archives = try await segments(
      "archive/",
      archive.revision,
      archive.rules,
      folder.archiveRevisions,
      in: &folder
    ) { try await catalog.update(for: copy($0, archive.rules)) }
    let indexes = try await segments(
      "archive/explanations-",
      index.revision,
      index.rules,
      folder.indexRevisions,
      in: &folder
    ) { try await catalog.explanationUpdate(for: copy($0, index.rules)) }
    manifest.copy = CopyManifest(archive: archives, index: indexes)
    return manifest
  }

  /// The published revisions, without those that are newer than the store, for example after restoring a backup.
  private static func revisions(_ known: [Int], with revision: Int) -> [Int] {
    Array((known.filter { $0 < revision } + [revision]).suffix(mostDeltas + 1))
  }

  /// Writes the whole segment and the deltas from earlier revisions, gzipped because hosts don't compress this type.
  private func segments(
    _ start: String,
    _ revision: Int,
    _ rules: Int,
    _ known: [Int],
    in folder: inout CopyFolder,
    update: (Int) async throws -> Segment?
  ) async throws -> CopyManifest.Segments {
    let inputs = "\(settings.version) \(settings.build) \(revision) \(rules) \(known)"
    if let kept = folder.keepSegments(start, inputs: inputs) { return kept }
    guard let whole = try await update(0) else { throw CopyProblem.nothingStored }
    func put(_ segment: Segment, _ name: String) throws(CopyProblem) -> String {
      try folder.put(named: "\(start)\(name)-", ".lbx.gz", Gzip.compress(segment.bytes) ?? segment.bytes)
    }
    var segments = CopyManifest.Segments(
      revision: revision,
      rules: rules,
      whole: try put(whole, "\(revision)")
    )
    for earlier in known where earlier < revision {
      guard let delta = try await update(earlier), delta.base == earlier else { continue }
      segments.deltas["\(earlier)"] = try put(delta, "\(earlier)-\(revision)")
    }
    folder.note(segments, as: start, inputs: inputs)
    return segments
  }
}

extension CopyFolder {
  /// Writes a file with a hash of its content in its name; returns its path.
  mutating func put(named start: String, _ ending: String, _ bytes: [UInt8]) throws(CopyProblem) -> String {
    let path = start + EncodedBody.hash(of: bytes) + ending
    try put(path, bytes)
    return path
  }
}

extension CopyReport {
  fileprivate mutating func take(_ folder: CopyFolder) {
    for (path, file) in folder.files {
      let first = path.split(separator: "/").first.map(String.init) ?? ""
      let part =
        CopyFolder.immutable.contains(first) && path != first
        ? first : path.hasSuffix(".html") ? "pages" : "others"
      parts[part, default: Part()].files += 1
      parts[part, default: Part()].bytes = (parts[part]?.bytes ?? 0).addingWithinRange(file.size)
    }
    written = folder.written
    writtenBytes = folder.writtenBytes
    removed = folder.removed
    retired = folder.retired
  }
}
