// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import LongboxCore
import LongboxStore

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
