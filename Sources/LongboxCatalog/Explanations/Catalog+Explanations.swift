// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
public import LongboxStore
import LongboxUpstream

extension Catalog {
  /// The explanation of a comic, without asking explain xkcd.
  /// - Throws: `CatalogError.store`.
  public func explanation(of number: Comic.Number) async throws(CatalogError) -> ExplanationState {
    do {
      return try await shown.explanations.state(of: number)
    } catch {
      throw CatalogError(error)
    }
  }

  /// The explanation of a comic; if it is unknown, explain xkcd is asked.
  /// - Parameters:
  ///   - number: which comic.
  ///   - limit: the maximum wait. A later answer is still stored.
  /// - Returns: ``ExplanationState/unknown`` if it did not come in time.
  /// - Throws: `CatalogError` if the wiki does not answer.
  public func explanation(
    of number: Comic.Number,
    within limit: Duration
  ) async throws(CatalogError) -> ExplanationState {
    let repository = shown
    do {
      let isThere = try await withTimeout(limit) { try await repository.ensureExplanation(number) }
      if !isThere {
        let error = UpstreamError.timedOut(.explain, subject: "explanation of comic \(number.value)")
        repository.explanations.outage.note(error, for: number, at: now())
      }
      return try await repository.explanations.state(of: number)
    } catch {
      throw CatalogError(error)
    }
  }

  /// The explanations that have changed, in the order of the changes.
  /// - Parameters:
  ///   - change: the last change that the caller knows; 0 for all.
  ///   - limit: the most explanations.
  /// - Throws: `CatalogError.store`.
  public func explanations(
    changedSince change: Int,
    limit: Int
  ) async throws(CatalogError) -> [Explanation] {
    do {
      return try await shown.store.explanations(changedSince: change, limit: limit).compactMap(
        Explanation.init
      )
    } catch {
      throw CatalogError(error)
    }
  }

  /// Counts of the stored explanations.
  /// - Throws: `CatalogError.store`.
  public func explanationTotals() async throws(CatalogError) -> ExplanationTotals {
    do {
      return try await shown.explanations.totals()
    } catch {
      throw CatalogError(error)
    }
  }
}
