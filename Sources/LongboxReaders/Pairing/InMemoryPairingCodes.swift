// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore
import Synchronization

/// Pairing codes of one process.
///
/// They are in memory only, because each gives access to a library key, which is never stored.
public final class InMemoryPairingCodes: PairingCodes {
  private struct Offer {
    var key: ReaderKey
    var expires: Date
    var isUsed = false
  }

  private let offers = Mutex<[String: Offer]>([:])
  private let misses = AddressRateLimiter(PairingCodeRules.misses)

  /// Makes an empty set of codes.
  public init() {}

  /// Issues a code of 128 random bits for a library; its earlier codes stop working.
  public func offer(_ key: ReaderKey, at now: Date) -> String {
    let code = PairingCodeRules.newCode()
    offers.withLock { offers in
      offers = offers.filter { $0.value.key != key || $0.value.isUsed }
      if offers.count >= PairingCodeRules.most,
        let oldest = offers.min(by: { $0.value.expires < $1.value.expires })
      {
        offers[oldest.key] = nil
      }
      offers[code] = Offer(key: key, expires: now + PairingCodeRules.lifetime)
    }
    return code
  }

  /// The key of a code; the code stays valid.
  public func key(
    for code: String,
    from client: ClientAddress,
    at now: Date
  ) -> Result<ReaderKey, PairingRejection> {
    lookUp(code, from: client, at: now) { _ in }
  }

  /// The key of a code; the code becomes invalid.
  public func redeem(
    _ code: String,
    from client: ClientAddress,
    at now: Date
  ) -> Result<ReaderKey, PairingRejection> {
    lookUp(code, from: client, at: now) { $0.isUsed = true }
  }

  /// Makes a redeemed code valid again, because pairing failed.
  public func restore(_ code: String) {
    offers.withLock { $0[code]?.isUsed = false }
  }

  /// The key of a used code, to recognize a paired device that repeats its request.
  public func keyOfUsed(_ code: String) -> ReaderKey? {
    offers.withLock { $0[code].flatMap { $0.isUsed ? $0.key : nil } }
  }

  private func lookUp(
    _ code: String,
    from client: ClientAddress,
    at now: Date,
    _ change: (inout Offer) -> Void
  ) -> Result<ReaderKey, PairingRejection> {
    offers.withLock { offers in
      // A code has 128 random bits, so guessing finds none. Only unknown codes count against the limit.
      guard var offer = offers[code] else {
        return .failure(misses.take(client, at: now) == nil ? .unknown : .tooManyTries)
      }
      guard !offer.isUsed else { return .failure(.used) }
      guard now < offer.expires else { return .failure(.expired) }
      change(&offer)
      offers[code] = offer
      return .success(offer.key)
    }
  }
}
