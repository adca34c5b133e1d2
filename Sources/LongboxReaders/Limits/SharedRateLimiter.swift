// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxStore

/// Counts in the database, so that a client gets no more from several nodes than from one.
struct SharedRateLimiter: RateLimiter {
  private let store: SharedStore
  private let event: LimitedEvent
  private let rates: RatePair

  init(_ store: SharedStore, _ event: LimitedEvent, _ rates: RatePair) {
    self.store = store
    self.event = event
    self.rates = rates
  }

  func take(_ address: ClientAddress, at now: Date) async throws(StoreError) -> Int? {
    let rates = rates
    return try await store.changeLimit(event.rawValue, of: "\(address)", at: now) { use in
      rates.take(&use, at: now)
    }
  }

  func refund(_ address: ClientAddress, at now: Date) async throws(StoreError) {
    let rates = rates
    try await store.changeLimit(event.rawValue, of: "\(address)", at: now) { use in rates.refund(&use) }
  }

  func forget(_ address: ClientAddress, at now: Date) async throws(StoreError) {
    let rates = rates
    try await store.changeLimit(event.rawValue, of: "\(address)", at: now) { use in rates.forget(&use) }
  }
}
