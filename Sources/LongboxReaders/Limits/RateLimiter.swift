// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxStore

/// Limits how often the clients of one address, and all clients together, may do something.
public protocol RateLimiter: Sendable {
  /// Counts one time.
  /// - Returns: nil if it is allowed; otherwise the seconds until the next time, and nothing is counted.
  func take(_ address: ClientAddress, at now: Date) async throws(StoreError) -> Int?

  /// Takes one count back, because what was counted has failed.
  func refund(_ address: ClientAddress, at now: Date) async throws(StoreError)

  /// Forgets what was counted for the address, and takes the last count off the total of all addresses.
  func forget(_ address: ClientAddress, at now: Date) async throws(StoreError)
}

/// An event that is limited; nodes count it together under its name.
public enum LimitedEvent: String, Sendable {
  /// Libraries that are started.
  case newLibraries
  /// Subscriptions to notifications.
  case newSubscriptions
  /// Codes for pairing that are asked for.
  case newCodes
  /// Tries to pair with a code that doesn't exist.
  case unknownCodes
  /// Wrong passphrases and sign-in codes.
  case wrongPassphrases
}

extension Store {
  /// Limits how often an address may do something in an hour; all nodes of a shared store count together.
  public func limiter(of event: LimitedEvent, perHour: Int) -> any RateLimiter {
    limiter(of: event, RatePair(perHour: perHour))
  }

  func limiter(of event: LimitedEvent, _ rates: RatePair) -> any RateLimiter {
    guard let shared else { return AddressRateLimiter(rates) }
    return SharedRateLimiter(shared, event, rates)
  }
}
