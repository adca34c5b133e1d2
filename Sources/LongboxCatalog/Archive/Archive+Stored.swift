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
