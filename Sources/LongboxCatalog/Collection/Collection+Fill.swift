// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxStore
import LongboxUpstream

// The background fill: everything that the source has, bit by bit.
extension Collection {
  /// What a step of the fill came to.
  enum FillStep {
    /// Something was tried, whether it went well or not: there may be more to do.
    case worked
    /// The source is down, or asks for patience: nothing more can be had for now.
    case sourceDown(CatalogError)
    /// Nothing is due before this date, or at all.
    case idle(until: Date?)
  }

  /// The newest comics, whose pictures come before the older comics' texts.
  private static let firstPictures = 20

  /// Fetches the next few things that are due, newest first: the newest pictures, then all texts, then all pictures,
  /// then those of twice the resolution.
  /// - Parameter limit: how many things at most.
  func fillStep(limit: Int = 16) async throws -> FillStep {
    let current = current
    guard let newest = current.newest else { return .idle(until: nil) }
    let firstPictures = Comic.Number(ordinal: max(newest.ordinal - Self.firstPictures, 1)) ?? .first
    let due = try await dueNext(upTo: newest, picturesAbove: firstPictures, limit: limit)
    if let due {
      for number in due.numbers {
        try Task.checkCancellation()
        if let error = await fetch(due.thing, of: number) { return .sourceDown(error) }
      }
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

  /// Fetches one thing; an error only where the source as a whole is down.
  private func fetch(_ thing: FetchedThing, of number: Comic.Number) async -> CatalogError? {
    do {
      switch thing {
      case .record: try await fetchRecord(number)
      case .picture: try await fetchPicture(number)
      case .doubleSize: try await fetchDoubleSize(number)
      }
      return nil
    } catch {
      let error = CatalogError(error)
      switch error {
      case .upstream(.unreachable), .upstream(.rateLimited), .upstream(.cancelled), .store: return error
      case .absent, .upstream: break
      }
      logger.info(
        "A comic's \(thing.rawValue) could not be fetched.",
        metadata: ["comic": "\(number.value)", "error": "\(error)"]
      )
      return nil
    }
  }

  private func nextDate() async throws -> Date? {
    var dates: [Date] = []
    for thing in FetchedThing.allCases {
      if let date = try await store.nextTry(of: thing, after: now()) { dates.append(date) }
    }
    return dates.min()
  }

  /// Finds out again about pictures whose facts were found by older rules, or that have no thumbnail.
  /// - Returns: whether there was anything to do.
  func repairStep(limit: Int = 16) async throws -> Bool {
    let numbers = try await store.numbersToInspect(rulesVersion: PictureInspector.rulesVersion, limit: limit)
    for number in numbers {
      do {
        try await inspectAgain(number)
      } catch CatalogError.absent {
        continue
      } catch is PictureError {
        // It was whole when it came; what is wrong now, a new copy mends.
        try await store.discardPictures(of: number)
      }
    }
    return !numbers.isEmpty
  }
}
