// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxStore
import LongboxUpstream
import Synchronization

// The background fill: fetches everything that the source has, bit by bit.
extension ComicRepository {
  enum FillStep {
    /// Something was tried, with or without success; there may be more to do.
    case worked
    /// The source is down or limits the rate; nothing can be fetched now.
    case sourceDown(CatalogError)
    /// Nothing is due before this date, or at all.
    case idle(until: Date?)
  }

  private enum Outcome {
    /// It is stored, or known not to exist.
    case settled
    /// It failed; the comic or the source may be the cause.
    case failed(CatalogError)
    /// The source is down or limits the rate.
    case sourceDown(CatalogError)
  }

  /// A comic at which the source seemed to be down.
  ///
  /// A broken connection or a 403 may come from this one comic. If the source answers another request in
  /// between and then fails here again, the comic is the cause. Otherwise it would block all others forever.
  struct Suspect: Equatable {
    var thing: FetchedThing
    var number: Comic.Number
    var sourceAnswered = false
  }

  /// After this many failures in a row the source counts as down.
  private static let mostFailures = 3
  /// How many of the newest comics get their pictures before the older comics get their texts.
  private static let firstPictures = 20

  /// Fetches the next things, newest comic first: newest pictures, all texts, all pictures, double-size
  /// pictures.
  /// - Parameter limit: the most things.
  func fillStep(limit: Int = 16) async throws -> FillStep {
    let current = current
    guard let newest = current.newest else { return .idle(until: nil) }
    let firstPictures = Comic.Number(ordinal: max(newest.ordinal - Self.firstPictures, 1)) ?? .first
    let due = try await dueNext(upTo: newest, picturesAbove: firstPictures, limit: limit)
    if let due {
      var failures = 0
      for number in due.numbers {
        try Task.checkCancellation()
        switch try await fetch(due.thing, of: number) {
        case .settled: failures = 0
        case .failed(let error):
          failures += 1
          if failures == Self.mostFailures { return .sourceDown(error) }
        case .sourceDown(let error): return .sourceDown(error)
        }
      }
      // A missing double-size picture is one of the comic's facts, too.
      if due.thing == .doubleSize { try await publish() }
      return .worked
    }
    return .idle(until: try await nextDate())
  }

  private func dueNext(
    upTo newest: Comic.Number,
    picturesAbove first: Comic.Number,
    limit: Int
  ) async throws -> (thing: FetchedThing, numbers: [Comic.Number])? {
    let pictures = try await store.numbersToFetch(.picture, upTo: newest, dueBy: now(), limit: limit)
    let recent = pictures.filter { $0 > first }
    if !recent.isEmpty { return (.picture, recent) }
    let records = try await store.numbersToFetch(.record, upTo: newest, dueBy: now(), limit: limit)
    if !records.isEmpty { return (.record, records) }
    if !pictures.isEmpty { return (.picture, pictures) }
    let doubles = try await store.numbersToFetch(.doubleSize, upTo: newest, dueBy: now(), limit: limit)
    return doubles.isEmpty ? nil : (.doubleSize, doubles)
  }

  /// Fetches one thing.
  /// - Throws: `CatalogError.store`, because nothing can be fetched when the disk fails.
  private func fetch(_ thing: FetchedThing, of number: Comic.Number) async throws -> Outcome {
    do {
      switch thing {
      case .record: try await fetchRecord(number)
      case .picture: try await fetchPicture(number)
      case .doubleSize: try await fetchDoubleSize(number)
      }
      return .settled
    } catch {
      let error = CatalogError(error)
      switch error {
      case .store: throw error
      case .absent: return .settled
      case .upstream(.cancelled): return .sourceDown(error)
      case .upstream(let reason):
        if reason.isOfTheSource, try await !isToBlame(number, for: thing, reason) {
          return .sourceDown(error)
        }
      }
      logger.info(
        "A comic's \(thing.rawValue) could not be fetched.",
        metadata: ["comic": "\(number.value)", "error": "\(error)"]
      )
      return .failed(error)
    }
  }

  /// Whether a comic itself is the reason that the source seemed to be down; if so, that is noted.
  private func isToBlame(
    _ number: Comic.Number,
    for thing: FetchedThing,
    _ error: UpstreamError
  ) async throws -> Bool {
    let convicted = Suspect(thing: thing, number: number, sourceAnswered: true)
    let isToBlame = suspect.withLock { suspect in
      let isToBlame = suspect == convicted
      suspect = isToBlame ? nil : Suspect(thing: thing, number: number)
      return isToBlame
    }
    if isToBlame { try await noteFailure(error, thing, of: number) }
    return isToBlame
  }

  private func nextDate() async throws -> Date? {
    var dates: [Date] = []
    for thing in FetchedThing.allCases {
      if let date = try await store.nextTry(of: thing, after: now()) { dates.append(date) }
    }
    return dates.min()
  }

  /// Inspects pictures again whose facts are from older rules, or that have no thumbnail.
  /// - Returns: whether there was anything to do.
  func repairStep(limit: Int = 16) async throws -> Bool {
    let numbers = try await store.numbersToInspect(rulesVersion: PictureInspector.rulesVersion, limit: limit)
    for number in numbers {
      do {
        try await inspectAgain(number)
      } catch CatalogError.absent {
        continue
      } catch let error as PictureError {
        // Without libvips no picture can be inspected.
        if case .unavailable = error { throw error }
        // The file was whole when it came, so it is damaged now. Fetch a new copy.
        try await store.discardPictures(of: number)
      }
    }
    return !numbers.isEmpty
  }
}

extension UpstreamError {
  /// Whether the error concerns the whole source, as far as one answer can show.
  fileprivate var isOfTheSource: Bool {
    switch self {
    case .unreachable, .rateLimited: true
    case .notFound, .timedOut, .serverError, .unexpectedStatus, .malformed, .refused, .cancelled: false
    }
  }
}
