// Longbox
// SPDX-License-Identifier: MIT

import Crypto
public import Foundation
public import LongboxCore
import LongboxPush
public import LongboxStore
import Synchronization

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

/// Pairing codes in the database, so that a code of one node works on all nodes.
///
/// The database has neither the code nor the library's key: a hash of the code finds the row, and a key that is derived
/// from the code decrypts the library's key (RFC 5869, AES-GCM). A copy of the database opens no library.
struct SharedPairingCodes: PairingCodes {
  /// What is derived from a code.
  private struct Derived {
    let hash: [UInt8]
    let key: SymmetricKey

    init(_ code: String) {
      func derive(_ purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
          inputKeyMaterial: SymmetricKey(data: Array(code.utf8)),
          info: Array("longbox pairing \(purpose)".utf8),
          outputByteCount: 32
        )
      }
      hash = derive("hash").withUnsafeBytes { Array($0) }
      key = derive("key")
    }
  }

  private let store: SharedStore
  private let newCodes: any RateLimiter
  private let misses: any RateLimiter

  init(_ store: SharedStore, newCodes: any RateLimiter, misses: any RateLimiter) {
    self.store = store
    self.newCodes = newCodes
    self.misses = misses
  }

  func offer(_ key: ReaderKey, from client: ClientAddress, at now: Date) async throws -> String {
    if let seconds = try await newCodes.take(client, at: now) { throw TooManyNew(retryAfter: seconds) }
    let code = PairingCodeRules.newCode()
    let derived = Derived(code)
    try await store.offerCode(
      .pairing,
      derived.hash,
      of: SharedCodeOwner(
        client: Array(SHA256.hash(data: Array("\(client)".utf8))),
        library: Array(SHA256.hash(data: key.bytes))
      ),
      content: Self.seal(key, with: derived),
      until: now + PairingCodeRules.lifetime,
      keeping: PairingCodeRules.most,
      at: now
    )
    return code
  }

  func key(
    for code: String,
    from client: ClientAddress,
    at now: Date
  ) async throws(StoreError) -> Result<ReaderKey, PairingRejection> {
    try await lookUp(Derived(code), from: client, at: now)
  }

  func redeem(
    _ code: String,
    from client: ClientAddress,
    at now: Date
  ) async throws(StoreError) -> Result<ReaderKey, PairingRejection> {
    let derived = Derived(code)
    let found = try await lookUp(derived, from: client, at: now)
    guard case .success = found else { return found }
    // Another node may have been faster.
    return try await store.useCode(.pairing, derived.hash, at: now) ? found : .failure(.used)
  }

  func restore(_ code: String) async throws(StoreError) {
    try await store.restoreCode(.pairing, Derived(code).hash)
  }

  func keyOfUsed(_ code: String) async throws(StoreError) -> ReaderKey? {
    let derived = Derived(code)
    guard let found = try await store.code(.pairing, derived.hash), found.isUsed else { return nil }
    return Self.open(found.content, with: derived)
  }

  private func lookUp(
    _ code: Derived,
    from client: ClientAddress,
    at now: Date
  ) async throws(StoreError) -> Result<ReaderKey, PairingRejection> {
    // A code has 128 random bits, so guessing finds none. Only unknown codes count against the limit.
    guard let found = try await store.code(.pairing, code.hash),
      let key = Self.open(found.content, with: code)
    else {
      return .failure(try await misses.take(client, at: now) == nil ? .unknown : .tooManyTries)
    }
    guard !found.isUsed else { return .failure(.used) }
    guard found.isValid(at: now) else { return .failure(.expired) }
    return .success(key)
  }

  /// Encrypts a key; the derived key is used once, so a constant nonce is safe.
  private static func seal(_ key: ReaderKey, with derived: Derived) -> [UInt8] {
    guard let nonce = try? AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)),
      let box = try? AES.GCM.seal(key.bytes, using: derived.key, nonce: nonce, authenticating: derived.hash)
    else { return [] }
    return Array(box.ciphertext + box.tag)
  }

  private static func open(_ content: [UInt8], with derived: Derived) -> ReaderKey? {
    guard content.count == ReaderKey.length + 16,
      let nonce = try? AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)),
      let box = try? AES.GCM.SealedBox(
        nonce: nonce,
        ciphertext: content.prefix(ReaderKey.length),
        tag: content.suffix(16)
      ),
      let bytes = try? AES.GCM.open(box, using: derived.key, authenticating: derived.hash)
    else { return nil }
    return ReaderKey(bytes)
  }
}
