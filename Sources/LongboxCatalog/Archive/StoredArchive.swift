// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import LongboxCore
public import LongboxStore
import LongboxUpstream

extension Archive {
  /// The archive of the stored comics, for read-only use; it asks no source and writes nothing.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public static func stored(in store: Store) async throws(CatalogError) -> Archive {
    do {
      let revision = try await store.comics.revision().value
      let file = ArchiveFile(location: store.folder.appending(path: ArchiveFile.name))
      let archive = try await file.read(for: store) ?? blank(isSampleBox: false)
      let changed = try await store.changes(since: Revision(archive.revision))
      return try archive.updated(with: changed, to: revision)
    } catch {
      throw CatalogError(error)
    }
  }

  /// The archive with the store's later changes added.
  /// - Parameters:
  ///   - changed: the changes, with the wiki's transcripts and topics.
  ///   - revision: the store's revision with those changes.
  /// - Throws: `ArchiveError` if the comics exceed the format's limits.
  func updated(with changed: ChangedComics, to revision: Int) throws(ArchiveError) -> Archive {
    guard revision > self.revision else { return self }
    let updated = try adding(Self.delta(of: changed, from: self.revision, to: revision))
    return updated.segments.count > Self.mostSegments ? try updated.compacted() : updated
  }

  /// A delta with the store's changes since an archive was made, without records that can't be decoded.
  ///
  /// The record of an interactive comic may name the picture of the comic before (1037, 1350). That is no picture of it.
  /// - Parameters:
  ///   - changed: the changes, with the wiki's transcripts and topics.
  ///   - base: the revision of that archive.
  ///   - revision: the store's revision with those changes.
  ///   - isSampleBox: whether the archive holds the project's samples.
  /// - Throws: `ArchiveError` if the comics exceed the format's limits.
  static func delta(
    of changed: ChangedComics,
    from base: Int,
    to revision: Int,
    isSampleBox: Bool = false
  ) throws(ArchiveError) -> Segment {
    var writer = SegmentWriter()
    var comics: [Comic] = []
    var pictures = changed.picturesBefore
    for stored in changed.comics {
      guard let record = try? XkcdRecord(raw: stored.raw) else { continue }
      let transcript = changed.transcripts[stored.number] ?? .empty
      var comic = record.comic(comparedWith: transcript)
      comic.picture = stored.picture
      comic.topics = changed.topics[stored.number] ?? []
      pictures[comic.number] = comic.pictureAddress
      if comic.isInteractive, let previous = comic.number.previous, pictures[previous] == comic.pictureAddress
      {
        comic.pictureAddress = .empty
        comic.picture = nil
      }
      if !ComicRules.trustsTranscript(of: stored.number), !transcript.isEmpty {
        comic.transcript = transcript
      }
      do throws(ArchiveError) {
        try writer.append(comic)
        comics.append(comic)
      } catch .tooLarge where comic.picture != nil {
        // The picture has a side above 65,535 pixels. Keep the comic's text.
        comic.picture = nil
        do throws(ArchiveError) { try writer.append(comic) } catch .tooLarge { continue }
        comics.append(comic)
      } catch .tooLarge {
        continue
      }
    }
    writer.searchIndex = SearchIndexWriter.index(of: comics)
    return try Segment(writer.finish(.init(revision: revision, base: base, isSampleBox: isSampleBox)))
  }

  /// The most segments before compaction: rare enough to be cheap, often enough to bound memory.
  private static var mostSegments: Int { 64 }

  static func blank(isSampleBox: Bool) throws(ArchiveError) -> Archive {
    try Archive(Segment(SegmentWriter().finish(.init(revision: 0, isSampleBox: isSampleBox))))
  }
}

/// The changed comics of a store, as input for a segment.
struct ChangedComics: Sendable {
  var comics: [StoredComic]
  /// Transcripts from explain xkcd: instead of a record's, if that has none, else for comparison.
  var transcripts: [Comic.Number: Text]
  /// What comics are about, from explain xkcd.
  var topics: [Comic.Number: [Topic]] = [:]
  /// The addresses of the pictures of unchanged comics before changed ones, see ``Archive/delta(of:from:to:isSampleBox:)``.
  var picturesBefore: [Comic.Number: Text] = [:]
}

extension Store {
  /// The comics changed after a revision, and interactive ones after them, whose pictures depend on the comic before.
  ///
  /// The wiki's pages are read one by one, since all of them have many megabytes.
  func changes(since revision: Revision) async throws(StoreError) -> ChangedComics {
    var comics = try await self.comics.comics(changedSince: revision)
    let numbers = Set(comics.map(\.number))
    for next in comics.compactMap(\.number.next) where !numbers.contains(next) {
      guard let comic = try await self.comics.comic(next) else { continue }
      if let record = try? XkcdRecord(raw: comic.raw), record.hasExtraParts { comics.append(comic) }
    }
    comics.sort { $0.number < $1.number }
    var picturesBefore: [Comic.Number: Text] = [:]
    for previous in comics.compactMap(\.number.previous) where !numbers.contains(previous) {
      guard let raw = try await self.comics.rawRecord(previous), let record = try? XkcdRecord(raw: raw) else {
        continue
      }
      picturesBefore[previous] = ComicRules.pictureAddress(Text(string: record.pictureAddress))
    }
    var transcripts: [Comic.Number: Text] = [:]
    var topics: [Comic.Number: [Topic]] = [:]
    for comic in comics {
      guard let text = try await explanations.explanation(of: comic.number)?.text else { continue }
      let page = WikiPage(wikitext: Text(text.wikitext))
      if !page.transcript.isEmpty { transcripts[comic.number] = page.transcript }
      if !page.topics.isEmpty { topics[comic.number] = page.topics }
    }
    return ChangedComics(
      comics: comics,
      transcripts: transcripts,
      topics: topics,
      picturesBefore: picturesBefore
    )
  }
}

struct ArchiveFile: Sendable {
  static var name: String { "archive.lbx" }

  private let file: SegmentFile

  init(location: URL) {
    file = SegmentFile(location: location)
  }

  func read() -> Archive? { file.read().flatMap { try? Archive($0) } }

  /// Reads the archive of a store; nil if there is none, or if the file has other comics than the store.
  /// - Throws: `StoreError` if the store can't be read.
  func read(for store: Store) async throws -> Archive? {
    guard let archive = read(), try await store.canHaveMade(archive) else { return nil }
    return archive
  }

  func remove() { file.remove() }

  /// Replaces the file with an archive, as one segment.
  func write(_ archive: Archive) throws { try file.write(archive.compacted().segments[0]) }
}

extension Store {
  /// Whether an archive can have been made from this store.
  ///
  /// The database may have been replaced, and each database counts revisions from 1. So this compares the comics: those of
  /// the archive must be stored, and stored ones that haven't changed since must be in the archive, if it can hold them.
  fileprivate func canHaveMade(_ archive: Archive) async throws -> Bool {
    guard try await comics.revision().value >= archive.revision else { return false }
    let stored = try await comics.changes(after: .empty, 0, upTo: Revision(.max), limit: .max)
    let numbers = Set(stored.map(\.number))
    var areStored = true
    archive.visit { comic in
      areStored = numbers.contains(comic.number)
      return areStored
    }
    guard areStored else { return false }
    for change in stored where change.revision.value <= archive.revision {
      guard archive.comic(change.number) == nil, let comic = try await comics.comic(change.number) else {
        continue
      }
      let alone = ChangedComics(comics: [comic], transcripts: [:])
      guard try Archive.delta(of: alone, from: 0, to: archive.revision).count == 0 else { return false }
    }
    return true
  }
}

/// A segment's file, for a faster start; a missing, damaged or outdated file is rebuilt from the store.
struct SegmentFile: Sendable {
  let location: URL

  func read() -> Segment? {
    guard
      let bytes = try? PrivateFile.read(location),
      let segment = try? Segment(bytes),
      segment.rules == DecodingRules.version
    else { return nil }
    return segment
  }

  func remove() {
    try? FileManager.default.removeItem(at: location)
  }

  /// Replaces the file atomically; only its owner may read it.
  func write(_ segment: Segment) throws {
    try PrivateFile.write(segment.bytes, to: location)
  }
}
