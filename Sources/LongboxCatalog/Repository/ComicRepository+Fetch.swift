// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream

// Fetching from the source, and storing the results.
extension ComicRepository {
  /// Makes sure that a comic is in the archive; if not, asks the source.
  func ensureRecord(_ number: Comic.Number) async throws {
    guard current.archive.comic(number) == nil else { return }
    try await forReader(.record(number)) { [self] in try await fetchRecord(number) }
  }

  /// Makes sure that a comic's picture is on the disk and its facts are in the archive.
  func ensurePicture(_ number: Comic.Number) async throws {
    try await ensureRecord(number)
    if current.archive.comic(number)?.picture != nil, try await store.picture(.standard, of: number) != nil {
      return
    }
    try await forReader(.picture(number)) { [self] in try await fetchPicture(number) }
  }

  /// A picture from memory, the disk or the source.
  /// - Throws: `CatalogError.absent` if there is none; else the source's or the disk's error.
  func picture(_ kind: PictureKind, of number: Comic.Number) async throws -> PictureContent {
    if let content = try await storedPicture(kind, of: number) { return content }
    switch kind {
    case .standard: try await ensurePicture(number)
    case .doubleSize: try await ensureDoubleSize(number)
    case .thumbnail: try await ensureThumbnail(number)
    }
    guard let content = try await storedPicture(kind, of: number) else { throw CatalogError.absent }
    return content
  }

  /// Fetches a record, even if one is stored.
  func fetchRecord(_ number: Comic.Number) async throws {
    try await work.value(for: .record(number)) { [self] in
      let stored = try await store.comic(number)
      let validator = stored.flatMap {
        Validator(entityTag: $0.validator.etag, lastModified: $0.validator.lastModified)
      }
      let answer: Conditional<XkcdRecord>
      do throws(UpstreamError) {
        answer = try await client.comic(numbered: number, validator: validator)
      } catch {
        throw try await noted(error, .record, of: number)
      }
      outage.end()
      switch answer {
      case .fresh(let record, let validator): try await keep(record, validator, before: stored)
      case .notModified:
        try await store.confirmRecord(
          number,
          validator: stored?.validator ?? .init(),
          at: now(),
          lookAgain: lookAgain(at: number)
        )
      }
      // The author may have replaced the picture, and the record doesn't say so.
      if stored != nil, lookAgain(at: number) != nil { try await store.fetchAgain(.picture, of: number) }
      try await publish()
    }
  }

  /// Stores a new record; if it has changed, the picture is fetched again.
  func keep(_ record: XkcdRecord, _ validator: Validator?, before: StoredComic?) async throws {
    try await store.save([
      FetchedRecord(
        number: record.number,
        raw: record.raw,
        validator: StoredValidator(etag: validator?.entityTag, lastModified: validator?.lastModified),
        fetchedAt: now(),
        lookAgain: lookAgain(at: record.number)
      )
    ])
    if let before, before.raw != record.raw { try await store.fetchAgain(.picture, of: record.number) }
  }

  func fetchPicture(_ number: Comic.Number) async throws {
    try await work.value(for: .picture(number)) { [self] in
      let address = try await pictureAddress(of: number, for: .picture)
      let picture: XkcdPicture
      do throws(UpstreamError) {
        picture = try await client.picture(at: address)
      } catch {
        throw try await noted(error, .picture, of: number)
      }
      outage.end()
      let inspected: PictureWorkshop.Work
      do throws(PictureError) {
        inspected = try await workshop.inspect(picture.bytes)
      } catch {
        if case .unavailable = error { throw error }
        throw try await noted(.malformed(.xkcd, at: "picture: \(error)"), .picture, of: number)
      }
      if let before = try await storedPicture(.standard, of: number), before.bytes != picture.bytes {
        // The old picture's double-size version no longer fits.
        try await store.discardPictures(of: number)
      }
      try await store.save([
        FetchedPicture(
          number: number,
          bytes: picture.bytes,
          facts: inspected.facts,
          rulesVersion: PictureInspector.rulesVersion,
          thumbnail: inspected.thumbnail
        )
      ])
      forgetPictures(of: number)
      try await publish()
    }
  }

  /// The address of a comic's picture; if it has none, that is noted, or the fill would try forever.
  private func pictureAddress(of number: Comic.Number, for thing: FetchedThing) async throws -> Text {
    guard let comic = current.archive.comic(number) else {
      throw try await noted(
        .malformed(.xkcd, at: "comic \(number.value): it can't be shown"),
        thing,
        of: number
      )
    }
    guard !comic.pictureAddress.isEmpty else {
      try await store.noteAbsent(thing, of: number, lookAgain: nil)
      throw CatalogError.absent
    }
    return comic.pictureAddress
  }

  /// Makes sure that the double-size picture was requested once; records don't say whether there is one.
  func ensureDoubleSize(_ number: Comic.Number) async throws {
    try await ensurePicture(number)
    guard try await store.status(of: .doubleSize, of: number).state != .absent else {
      throw CatalogError.absent
    }
    try await forReader(.doubleSize(number)) { [self] in try await fetchDoubleSize(number) }
  }

  /// Fetches for a reader, unless the source is known to be down or has just failed.
  private func forReader(_ wanted: Wanted, _ work: @escaping @Sendable () async throws -> Void) async throws {
    try await failures.unlessRecent(wanted, now: now) { try await outage.unlessDown(now: now(), work) }
  }

  /// Fetches a comic's double-size picture, or notes that there is none.
  func fetchDoubleSize(_ number: Comic.Number) async throws {
    try await work.value(for: .doubleSize(number)) { [self] in
      let address = try await pictureAddress(of: number, for: .doubleSize)
      guard number >= firstDoubleSize else {
        try await store.noteAbsent(.doubleSize, of: number, lookAgain: nil)
        throw CatalogError.absent
      }
      let picture: XkcdPicture
      do throws(UpstreamError) {
        picture = try await client.picture(at: address, doubleSize: true)
      } catch {
        throw try await noted(error, .doubleSize, of: number)
      }
      outage.end()
      try await store.saveDoubleSize(picture.bytes, format: picture.format, of: number)
      forgetPictures(of: number)
      try await publish()
    }
  }

  /// Makes a thumbnail of a stored picture that has none, or inspects it again by newer rules.
  func ensureThumbnail(_ number: Comic.Number) async throws {
    try await ensurePicture(number)
    try await inspectAgain(number)
  }

  func inspectAgain(_ number: Comic.Number) async throws {
    try await work.value(for: .thumbnail(number)) { [self] in
      guard let content = try await storedPicture(.standard, of: number) else { throw CatalogError.absent }
      let inspected = try await workshop.inspect(content.bytes)
      try await store.save(
        inspected.facts,
        rulesVersion: PictureInspector.rulesVersion,
        thumbnail: inspected.thumbnail,
        of: number
      )
      forgetPictures(of: number)
      try await publish()
    }
  }

  /// When to check a comic again: the newest three about four times a day for a week, others never.
  private func lookAgain(at number: Comic.Number) -> Date? {
    let newest = current.newest ?? number
    guard newest.ordinal - number.ordinal < 3 else { return nil }
    guard let date = current.archive.comic(number)?.date ?? nil, let published = date.startOfDay else {
      return now().addingTimeInterval(FetchPause.lookAgain)
    }
    guard now().timeIntervalSince(published) < FetchPause.week else { return nil }
    return now().addingTimeInterval(FetchPause.lookAgain)
  }

  /// Notes a failure, unless the source is down, and returns the error to throw.
  private func noted(
    _ error: UpstreamError,
    _ thing: FetchedThing,
    of number: Comic.Number
  ) async throws -> CatalogError {
    outage.note(error, for: Wanted(thing, of: number), at: now())
    switch error {
    case .notFound:
      let pause = thing == .doubleSize ? FetchPause.absentDoubleSize : FetchPause.absent
      try await store.noteAbsent(thing, of: number, lookAgain: now().addingTimeInterval(pause))
      return .absent
    case .cancelled, .rateLimited, .unreachable:
      return .upstream(error)
    case .timedOut, .serverError, .unexpectedStatus, .malformed, .refused:
      try await noteFailure(error, thing, of: number)
      return .upstream(error)
    }
  }

  /// Notes a failure that the comic itself may cause, and when to try again.
  func noteFailure(_ error: UpstreamError, _ thing: FetchedThing, of number: Comic.Number) async throws {
    let attempts = try await store.status(of: thing, of: number).attempts
    try await store.noteFailure(
      thing,
      of: number,
      reason: error.description,
      nextTry: now().addingTimeInterval(FetchPause.afterFailure(attempts: attempts))
    )
  }
}
