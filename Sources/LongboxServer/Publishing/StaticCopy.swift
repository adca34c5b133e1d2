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
  public struct Settings: Sendable {
    /// The folder to write.
    public var folder: URL
    /// The path below which the site is served.
    public var basePath: BasePath
    /// The pictures to include.
    public var pictures: Site.Pictures
    public var version: String
    /// Identifies the build of the program; after another build, all pages are rendered again.
    public var build: String

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
  /// - Throws: `StaticCopyProblem`; `CatalogError.store` if the store can't be read.
  public func write(progress: Progress = { _, _ in }) async throws -> StaticCopyReport {
    guard
      let script = try WorkerScript.bytes(
        assets: assets,
        version: settings.version,
        basePath: settings.basePath,
        site: site
      ), let manifest = assets.manifestInStaticCopy
    else { throw StaticCopyProblem.noWebApplication }
    guard catalog.archive.count > 0 else { throw StaticCopyProblem.nothingStored }
    var folder = try StaticCopyFolder(settings.folder)
    var report = StaticCopyReport()
    let comics = self.comics
    report.comics = comics.count

    for name in assets.namesInStaticCopy {
      guard let content = assets.content(of: name) else { throw StaticCopyProblem.noWebApplication }
      try folder.put("assets/\(assets.version)/\(name)", content)
    }
    // The worker installs the manifest together with the other files of its version.
    try folder.put("assets/\(assets.version)/manifest.webmanifest", manifest)
    var device = try await manifestOfDevice(in: &folder)
    device.copy?.jpeg = comics.filter { $0.picture?.format == .jpeg }.map { $0.number.value }
    device.copy?.gif = comics.filter { $0.picture?.format == .gif }.map { $0.number.value }
    var pages = StaticCopyPages(copy: self)
    var changed: [ArchivedComic] = []
    for start in stride(from: 0, to: (comics.last?.number.value ?? 0), by: StaticCopyManifest.packLength) {
      try Task.checkCancellation()
      let pack = try await StaticCopyPack(after: start, in: catalog, of: inputs)
      let paths = pack.comics.flatMap { StaticCopyPages.paths(of: $0.number) }
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
    for (path, text) in StaticCopyHost(settings.basePath).files { try folder.put(path, Array(text.utf8)) }
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

  private func manifestOfDevice(in folder: inout StaticCopyFolder) async throws -> InstallManifest {
    let (archive, index) = (catalog.archive, catalog.explanationIndex)
    func onDevice(_ revision: Int, _ rules: Int) -> ArchiveCopy {
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
    ) { try await catalog.update(for: onDevice($0, archive.rules)) }
    let indexes = try await segments(
      "archive/explanations-",
      index.revision,
      index.rules,
      folder.indexRevisions,
      in: &folder
    ) { try await catalog.explanationUpdate(for: onDevice($0, index.rules)) }
    manifest.copy = StaticCopyManifest(archive: archives, index: indexes)
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
    in folder: inout StaticCopyFolder,
    update: (Int) async throws -> Segment?
  ) async throws -> StaticCopyManifest.Segments {
    let inputs = "\(settings.version) \(settings.build) \(revision) \(rules) \(known)"
    if let kept = folder.keepSegments(start, inputs: inputs) { return kept }
    guard let whole = try await update(0) else { throw StaticCopyProblem.nothingStored }
    func put(_ segment: Segment, _ name: String) throws(StaticCopyProblem) -> String {
      try folder.put(named: "\(start)\(name)-", ".lbx.gz", Gzip.compress(segment.bytes) ?? segment.bytes)
    }
    var segments = StaticCopyManifest.Segments(
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

  // The files of comics: explanations, pictures and pages.

  /// Parses the explanations of a pack, and writes them; nil if there are none.
  func put(
    _ pack: StaticCopyPack,
    in folder: inout StaticCopyFolder,
    _ pages: inout StaticCopyPages
  ) throws -> StaticCopyManifest.Pack? {
    var explanations: [Explanation] = []
    for comic in pack.comics {
      guard let state = pack.sources[comic.number]?.state else { continue }
      pages.show([comic.number: shown(state, of: comic.number)])
      if case .stored(let explanation) = state { explanations.append(explanation) }
    }
    guard let last = explanations.map(\.change).max() else { return nil }
    let bytes = try JSONEncoder.stable.encode(
      explanations.map {
        DeviceExplanation($0, isSample: catalog.archive.isSampleBox, below: settings.basePath)
      }
    )
    let file = try folder.put(named: "explanations/\(pack.name)-", ".json", [UInt8](bytes))
    return StaticCopyManifest.Pack(file: file, change: last)
  }

  func shown(_ state: ExplanationState, of number: Comic.Number) -> ShownExplanation {
    ShownExplanation(of: number, .init(state), isSample: catalog.archive.isSampleBox)
  }

  /// Writes the pictures of a comic.
  /// - Returns: the number of pictures that aren't stored.
  func putPictures(of comic: ArchivedComic, in folder: inout StaticCopyFolder, _ files: StaticFiles)
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

  /// Writes the pages of changed comics and all other pages; new pages before the pages that link to them.
  func put(
    _ pages: StaticCopyPages,
    of comics: [ArchivedComic],
    in folder: inout StaticCopyFolder,
    progress: (_ done: Int) -> Void
  ) throws {
    func isOld(_ comic: ArchivedComic) -> Bool {
      StaticCopyPages.paths(of: comic.number).allSatisfy { folder.had($0) }
    }
    let (new, old) = (comics.filter { !isOld($0) }, comics.filter(isOld))
    for (done, comic) in (new + old).enumerated() {
      try Task.checkCancellation()
      for (path, page) in pages.pages(of: comic.number) { try folder.put(path, page) }
      progress(done + 1)
    }
    let others = pages.others
    for (path, page) in others where !folder.had(path) { try folder.put(path, page) }
    for (path, page) in others where folder.had(path) { try folder.put(path, page) }
  }
}

/// The result of a run of ``StaticCopy``.
public struct StaticCopyReport: Encodable, Equatable, Sendable {
  /// The files of one kind.
  public struct Part: Encodable, Equatable, Sendable {
    public var files = 0
    /// Their size in bytes.
    public var bytes = 0
  }

  public var comics = 0
  /// The number of comics whose pages were rendered; the other pages are unchanged.
  public var made = 0
  /// The files by kind: pages, pictures, and so on.
  public var parts: [String: Part] = [:]
  /// The number of files that were written; the others are unchanged.
  public var written = 0
  /// Their size in bytes.
  public var writtenBytes = 0
  /// The number of files that were removed.
  public var removed = 0
  /// The number of files of the previous version, which open pages may still need; the next run removes them.
  public var retired = 0
  /// The number of pictures that belong to the copy, but aren't stored.
  public var missingPictures = 0

  /// All files.
  public var total: Part {
    parts.values.reduce(into: Part()) { total, part in
      total.files += part.files
      total.bytes += part.bytes
    }
  }

  mutating func take(_ folder: StaticCopyFolder) {
    for (path, file) in folder.files {
      let first = path.split(separator: "/").first.map(String.init) ?? ""
      let part =
        StaticCopyFolder.immutable.contains(first) && path != first
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
