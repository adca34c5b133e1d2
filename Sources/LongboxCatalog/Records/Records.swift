// Longbox
// SPDX-License-Identifier: MIT

package import Foundation
package import LongboxCore
import LongboxStore
import LongboxUpstream

/// Comics' records, which are fetched from xkcd, stored and published.
final class Records: Sendable {
  /// How long after its date a comic may still change, in seconds: a week.
  private static let changingAge: TimeInterval = 7 * 24 * 3600

  private let store: Store
  private let client: XkcdClient
  private let requests: ComicRequests
  private let publisher: ArchivePublisher
  private let now: @Sendable () -> Date

  init(
    store: Store,
    client: XkcdClient,
    requests: ComicRequests,
    publisher: ArchivePublisher,
    now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.client = client
    self.requests = requests
    self.publisher = publisher
    self.now = now
  }

  /// Makes sure that a comic is in the archive; if not, asks the source.
  /// - Parameters:
  ///   - number: which comic.
  ///   - asker: the address of the client that asks, whose requests take turns; nil for no turns.
  func ensure(_ number: Comic.Number, for asker: String? = nil) async throws {
    guard isMissing(number) else { return }
    try await requests.source.inTurn(of: asker, .record(number)) { [self] in
      // It may have come while others had their turn.
      guard isMissing(number) else { return }
      try await requests.forReader(.record, of: number) { [self] in try await download(number, $0) }
    }
  }

  private func isMissing(_ number: Comic.Number) -> Bool { publisher.current.archive.comic(number) == nil }

  /// Fetches a record, even if one is stored.
  func fetch(_ number: Comic.Number) async throws {
    try await requests.once(.record(number)) { [self] in try await download(number, .background) }
  }

  private func download(_ number: Comic.Number, _ priority: RequestPriority) async throws {
    let stored = try await store.comics.comic(number)
    let reply: Conditional<XkcdRecord>
    do throws(UpstreamError) {
      reply = try await client.comic(
        numbered: number,
        validator: stored.flatMap { Validator($0.validator) },
        priority: priority
      )
    } catch {
      throw try await requests.stored(error, .record, of: number)
    }
    requests.noteAnswer()
    switch reply {
    case .fresh(let record, let validator): try await save(record, validator, before: stored)
    case .notModified:
      try await store.comics.confirm(
        number,
        validator: stored?.validator ?? .init(),
        at: now(),
        lookAgain: lookAgain(at: number)
      )
    }
    // The author may have replaced the picture, and the record doesn't say so.
    if stored != nil, lookAgain(at: number) != nil {
      try await store.fetches.fetchAgain(.picture, of: number)
    }
    try await publisher.publish()
  }

  /// Asks the source for its newest comic, and stores it.
  /// - Throws: `CatalogError`; the failed check is noted, and the stored comics stay unchanged.
  func checkNewest() async throws {
    let before = try await store.fetches.newestCheck()
    var check = NewestCheck(
      newest: before?.newest,
      validator: before?.validator ?? .init(),
      checkedAt: now(),
      succeededAt: before?.succeededAt
    )
    let reply: Conditional<XkcdRecord>
    do throws(UpstreamError) {
      reply = try await client.latest(validator: before.flatMap { Validator($0.validator) })
    } catch {
      check.failure = error.description
      try await store.fetches.save(check)
      requests.noteFailure(error, for: .newest)
      throw CatalogError.upstream(error)
    }
    requests.noteAnswer()
    requests.suspect.noteNewestAnswered()
    if case .fresh(let record, let validator) = reply {
      let stored = try await store.comics.comic(record.number)
      publisher.noteNewest(record.number)
      try await save(record, nil, before: stored)
      check.newest = max(check.newest ?? record.number, record.number)
      check.validator = StoredValidator(validator)
    }
    // Last, so that a kill before this line only repeats the request.
    check.succeededAt = now()
    try await store.fetches.save(check)
    try await publisher.publish()
  }

  /// Stores a new record; if it has changed, the picture is fetched again.
  private func save(_ record: XkcdRecord, _ validator: Validator?, before: StoredComic?) async throws {
    try await store.comics.save([
      FetchedRecord(
        number: record.number,
        raw: record.raw,
        validator: StoredValidator(validator),
        fetchedAt: now(),
        lookAgain: lookAgain(at: record.number)
      )
    ])
    if let before, before.raw != record.raw {
      try await store.fetches.fetchAgain(.picture, of: record.number)
    }
  }

  /// When to check a comic again: the newest three about four times a day for a week, others never.
  private func lookAgain(at number: Comic.Number) -> Date? {
    let current = publisher.current
    let newest = current.newest ?? number
    guard newest.ordinal - number.ordinal < 3 else { return nil }
    guard let date = current.archive.comic(number)?.date ?? nil, let published = date.startOfDayInUTC else {
      return now().addingTimeInterval(FetchPause.lookAgain)
    }
    guard now().timeIntervalSince(published) < Self.changingAge else { return nil }
    return now().addingTimeInterval(FetchPause.lookAgain)
  }
}

extension Validator {
  fileprivate init?(_ stored: StoredValidator) {
    self.init(entityTag: stored.etag, lastModified: stored.lastModified)
  }
}

extension StoredValidator {
  fileprivate init(_ validator: Validator?) {
    self.init(etag: validator?.entityTag, lastModified: validator?.lastModified)
  }
}

extension CalendarDate {
  /// Midnight UTC at the start of the day.
  package var startOfDayInUTC: Date? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: DateComponents(year: year, month: month, day: day))
  }
}
