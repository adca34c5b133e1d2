// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxStore
import LongboxUpstream

/// The result of one step of background work.
enum FillStep {
  /// Something was tried, with or without success; there may be more to do.
  case worked
  /// The source is down or limits the rate; nothing can be fetched now.
  case sourceDown(CatalogError)
  /// Nothing is due before this date; nil if nothing will be due.
  case idle(until: Date?)
}

/// Fetches everything that xkcd has, bit by bit.
struct BackgroundFill: Sendable {
  private enum Outcome {
    /// It is stored, or known not to exist.
    case settled
    /// It failed; the comic or the source may be the cause.
    case failed(CatalogError)
    /// The source is down or limits the rate.
    case sourceDown(CatalogError)
  }

  /// After this many failures in a row the source counts as down.
  private static let mostFailures = 3
  /// How many of the newest comics get their pictures before the older comics get their texts.
  private static let firstPictures = 20

  let comics: ComicRepository
  private var fetches: FetchStore { comics.store.fetches }
  private func now() -> Date { comics.now() }

  /// Fetches the next parts, newest comic first: newest pictures, all texts, all pictures, double-size
  /// pictures, larger versions.
  /// - Parameter limit: the most parts.
  func step(limit: Int = 16) async throws -> FillStep {
    guard let newest = comics.current.newest else { return .idle(until: nil) }
    let firstPictures = Comic.Number(ordinal: max(newest.ordinal - Self.firstPictures, 1)) ?? .first
    let due = try await dueNext(upTo: newest, picturesAbove: firstPictures, limit: limit)
    guard let due else { return .idle(until: try await nextDate()) }
    var failures = 0
    for number in due.numbers {
      try Task.checkCancellation()
      switch try await fetch(due.part, of: number) {
      case .settled: failures = 0
      case .failed(let error):
        failures += 1
        if failures == Self.mostFailures { return .sourceDown(error) }
      case .sourceDown(let error): return .sourceDown(error)
      }
    }
    // A missing double-size picture or larger version is one of the comic's facts, too.
    if due.part == .doubleSize || due.part == .larger { try await comics.publisher.publish() }
    return .worked
  }

  private func dueNext(
    upTo newest: Comic.Number,
    picturesAbove first: Comic.Number,
    limit: Int
  ) async throws -> (part: ComicPart, numbers: [Comic.Number])? {
    let pictures = try await fetches.numbersToFetch(.picture, upTo: newest, dueBy: now(), limit: limit)
    let recent = pictures.filter { $0 > first }
    if !recent.isEmpty { return (.picture, recent) }
    let records = try await fetches.numbersToFetch(.record, upTo: newest, dueBy: now(), limit: limit)
    if !records.isEmpty { return (.record, records) }
    if !pictures.isEmpty { return (.picture, pictures) }
    let doubles = try await fetches.numbersToFetch(
      .doubleSize,
      upTo: newest,
      dueBy: now(),
      limit: limit
    )
    if !doubles.isEmpty { return (.doubleSize, doubles) }
    let larger = try await largerVersionsDue(upTo: newest, limit: limit)
    return larger.isEmpty ? nil : (.larger, larger)
  }

  /// The comics that link to a larger version that is due, newest first; about thirty link to one.
  private func largerVersionsDue(upTo newest: Comic.Number, limit: Int) async throws -> [Comic.Number] {
    var linking: Set<Comic.Number> = []
    comics.current.archive.visit { comic in
      if comic.picture != nil, Pictures.largerVersion(of: comic) != nil { linking.insert(comic.number) }
      return true
    }
    // Those that link to none are due forever, so the limit is for the others.
    let due = try await fetches.numbersToFetch(
      .larger,
      upTo: newest,
      dueBy: now(),
      limit: newest.value
    )
    return Array(due.lazy.filter { linking.contains($0) }.prefix(limit))
  }

  /// Fetches one part.
  /// - Throws: `CatalogError`, if the source isn't the cause: then the other comics can't be fetched either.
  private func fetch(_ part: ComicPart, of number: Comic.Number) async throws -> Outcome {
    do {
      switch part {
      case .record: try await comics.records.fetch(number)
      case .picture: try await comics.pictures.fetch(number)
      case .doubleSize: try await comics.pictures.fetchDoubleSize(number)
      case .larger: try await comics.pictures.fetchLarger(number)
      }
      return .settled
    } catch {
      let error = CatalogError(error)
      switch error {
      case .store, .invalid, .leader, .undecodable, .failed: throw error
      case .absent: return .settled
      case .upstream(.cancelled): return .sourceDown(error)
      case .upstream(let reason):
        if reason.isOfTheSource {
          guard comics.requests.suspect.noteOutage(at: number, for: part) else { return .sourceDown(error) }
          try await comics.requests.storeFailure(reason, part, of: number)
        }
      }
      comics.logger.info(
        "A comic's \(part.name) could not be fetched.",
        metadata: ["comic": "\(number.value)", "error": "\(error)"]
      )
      return .failed(error)
    }
  }

  private func nextDate() async throws -> Date? {
    var dates: [Date] = []
    for part in ComicPart.allCases {
      if let date = try await fetches.nextTry(of: part, after: now()) { dates.append(date) }
    }
    return dates.min()
  }
}

extension UpstreamError {
  /// Whether the error concerns the whole source, as far as one reply can show.
  fileprivate var isOfTheSource: Bool {
    switch self {
    case .unreachable, .rateLimited, .busy: true
    case .notFound, .timedOut, .serverError, .unexpectedStatus, .malformed, .rejected, .cancelled: false
    }
  }
}
