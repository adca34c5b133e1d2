// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore
import LongboxPush
import Synchronization

/// The codes that pair a device with another; each works once, for ten minutes.
///
/// Codes are in memory only, because each gives access to a library key, which is never stored.
public final class PairingCodes: Sendable {
  private struct Offer {
    var key: ReaderKey
    var expires: Date
    var isUsed = false
  }

  private struct State {
    var offers: [String: Offer] = [:]
    /// When each address used an unknown code.
    var misses: [ClientAddress: [Date]] = [:]
  }

  /// The validity of a code, in seconds.
  public static let lifetime: TimeInterval = 600
  /// After this many unknown codes within a minute, an address is told to wait; a right code works all the same.
  public static let missLimit = 30
  /// The maximum number of addresses whose misses are counted.
  private static let addressLimit = 1_000
  /// The maximum number of stored codes, including used and expired ones.
  private static let offerLimit = 1_000
  private static let byteCount = 16

  private let state = Mutex(State())

  /// Makes an empty set of codes.
  public init() {}

  /// Issues a code of 128 random bits for a library; its earlier codes stop working.
  public func offer(_ key: ReaderKey, at now: Date) -> String {
    var random = SystemRandomNumberGenerator()
    let code = Base64URL.encode((0..<Self.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) })
    state.withLock { state in
      state.offers = state.offers.filter { $0.value.key != key || $0.value.isUsed }
      if state.offers.count >= Self.offerLimit,
        let oldest = state.offers.min(by: { $0.value.expires < $1.value.expires })
      {
        state.offers[oldest.key] = nil
      }
      state.offers[code] = Offer(key: key, expires: now + Self.lifetime)
    }
    return code
  }

  /// The key of a code; the code stays valid.
  public func key(
    for code: String,
    from client: ClientAddress = .unknown,
    at now: Date
  ) -> Result<ReaderKey, PairingRejection> {
    look(up: code, from: client, at: now) { _ in }
  }

  /// The key of a code; the code becomes invalid.
  public func redeem(
    _ code: String,
    from client: ClientAddress = .unknown,
    at now: Date
  ) -> Result<ReaderKey, PairingRejection> {
    look(up: code, from: client, at: now) { $0.isUsed = true }
  }

  /// Makes a redeemed code valid again, because pairing failed.
  public func restore(_ code: String) {
    state.withLock { $0.offers[code]?.isUsed = false }
  }

  /// The key of a used code, to recognize a paired device that repeats its request.
  public func keyOfUsed(_ code: String) -> ReaderKey? {
    state.withLock { $0.offers[code].flatMap { $0.isUsed ? $0.key : nil } }
  }

  private func look(
    up code: String,
    from client: ClientAddress,
    at now: Date,
    _ change: (inout Offer) -> Void
  ) -> Result<ReaderKey, PairingRejection> {
    state.withLock { state in
      // A code has 128 bits, so guessing finds none; a right one is honoured whoever guesses beside it.
      guard var offer = state.offers[code] else {
        return .failure(Self.countMiss(of: client, in: &state, at: now))
      }
      guard !offer.isUsed else { return .failure(.used) }
      guard now < offer.expires else { return .failure(.expired) }
      change(&offer)
      state.offers[code] = offer
      return .success(offer.key)
    }
  }

  private static func countMiss(of client: ClientAddress, in state: inout State, at now: Date)
    -> PairingRejection
  {
    var misses = state.misses[client, default: []].filter { $0 > now - 60 && $0 <= now }
    guard misses.count < missLimit else { return .tooManyTries }
    misses.append(now)
    if state.misses.count >= addressLimit {
      state.misses = state.misses.filter { $0.value.contains { $0 > now - 60 } }
    }
    if state.misses.count >= addressLimit { state.misses = [:] }
    state.misses[client] = misses
    return .unknown
  }
}
