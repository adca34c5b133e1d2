// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCatalog
import LongboxCore
public import LongboxPages
import LongboxReaders
import LongboxStore

/// Writes Longbox as a static copy: an installable site of files for any host; see docs/publish.md.
///
/// A reader never gets parts of two versions: files whose names change with their content come first, then pages, then
/// the worker and `device.json`, which lead to them. What went is removed last.
public struct StaticCopy: Sendable {
  /// Where and how to write it.
  public struct Settings: Sendable {
    /// The folder to write.
    public var folder: URL
    /// The path below which the site will be.
    public var basePath: BasePath
    /// The pictures that it gets.
    public var pictures: Site.Pictures
    /// The program's version.
    public var version: String

    /// Makes settings.
    public init(
      folder: URL,
      basePath: BasePath = BasePath(),
      pictures: Site.Pictures = .all,
      version: String = "development"
    ) {
      self.folder = folder
      self.basePath = basePath
      self.pictures = pictures
      self.version = version
    }
  }

  /// Tells how many comics of how many are done.
  public typealias Progress = @Sendable (_ done: Int, _ total: Int) -> Void

  /// For how many earlier versions there are deltas; a device with an older one fetches the whole archive.
  static let mostDeltas = 8

  let catalog: StoredCatalog
  let settings: Settings
  let assets: AssetController
  let site: Site

  /// Makes a copy of what is stored.
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
      try folder.put("assets/\(assets.version)/\(name)", assets.content(of: name) ?? [])
    }
    // The worker installs it with the other files of its version.
    try folder.put("assets/\(assets.version)/manifest.webmanifest", manifest)
    var device = try await manifestOfDevice(in: &folder)
    device.copy?.jpeg = comics.filter { $0.picture?.format == .jpeg }.map { $0.number.value }
    device.copy?.gif = comics.filter { $0.picture?.format == .gif }.map { $0.number.value }
    var explanations: [Comic.Number: ShownExplanation] = [:]
    for start in stride(from: 0, to: (comics.last?.number.value ?? 0), by: CopyManifest.packLength) {
      let numbers = (start + 1...start + CopyManifest.packLength).compactMap { Comic.Number($0) }
      let shown = try await explain(numbers.filter { catalog.archive.comic($0) != nil })
      explanations.merge(shown.mapValues(\.shown)) { $1 }
      let stored = numbers.compactMap { shown[$0]?.stored }
      guard let last = stored.map(\.change).max() else { continue }
      let name = "\(start / CopyManifest.packLength)"
      let file = try folder.put(named: "explanations/\(name)-", ".json", pack(of: stored))
      device.copy?.packs[name] = .init(file: file, change: last)
    }

    let pages = CopyPages(copy: self, explanations: explanations)
    for (done, comic) in comics.enumerated() {
      report.missingPictures += try await putPictures(of: comic, in: &folder, pages.files)
      progress(done, 2 * comics.count)
    }
    for (done, comic) in comics.enumerated() {
      try Task.checkCancellation()
      for (path, page) in pages.pages(of: comic.number) { try folder.put(path, page) }
      progress(comics.count + done + 1, 2 * comics.count)
    }
    for (path, page) in pages.others { try folder.put(path, page) }
    for (path, text) in CopyHost(settings.basePath).files { try folder.put(path, Array(text.utf8)) }
    try folder.put("manifest.webmanifest", manifest)
    try folder.put("sw.js", script)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try folder.put("device.json", [UInt8](try encoder.encode(device)))
    try folder.finish()
    report.take(folder)
    return report
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

  /// The published revisions; what a restored backup doesn't know is left out.
  private static func revisions(_ known: [Int], with revision: Int) -> [Int] {
    Array((known.filter { $0 < revision } + [revision]).suffix(mostDeltas + 1))
  }

  /// Puts the whole segment and the deltas from earlier revisions, gzipped since hosts don't compress this type.
  private func segments(
    _ start: String,
    _ revision: Int,
    _ rules: Int,
    _ known: [Int],
    in folder: inout CopyFolder,
    update: (Int) async throws -> Segment?
  ) async throws -> CopyManifest.Segments {
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
    return segments
  }

  // Explanations and pictures

  private func explain(_ numbers: [Comic.Number]) async throws -> [Comic.Number: (
    shown: ShownExplanation, stored: Explanation?
  )] {
    var explained: [Comic.Number: (shown: ShownExplanation, stored: Explanation?)] = [:]
    for number in numbers {
      let state = try await catalog.explanation(of: number)
      let stored: Explanation? = if case .stored(let explanation) = state { explanation } else { nil }
      explained[number] = (
        ShownExplanation(of: number, .init(state), isSample: catalog.archive.isSampleBox), stored
      )
    }
    return explained
  }

  private func pack(of explanations: [Explanation]) throws -> [UInt8] {
    [UInt8](
      try JSONEncoder.stable.encode(
        explanations.map {
          DeviceExplanation($0, isSample: catalog.archive.isSampleBox, below: settings.basePath)
        }
      )
    )
  }

  /// Puts the pictures of a comic.
  /// - Returns: how many should be there but aren't stored.
  private func putPictures(of comic: ArchivedComic, in folder: inout CopyFolder, _ files: StaticFiles)
    async throws -> Int
  {
    guard settings.pictures != .none, let facts = comic.picture else { return 0 }
    let version = facts.versionText
    var wanted = [(PictureKind.thumbnail, files.thumbnail(of: comic.number, version: version))]
    if settings.pictures == .all {
      wanted.append((.standard, files.picture(of: comic.number, version: version, doubleSize: false)))
      if facts.doubleSize == .present {
        wanted.append((.doubleSize, files.picture(of: comic.number, version: version, doubleSize: true)))
      }
    }
    var missing = 0
    for (kind, path) in wanted {
      let path = String(path.description.dropFirst())
      if folder.keep(path) { continue }
      if let picture = try await catalog.picture(kind, of: comic.number) {
        try folder.put(path, picture.bytes)
      } else {
        missing += 1
      }
    }
    return missing
  }
}

extension CopyFolder {
  /// Puts a file whose name has a hash of its content between these parts; returns its path.
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
        ["assets", "pictures", "thumbnails", "archive", "explanations"].contains(first) && path != first
        ? first : path.hasSuffix(".html") ? "pages" : "others"
      parts[part, default: Part()].files += 1
      parts[part, default: Part()].bytes += file.size
    }
    written = folder.written
    writtenBytes = folder.writtenBytes
    removed = folder.removed
    retired = folder.retired
  }
}
