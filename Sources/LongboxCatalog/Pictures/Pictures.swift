// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore
import LongboxUpstream

/// Comics' pictures: fetched from xkcd, inspected, stored and published; inspected again when the rules have changed.
final class Pictures: Sendable {
  private let store: Store
  /// For what is fetched: of several nodes, only the leader asks xkcd.
  private let leading: Store
  private let client: XkcdClient
  private let requests: ComicRequests
  private let records: Records
  let publisher: ArchivePublisher
  let cache: PictureCache
  let inspector: PictureInspector
  /// The latest pictures on canvases, by their names; 80 of the usual 100 kB.
  let canvases = MemoryCache<String, PictureContent>(limit: 8 << 20)
  /// The first comic that may have a double-size picture; requests for earlier ones would be wasted.
  private let firstDoubleSize: Comic.Number
  /// The most pixels of a larger version.
  ///
  /// A browser needs 240 MB of memory to show this many.
  private static let mostPixels = 60_000_000

  init(
    store: Store,
    client: XkcdClient,
    requests: ComicRequests,
    records: Records,
    publisher: ArchivePublisher,
    cache: PictureCache,
    inspector: PictureInspector,
    firstDoubleSize: Comic.Number
  ) {
    self.store = store
    leading = store.forLeader
    self.client = client
    self.requests = requests
    self.records = records
    self.publisher = publisher
    self.cache = cache
    self.inspector = inspector
    self.firstDoubleSize = firstDoubleSize
  }

  // MARK: For readers

  /// Whether a comic isn't known to have no picture; the store may have one that older rules took for the comic's.
  func mayExist(of number: Comic.Number) -> Bool {
    publisher.current.archive.comic(number).map { !$0.pictureAddress.isEmpty } ?? true
  }

  /// A picture from memory, the disk or the source.
  /// - Throws: `CatalogError.absent` if there is none; else the source's or the disk's error.
  func picture(_ kind: PictureKind, of number: Comic.Number) async throws -> PictureContent {
    if let content = try await cache.picture(kind, of: number) { return content }
    cache.noteFetched()
    try await ensure(number)
    switch kind {
    case .standard: break
    case .doubleSize: try await ensureDoubleSize(number)
    case .larger: try await ensureLarger(number)
    case .thumbnail:
      do {
        try await inspectAgain(number, in: store)
      } catch PictureError.unavailable {
        throw CatalogError.absent
      }
    }
    guard let content = try await cache.picture(kind, of: number) else { throw CatalogError.absent }
    return content
  }

  /// Makes sure that a comic's picture is on the disk and its facts are in the archive.
  /// - Parameters:
  ///   - number: which comic.
  ///   - asker: the address of the client that asks, whose requests take turns; nil for no turns.
  func ensure(_ number: Comic.Number, for asker: String? = nil) async throws {
    // What is here needs no turn.
    let isKnown = publisher.current.archive.comic(number)?.picture != nil
    try await requests.source.inTurn(of: isKnown ? nil : asker, .picture(number)) { [self] in
      try await records.ensure(number)
      // The record of an interactive comic may name the picture of the comic before.
      if publisher.current.archive.comic(number)?.isInteractive == true, let previous = number.previous {
        try? await records.ensure(previous)
      }
      let isKnown = publisher.current.archive.comic(number)?.picture != nil
      if isKnown, try await store.pictures.picture(.standard, of: number) != nil { return }
      try await requests.forReader(.picture, of: number) { [self] in try await download(number, $0) }
    }
  }

  /// Makes sure that the double-size picture was requested once; records don't say whether there is one.
  private func ensureDoubleSize(_ number: Comic.Number) async throws {
    guard try await store.fetches.status(of: .doubleSize, of: number).state != .absent else {
      throw CatalogError.absent
    }
    try await requests.forReader(.doubleSize, of: number) { [self] in
      try await downloadDoubleSize(number, $0)
    }
  }

  /// Makes sure that the larger version was requested once, if the comic links to one.
  private func ensureLarger(_ number: Comic.Number) async throws {
    guard let comic = publisher.current.archive.comic(number), Self.largerVersion(of: comic) != nil,
      try await store.fetches.status(of: .larger, of: number).state != .absent
    else { throw CatalogError.absent }
    try await requests.forReader(.larger, of: number) { [self] in try await downloadLarger(number, $0) }
  }

  /// The larger version to which a comic links; nil if it links to none, or to a document.
  static func largerVersion(of comic: ArchivedComic) -> LargerVersion? {
    LargerVersion(comic.link, of: comic.number).flatMap { $0 == .document ? nil : $0 }
  }

  // MARK: From xkcd

  /// Fetches and inspects a comic's picture, even if one is stored.
  func fetch(_ number: Comic.Number) async throws {
    try await requests.once(.picture(number)) { [self] in try await download(number, .background) }
  }

  /// Fetches a comic's double-size picture, or notes that there is none.
  func fetchDoubleSize(_ number: Comic.Number) async throws {
    try await requests.once(.doubleSize(number)) { [self] in
      try await downloadDoubleSize(number, .background)
    }
  }

  /// Fetches the larger version of a comic's picture, or notes that there is none or that it is too large.
  func fetchLarger(_ number: Comic.Number) async throws {
    try await requests.once(.larger(number)) { [self] in try await downloadLarger(number, .background) }
  }

  private func download(_ number: Comic.Number, _ priority: RequestPriority) async throws {
    let address = try await address(of: number, for: .picture)
    let picture: FetchedPicture
    do throws(UpstreamError) {
      let bytes = try await client.picture(at: address, priority: priority)
      picture = try await inspected(bytes, of: number)
    } catch {
      throw try await requests.stored(error, .picture, of: number)
    }
    requests.noteAnswer()
    try await leading.pictures.save([picture])
    cache.forget(number)
    try await publisher.publish()
  }

  private func downloadDoubleSize(_ number: Comic.Number, _ priority: RequestPriority) async throws {
    let address = try await address(of: number, for: .doubleSize)
    guard number >= firstDoubleSize else {
      try await leading.fetches.noteAbsent(.doubleSize, of: number, lookAgain: nil)
      throw CatalogError.absent
    }
    let bytes: [UInt8]
    let format: PictureFacts.Format
    do throws(UpstreamError) {
      bytes = try await client.picture(at: address, doubleSize: true, priority: priority)
      format = try await inspector.formatOfWhole(bytes, from: .xkcd)
    } catch {
      throw try await requests.stored(error, .doubleSize, of: number)
    }
    requests.noteAnswer()
    guard Self.isDouble(bytes, of: publisher.current.archive.comic(number)?.picture) else {
      try await leading.fetches.noteAbsent(.doubleSize, of: number, lookAgain: nil)
      throw CatalogError.absent
    }
    try await leading.pictures.saveDoubleSize(bytes, format: format, of: number)
    cache.forget(number)
    try await publisher.publish()
  }

  private func downloadLarger(_ number: Comic.Number, _ priority: RequestPriority) async throws {
    guard let comic = publisher.current.archive.comic(number), let picture = comic.picture,
      let version = Self.largerVersion(of: comic)
    else { throw CatalogError.absent }
    let bytes: [UInt8]
    let size: PictureFacts
    var format: PictureFacts.Format?
    do throws(UpstreamError) {
      bytes = try await client.largerVersion(at: comic.link, version, priority: priority)
      do throws(PictureError) {
        size = try PictureHeader.facts(of: bytes)
      } catch {
        throw UpstreamError(error, from: .xkcd)
      }
      if size.height <= Self.mostPixels / size.width {
        format = try await inspector.formatOfWhole(bytes, from: .xkcd, pixelLimit: Self.mostPixels)
      }
    } catch {
      throw try await requests.stored(error, .larger, of: number)
    }
    requests.noteAnswer()
    guard let format else {
      try await leading.pictures.noteLargerVersionTooLarge(of: number)
      try await publisher.publish()
      throw CatalogError.absent
    }
    // Some links lead to another picture, not to a larger one (191).
    guard size.width > picture.width, size.height > picture.height else {
      try await leading.fetches.noteAbsent(.larger, of: number, lookAgain: nil)
      try await publisher.publish()
      throw CatalogError.absent
    }
    try await leading.pictures.saveLarger(bytes, format: format, of: number)
    cache.forget(number)
    try await publisher.publish()
  }

  /// Whether a picture is about twice as large as another, and of the same shape; any is if the other is unknown.
  ///
  /// xkcd has some with the name of a double-size picture that are another picture, or as large as the first.
  private static func isDouble(_ bytes: [UInt8], of single: PictureFacts?) -> Bool {
    guard let single, let double = try? PictureHeader.facts(of: bytes) else { return true }
    let (width, height) = (Double(double.width), Double(double.height))
    let scale = width / Double(single.width)
    // The sides are whole numbers, so those of a small picture may be one off.
    return scale > 1.5 && scale < 3 && abs(height - scale * Double(single.height)) <= max(3, height * 0.02)
  }

  private func inspected(
    _ bytes: [UInt8],
    of number: Comic.Number
  ) async throws(UpstreamError) -> FetchedPicture {
    do throws(PictureError) {
      return try await inspector.fetchedPicture(bytes, of: number)
    } catch {
      throw UpstreamError(error, from: .xkcd)
    }
  }

  /// The address of a comic's picture; if it has none, that is noted, or the fill would try forever.
  private func address(of number: Comic.Number, for part: ComicPart) async throws -> Text {
    guard let comic = publisher.current.archive.comic(number) else {
      let error = UpstreamError.malformed(.xkcd, at: "comic \(number.value): it can't be shown")
      throw try await requests.stored(error, part, of: number)
    }
    guard !comic.pictureAddress.isEmpty else {
      try await leading.fetches.noteAbsent(part, of: number, lookAgain: nil)
      throw CatalogError.absent
    }
    return comic.pictureAddress
  }

  // MARK: Stored pictures

  /// Finds a stored picture's facts and makes its thumbnail; nothing is stored if the picture is replaced in the meantime.
  ///
  /// A picture that can't be decoded is removed, so that it is fetched again. It was whole when it came, so its file is
  /// damaged now.
  /// - Throws: `CatalogError.absent` if there is no picture that can be decoded; `PictureError.unavailable` or
  ///   `PictureError.cancelled`.
  func inspectAgain(_ number: Comic.Number, in store: Store) async throws {
    try await requests.once(.thumbnail(number)) { [self] in
      guard let content = try await cache.picture(.standard, of: number) else { throw CatalogError.absent }
      let inspected: PictureInspector.Inspection
      do throws(PictureError) {
        inspected = try await inspector.inspect(content.bytes)
      } catch {
        switch error {
        case .unavailable, .cancelled: throw error
        case .foreign, .tooManyBytes, .tooManyPixels, .damaged, .undecodable:
          try await store.pictures.discard(of: number)
          cache.forget(number)
          throw CatalogError.absent
        }
      }
      try await store.pictures.save(
        inspected.facts,
        rulesVersion: PictureInspector.rulesVersion,
        thumbnail: inspected.thumbnail,
        of: number,
        inspected: content.name
      )
      cache.forget(number)
      try await publisher.publish()
    }
  }

  /// Inspects the next pictures that have no thumbnail, or facts from older rules.
  /// - Returns: whether to go on: there was something to do, and pictures can be decoded.
  func inspectNextAgain(limit: Int = 16) async throws -> Bool {
    let numbers = try await store.pictures.numbersToInspect(
      rulesVersion: PictureInspector.rulesVersion,
      limit: limit
    )
    for number in numbers {
      do {
        try await inspectAgain(number, in: leading)
      } catch CatalogError.absent {
        continue
      } catch PictureError.unavailable {
        return false
      }
    }
    return !numbers.isEmpty
  }
}
