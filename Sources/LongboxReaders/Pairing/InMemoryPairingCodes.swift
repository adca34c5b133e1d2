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
    let key: ReaderKey
    let client: ClientAddress
    let made: Date
    var isUsed = false
  }

  private let offers = Mutex<[String: Offer]>([:])
  private let newCodes = AddressRateLimiter(PairingCodeRules.newCodes)
  private let misses = AddressRateLimiter(PairingCodeRules.misses)

  /// Makes an empty set of codes.
  public init() {}

  /// Issues a code of 128 random bits for a library; its earlier codes stop working.
  /// - Throws: `TooManyNew` if the client has asked for too many.
  public func offer(_ key: ReaderKey, from client: ClientAddress, at now: Date) throws(TooManyNew) -> String {
    if let seconds = newCodes.take(client, at: now) { throw TooManyNew(retryAfter: seconds) }
    let code = PairingCodeRules.newCode()
    offers.withLock { offers in
      offers = offers.filter { $0.value.key != key || $0.value.isUsed }
      if offers.count >= PairingCodeRules.most { Self.makeRoom(in: &offers) }
      offers[code] = Offer(key: key, client: client, made: now)
    }
    return code
  }

  /// Removes the oldest code of the address with the most codes.
  private static func makeRoom(in offers: inout [String: Offer]) {
    let counts = offers.values.reduce(into: [ClientAddress: Int]()) { $0[$1.client, default: 0] += 1 }
    let most = counts.values.max()
    let candidates = offers.filter { counts[$0.value.client] == most }
    guard let oldest = candidates.min(by: { $0.value.made < $1.value.made }) else { return }
    offers[oldest.key] = nil
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
      guard abs(now.timeIntervalSince(offer.made)) < PairingCodeRules.lifetime else {
        return .failure(.expired)
      }
      change(&offer)
      offers[code] = offer
      return .success(offer.key)
    }
  }
}
