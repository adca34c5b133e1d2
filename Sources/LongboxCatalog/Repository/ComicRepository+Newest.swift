// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import Synchronization

// Looking for a new comic.
extension ComicRepository {
  /// Asks the source for its newest comic, and stores it.
  /// - Throws: `CatalogError`. Stored data stays unchanged.
  func checkNewest() async throws {
    let before = try await store.newestCheck()
    let validator = before.flatMap {
      Validator(entityTag: $0.validator.etag, lastModified: $0.validator.lastModified)
    }
    var check = NewestCheck(
      newest: before?.newest,
      validator: before?.validator ?? .init(),
      checkedAt: now(),
      succeededAt: before?.succeededAt
    )
    let answer: Conditional<XkcdRecord>
    do throws(UpstreamError) {
      answer = try await client.latest(validator: validator)
    } catch {
      check.failure = error.description
      try await store.save(check)
      outage.note(error, for: .newest, at: now())
      throw CatalogError.upstream(error)
    }
    outage.end()
    suspect.withLock { $0?.sourceAnswered = true }
    if case .fresh(let record, let validator) = answer {
      let stored = try await store.comic(record.number)
      published.withLock { $0.newest = max($0.newest ?? record.number, record.number) }
      try await keep(record, nil, before: stored)
      check.newest = max(check.newest ?? record.number, record.number)
      check.validator = StoredValidator(etag: validator?.entityTag, lastModified: validator?.lastModified)
    }
    // Last, so that a kill before this line only repeats the request.
    check.succeededAt = now()
    try await store.save(check)
    try await publish()
  }
}
