// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore
import LongboxPush
public import LongboxStore

/// The codes that pair a device with another; each works once, for ten minutes.
public protocol PairingCodes: Sendable {
  /// Issues a code of 128 random bits for a library; its earlier codes stop working.
  /// - Throws: `TooManyNew` if the client has asked for too many; `StoreError`.
  func offer(_ key: ReaderKey, from client: ClientAddress, at now: Date) async throws -> String

  /// The key of a code; the code stays valid.
  func key(
    for code: String,
    from client: ClientAddress,
    at now: Date
  ) async throws(StoreError) -> Result<ReaderKey, PairingRejection>

  /// The key of a code; the code becomes invalid.
  func redeem(
    _ code: String,
    from client: ClientAddress,
    at now: Date
  ) async throws(StoreError) -> Result<ReaderKey, PairingRejection>

  /// Makes a redeemed code valid again, because pairing failed.
  func restore(_ code: String) async throws(StoreError)

  /// The key of a used code, to recognize a paired device that repeats its request.
  func keyOfUsed(_ code: String) async throws(StoreError) -> ReaderKey?
}

/// What holds for all pairing codes.
public enum PairingCodeRules {
  /// The validity of a code, in seconds.
  public static let lifetime: TimeInterval = 600
  /// After this many unknown codes an address must wait; a valid code always works.
  public static let missLimit = 30
  /// The time between two tries of unknown codes after that, in seconds.
  private static let missInterval: TimeInterval = 2
  /// The maximum number of stored codes, including used and expired ones.
  ///
  /// Beyond it, an address with many codes loses its oldest one.
  static let most = 1_000
  private static let byteCount = 16

  /// The limit on codes that an address asks for.
  ///
  /// There is none for all addresses together, because several of them could then keep a household from pairing.
  static let newCodes = RatePair(each: .init(burst: 30, interval: 20), all: nil)
  static let misses = RatePair(
    each: .init(burst: missLimit, interval: missInterval),
    all: .init(burst: 8 * missLimit, interval: missInterval / 8)
  )

  static func newCode() -> String {
    var random = SystemRandomNumberGenerator()
    return Base64URL.encode((0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) })
  }
}

extension Store {
  /// The pairing codes of all nodes of a shared store, or of this process.
  public func pairingCodes() -> any PairingCodes {
    guard let shared else { return InMemoryPairingCodes() }
    return SharedPairingCodes(
      shared,
      newCodes: limiter(of: .newCodes, PairingCodeRules.newCodes),
      misses: limiter(of: .unknownCodes, PairingCodeRules.misses)
    )
  }
}
