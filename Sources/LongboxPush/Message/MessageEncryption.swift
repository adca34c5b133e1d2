// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation

/// Encrypts messages by RFC 8291, over the content coding `aes128gcm` of RFC 8188 with one record.
enum MessageEncryption {
  static let saltLength = 16
  private static let recordSize: UInt32 = 4096
  private static let publicKeyLength = 65
  /// The bytes added by encryption: salt, record size, key length and key; text; delimiter and tag.
  static let overhead = saltLength + 4 + 1 + publicKeyLength + 1 + 16

  /// Encrypts a text.
  /// - Parameters:
  ///   - text: at most ``Message/longestText`` bytes.
  ///   - subscriber: the recipient.
  ///   - padding: the number of zeros after the text, which hide its length.
  ///   - key: used for this message only.
  ///   - salt: 16 random bytes, used for this message only.
  static func encrypt(
    _ text: [UInt8],
    for subscriber: SubscriberKeys,
    padding: Int = 0,
    with key: P256.KeyAgreement.PrivateKey = newKey(),
    salt: [UInt8] = newSalt()
  ) throws -> [UInt8] {
    let ours = key.publicKey.x963Representation
    let shared = try key.sharedSecretFromKeyAgreement(with: subscriber.publicKey)
    // RFC 8291, section 3.4: both public keys and the secret enter the key derivation.
    let keyMaterial = shared.withUnsafeBytes { shared in
      let extracted = authenticated(shared, with: subscriber.secret)
      return authenticated(keyInfo + subscriber.point + ours + [1], with: extracted)
    }
    // RFC 8188, sections 2.2 and 2.3.
    let pseudorandom = authenticated(keyMaterial, with: salt)
    let contentKey = SymmetricKey(data: authenticated(contentKeyInfo + [1], with: pseudorandom).prefix(16))
    let nonce = try AES.GCM.Nonce(data: authenticated(nonceInfo + [1], with: pseudorandom).prefix(12))
    // The delimiter 2 marks the last record.
    let record = text + [2] + [UInt8](repeating: 0, count: padding)
    let sealed = try AES.GCM.seal(record, using: contentKey, nonce: nonce)
    let header = salt + withUnsafeBytes(of: recordSize.bigEndian) { Array($0) } + [UInt8(ours.count)]
    return header + ours + sealed.ciphertext + sealed.tag
  }

  /// HMAC-SHA-256, from which both RFCs build HKDF (RFC 5869): one call extracts; another, with a trailing
  /// 1, expands to at most 32 bytes.
  private static func authenticated(
    _ data: some DataProtocol,
    with key: some ContiguousBytes
  ) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: data, using: SymmetricKey(data: key)))
  }

  private static let keyInfo = Array("WebPush: info\0".utf8)
  private static let contentKeyInfo = Array("Content-Encoding: aes128gcm\0".utf8)
  private static let nonceInfo = Array("Content-Encoding: nonce\0".utf8)

  /// A key for one message, found by testing random candidates (FIPS 186-5, appendix A.2.2).
  ///
  /// One candidate in four billion is invalid. swift-crypto signs and verifies with each key that it
  /// generates, which takes ten times as long.
  static func newKey() -> P256.KeyAgreement.PrivateKey {
    while true {
      let candidate = SymmetricKey(size: .bits256)
      let key = candidate.withUnsafeBytes { try? P256.KeyAgreement.PrivateKey(rawRepresentation: $0) }
      if let key { return key }
    }
  }

  private static func newSalt() -> [UInt8] {
    SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
  }
}
